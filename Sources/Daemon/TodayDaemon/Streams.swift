// SPDX-License-Identifier: MIT
import Files
import Reactor
import TodayModel

/// The programs of streams: what became of them, and the premises of those that run. Their updates are made from the premises
/// of the run that started them.
@LoopActor
final class Streams {
    private struct Program {
        let run: UInt64
        /// Nil until its run is over.
        var premises: Premises?
        /// When the journal last got a line about its updates.
        var journaled: BootTime?
        /// Whether the journal has the first failure of the series; nil without one, or where it began before the daemon.
        var isFailureJournaled: Bool?
        /// The program's file as it was when it started, and when it was last looked at.
        let file: FileMark?
        var looked: BootTime?
    }

    private var statuses: [WidgetID: StreamStatus] = [:]
    private var programs: [WidgetID: Program] = [:]

    /// A run starts a program.
    func began(_ run: UInt64, of manifest: Manifest, at now: WallTime) {
        let widget = manifest.id
        programs[widget] = Program(run: run, file: manifest.update.command.first.flatMap(FileMark.init(at:)))
        var status = statuses[widget] ?? StreamStatus()
        if status.started != nil { status.restarts += 1 }
        (status.isRunning, status.started) = (true, now)
        statuses[widget] = status
    }

    /// A run is over. If its program stays, its updates have these premises.
    func runEnded(_ outcome: RunOutcome, from premises: Premises?) {
        let id = outcome.widget
        guard programs[id]?.run == outcome.run else { return }
        if outcome.stays {
            programs[id]?.premises = premises
            if !outcome.isSilent, !outcome.isFailure { statuses[id]?.updates += 1 }
        } else {
            var reason = outcome.exit
            if case .failed(let failure) = outcome.result { reason = failure }
            end(of: id, because: reason ?? "it was not started", at: outcome.started + outcome.duration)
            programs[id] = nil
        }
    }

    /// The program of a widget has given a further update.
    func updated(_ widget: WidgetID) { statuses[widget]?.updates += 1 }

    /// A program has ended. The next one may have been requested meanwhile.
    func ended(_ end: StreamEnd) {
        let id = end.outcome.widget
        self.end(of: id, because: end.words, at: end.outcome.started + end.outcome.duration)
        if programs[id]?.run == end.outcome.run { programs[id] = nil } else { statuses[id]?.isRunning = true }
    }

    private func end(of id: WidgetID, because reason: String, at time: WallTime) {
        statuses[id]?.isRunning = false
        statuses[id]?.lastEnd = PlainText.line(reason, upTo: RunRecord.reasonBytes)
        statuses[id]?.lastEndAt = time
    }

    /// Whether a widget has a program, or a run that starts one.
    func isRunning(_ widget: WidgetID) -> Bool { programs[widget] != nil }

    /// What the updates of a widget's program are made from; nil without a program, and until its run is over.
    func premises(of widget: WidgetID) -> Premises? { programs[widget]?.premises }

    func status(of widget: WidgetID) -> StreamStatus { statuses[widget] ?? StreamStatus() }

    /// The widget was removed.
    func forget(_ widget: WidgetID) { statuses[widget] = nil }

    /// A group's defaults have changed. A program knows its own changes, as during a run (RunsInProgress).
    func changed(_ group: AppGroup, to revision: Int64, by writers: [WidgetID?]) {
        for id in programs.keys { programs[id]?.premises?.follow(group, to: revision, by: writers, own: id) }
    }

    /// Whether the program's file is another one than the one that runs. It is looked at once a second.
    func isOutdated(_ manifest: Manifest, at now: BootTime) -> Bool {
        guard let program = programs[manifest.id], let file = program.file, let path = manifest.update.command.first
        else { return false }
        if let last = program.looked, now - last < .seconds(1) { return false }
        programs[manifest.id]?.looked = now
        // While an editor replaces the file, there is none.
        return FileMark(at: path).map { $0 != file } ?? false
    }

    /// Whether the journal may have a line about an update. A program that alternates between good and bad ones would fill it.
    /// The end of a series of failures is there where its beginning is.
    func mayJournal(_ outcome: RunOutcome, _ isSeries: Bool, at now: BootTime) -> Bool {
        let widget = outcome.widget
        if outcome.isFailure, isSeries { return false }
        if !outcome.isFailure, let isJournaled = programs[widget]?.isFailureJournaled {
            programs[widget]?.isFailureJournaled = nil
            return isJournaled
        }
        programs[widget]?.isFailureJournaled = false
        if let last = programs[widget]?.journaled, now - last < .minutes(1) { return false }
        programs[widget]?.journaled = now
        programs[widget]?.isFailureJournaled = outcome.isFailure
        return true
    }
}

extension Premises {
    /// Notes that a group's defaults have changed. A widget knows its own changes, unless another client changed the group
    /// before them.
    ///
    /// - Parameters:
    ///   - revision: the revision after the last change.
    ///   - writers: the writer of each change up to that revision; nil for a writer that is not a widget.
    mutating func follow(_ group: AppGroup, to revision: Int64, by writers: [WidgetID?], own widget: WidgetID) {
        let first = revision - Int64(writers.count)
        var seen = groups[group] ?? 0
        for (before, writer) in zip(first..., writers) where writer == widget && seen == before { seen = before + 1 }
        groups[group] = seen
    }
}
