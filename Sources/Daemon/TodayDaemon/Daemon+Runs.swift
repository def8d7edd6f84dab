// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import Runner
import Scheduler
import SnapshotStore
import TodayModel

/// One run, from the time it is due to the stored result.
extension Daemon {
    /// Starts the run of a widget that is due.
    func launch(_ ticket: RunTicket) {
        guard let manifest = catalog.validManifest(of: ticket.widget) else {
            // The manifest disappeared in this turn. The scheduler must be told the end of every run that it started.
            return finish(RunOutcome(ticket, failure: "\(ticket.widget.declaration) was removed", at: catalog.now.wall))
        }
        if ticket.interaction == .beginEditing, catalog.draft(of: ticket.widget) == nil {
            return finish(RunOutcome(ticket, failure: "editing was over before it began", at: catalog.now.wall))
        }
        var request = RunRequest(
            run: ticket.run, manifest: isFirstRun(ticket) ? manifest.forFirstRun : manifest,
            reason: ticket.reason, mode: catalog.mode(of: manifest))
        request.interaction = ticket.interaction
        request.previous = catalog.own(of: ticket.widget)
        request.sizes = catalog.sizes
        request.settings = catalog.settingTexts(of: manifest)
        session.refresh(
            at: catalog.now.boot, isWanted: store.lastUpdate(of: ticket.widget)?.result == .failed)
        request.session = session.variables
        request.fits = hasDrawnFor(request)
        request.isEditing = editing.runStarts(ticket)
        let record = catalog[ticket.widget]
        event(.started, ticket.widget, "\(ticket.reason.rawValue)")
        let run = WidgetRecord.Run(
            number: ticket.run, isUpdate: ticket.interaction == nil, inputs: catalog.inputs(of: manifest),
            session: session.revision)
        record.began(run, manifest, at: catalog.now.wall)
        if case .action(_, let isLocked) = ticket.interaction { record.pressBegan(isLocked: isLocked) }
        runner.start(request)
    }

    /// Whether todayd runs a widget for the first time by itself: its files may not be in memory yet. A client that requests a
    /// run gets the time-out of the manifest.
    private func isFirstRun(_ ticket: RunTicket) -> Bool {
        ticket.reason != .request && ticket.interaction == nil && scheduler.activity(of: ticket.widget)?.runs == 0
    }

    /// Serves the extension context of a started resident, until its process ends.
    func serve(_ descriptor: OwnedDescriptor, contextOf widget: WidgetID) -> ContextEnd {
        guard let served = service.serve(descriptor, contextOf: widget) else { return {} }
        catalog[widget].processes.began(served.id)
        return { [self] in
            served.end()
            let record = catalog[widget]
            let wasEdited = record.processes.isEdited(served.id)
            let isNewest = record.processes.ended(served.id)
            if wasEdited { editing.editorEnded(of: widget, isNewest: isNewest) }
        }
    }

    /// Answers the clients of a run that will not take place.
    func drop(_ ticket: RunTicket, because reason: String) {
        editing.runDropped(ticket)
        catalog[ticket.widget].waiters.finished(
            run: ticket.run, UpdateAnswer(id: ticket.widget, answer: .refused, reason: reason))
    }

    /// Records an outcome and answers the clients that wait for it.
    func finish(_ outcome: RunOutcome) {
        scheduler.ended(outcome.widget, run: outcome.run)
        let widget = catalog[outcome.widget]
        let run = widget.ended(outcome.run)
        let inputs = run?.inputs
        widget.stream.runEnded(outcome, from: inputs)
        // A run that the daemon ended itself shows nothing about the widget.
        if scheduler.finished(outcome), !isStopping {
            record(outcome, from: inputs)
            editing.runEnded(outcome)
            if let inputs { runAgainIfBehind(after: outcome, from: inputs) }
            if outcome.isFailure, run.map({ $0.session != session.revision }) ?? false {
                runInNewSession(outcome.widget)
            }
            resetLargestMode(after: outcome)
        }
        var answer = UpdateAnswer(outcome)
        if outcome.reason == .action { answer.open = widget.press.end() }
        widget.waiters.finished(run: outcome.run, answer)
        onFinish(outcome)
    }

    private func record(_ outcome: RunOutcome, from inputs: UpdateInputs?) {
        report(outcome, wasFailing: store.lastUpdate(of: outcome.widget)?.result == .failed)
        if !outcome.isInteraction, !outcome.isFailure { catalog[outcome.widget].mayBeOutdated = false }
        catalog[outcome.widget].output.note(outcome)
        store.record(outcome, seen: seen(by: outcome, from: inputs), tried: inputs)
    }

    /// Records that a resident failed between two calls. The failure does not affect earlier results.
    func recordIdleFailure(_ outcome: RunOutcome) {
        report(outcome, wasFailing: store.lastUpdate(of: outcome.widget)?.result == .failed)
        store.log(outcome)
    }

    /// Resets the largest display mode when a new process has not chosen one, because the choice of the process before
    /// no longer counts.
    private func resetLargestMode(after outcome: RunOutcome) {
        if case .failed = outcome.result { return }
        let id = outcome.widget
        guard catalog[id].processes.noteRunEnded(), store.memory(of: id).largestMode != nil else { return }
        store.remember(id) { $0.largestMode = nil }
        largestModeChanged(of: id)
    }

    /// Sets what a widget shows until its first answer.
    func setPlaceholder(_ content: Content, of widget: WidgetID) {
        guard catalog.own(of: widget) == nil else { return }
        store.changeInMemory(widget) { $0.placeholder = content }
    }
}

extension RunOutcome {
    /// The outcome of a run that could not begin. It has no interaction, because the program was told of none: nothing
    /// in it has to be undone.
    fileprivate init(_ ticket: RunTicket, failure: String, at now: WallTime) {
        self.init(
            widget: ticket.widget, run: ticket.run, reason: ticket.reason, started: now, duration: .zero,
            result: .failed(failure))
    }
}
