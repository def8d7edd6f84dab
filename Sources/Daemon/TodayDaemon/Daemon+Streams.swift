// SPDX-License-Identifier: MIT
import Reactor
import Registry
import Runner
import Scheduler
import SnapshotStore
import TodayModel

/// What the program of a stream does after its run: further updates, and its end.
extension Daemon {
    /// Records a further update as content. The update log gets only the first failure of a series, each different failure, and
    /// the end of the series.
    func recordUpdate(_ outcome: RunOutcome) {
        guard scheduler.streamUpdated(outcome), !isStopping else { return }
        let id = outcome.widget
        let record = catalog[id]
        record.output.note(outcome)
        let inputs = record.stream.inputs
        let last = store.lastUpdate(of: id)
        let entry = outcome.logEntry
        let isSeries = last?.result == .failed
        if outcome.isFailure {
            guard !isSeries || last?.failure != entry.failure else { return }
        } else {
            record.stream.updated()
            if !outcome.isInteraction { record.mayBeOutdated = false }
        }
        if outcome.isFailure || isSeries && !outcome.isInteraction {
            report(
                outcome, wasFailing: isSeries,
                inJournal: record.stream.mayJournal(outcome, isSeries, at: catalog.now.boot))
            store.record(outcome, seen: seen(by: outcome, from: inputs), tried: inputs)
        } else {
            renew(outcome, from: inputs)
        }
        restartIfEdited(id)
    }

    /// Restarts a program whose file has changed in a directory that is not watched. A program that prints nothing does not
    /// reveal that it is old, so its file is checked when a host looks at the widget.
    func restartIfEdited(_ id: WidgetID) {
        if catalog[id].stream.isRunning { registry.checkProgram(of: id) }
    }

    /// Unchanged content is confirmed at most once a second, because that wakes hosts and the disk.
    private func renew(_ outcome: RunOutcome, from inputs: UpdateInputs?) {
        let id = outcome.widget
        if case .newData(let content) = outcome.result {
            event(.snapshot, id, content.text)
        } else if let confirmed = catalog.own(of: id)?.confirmed {
            let age = catalog.now.wall - confirmed
            if age >= .zero, age < .seconds(1) { return }
        }
        store.renew(outcome, seen: seen(by: outcome, from: inputs))
    }

    /// Records the end of a program, and tells the scheduler, which starts the next one.
    func recordStreamEnd(_ end: StreamEnd) {
        let id = end.outcome.widget
        let inputs = catalog[id].stream.inputs
        catalog[id].stream.ended(end)
        guard scheduler.streamEnded(end), !isStopping else { return }
        // The daemon has ended the program, which says nothing about the widget.
        guard end.cause == nil else { return event(.finished, id, end.words) }
        report(end.outcome, wasFailing: store.lastUpdate(of: id)?.result == .failed, words: end.words)
        store.log(end.outcome)
        if end.outcome.isFailure { store.remember(id) { $0.apply(end.outcome, from: inputs) } }
    }

    /// Ends the program of a stream whose manifest no longer describes a stream.
    func endFormerStream(_ id: WidgetID) {
        guard catalog[id].stream.isRunning, let manifest = catalog.validManifest(of: id), !manifest.update.stays else {
            return
        }
        runner.endStream(id, because: "\(id.declaration) says no Stream=yes any more")
    }
}
