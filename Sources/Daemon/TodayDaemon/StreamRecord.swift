// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

/// The program of a stream: its status, and the inputs of the running one. Its updates are made from the inputs of the run that
/// started it.
struct StreamRecord {
    /// On the heap, because most widgets are not streams. The record of its widget is its only owner.
    private final class Program {
        let run: UInt64
        /// Nil until its run is over.
        var inputs: UpdateInputs?
        /// When the journal last got a line about its updates.
        var journaled: BootTime?
        /// Whether the journal contains the first failure of the series; nil without a series, or if it began before the
        /// daemon.
        var isFailureJournaled: Bool?

        init(run: UInt64) { self.run = run }
    }

    /// Nil before the first program, and after the widget has disappeared.
    private(set) var status: StreamStatus?
    private var program: Program?

    /// A run starts a program.
    mutating func began(_ run: UInt64, at now: WallTime) {
        program = Program(run: run)
        var status = status ?? StreamStatus()
        if status.started != nil { status.restarts += 1 }
        (status.isRunning, status.started) = (true, now)
        self.status = status
    }

    /// A run is over. If its program stays, its updates have these inputs.
    mutating func runEnded(_ outcome: RunOutcome, from inputs: UpdateInputs?) {
        guard program?.run == outcome.run else { return }
        if outcome.stays {
            program?.inputs = inputs
            if !outcome.isSilent, !outcome.isFailure { updated() }
        } else {
            var reason = outcome.exit
            if case .failed(let failure) = outcome.result { reason = failure }
            end(because: reason ?? "it was not started", at: outcome.started + outcome.duration)
            program = nil
        }
    }

    /// The program has given a further update.
    mutating func updated() { status?.updates += 1 }

    /// A program has ended. The next one may have been requested meanwhile.
    mutating func ended(_ end: StreamEnd) {
        self.end(because: end.words, at: end.outcome.started + end.outcome.duration)
        if program?.run == end.outcome.run { program = nil } else { status?.isRunning = true }
    }

    private mutating func end(because reason: String, at time: WallTime) {
        status?.isRunning = false
        status?.lastEnd = PlainText.line(reason, upTo: RunRecord.reasonBytes)
        status?.lastEndAt = time
    }

    /// Whether there is a program, or a run that starts one.
    var isRunning: Bool { program != nil }

    /// The inputs of the program's updates; nil without a program, and until its run is over.
    var inputs: UpdateInputs? { program?.inputs }

    /// The widget was removed.
    mutating func forget() { status = nil }

    /// A group's defaults have changed. A program knows its own changes, as during an update.
    mutating func changed(_ group: AppGroup, to revision: Int64, by writers: [WidgetID?], own id: WidgetID) {
        program?.inputs?.follow(group, to: revision, by: writers, own: id)
    }

    /// Whether the journal may get a line about an update. A program that alternates between good and bad updates would fill
    /// it. The end of a series of failures is logged if its beginning was.
    mutating func mayJournal(_ outcome: RunOutcome, _ isSeries: Bool, at now: BootTime) -> Bool {
        if outcome.isFailure, isSeries { return false }
        if !outcome.isFailure, let isJournaled = program?.isFailureJournaled {
            program?.isFailureJournaled = nil
            return isJournaled
        }
        program?.isFailureJournaled = false
        if let last = program?.journaled, now - last < .minutes(1) { return false }
        program?.journaled = now
        program?.isFailureJournaled = outcome.isFailure
        return true
    }
}

extension UpdateInputs {
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
