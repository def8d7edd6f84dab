// SPDX-License-Identifier: MIT
import Scheduler
import TodayModel

/// The runs of a widget that are in progress, with their premises.
struct RunsInProgress {
    private struct Run {
        /// Whether the run is an update; no other run makes a widget's answer newer.
        let isUpdate: Bool
        var premises: Premises
    }

    private var runs: [UInt64: Run] = [:]

    mutating func began(_ run: UInt64, isUpdate: Bool, from premises: Premises) {
        runs[run] = Run(isUpdate: isUpdate, premises: premises)
    }

    /// The premises of a run that has ended; nil for a run that never began.
    mutating func ended(_ run: UInt64) -> Premises? { runs.removeValue(forKey: run)?.premises }

    var isRunning: Bool { !runs.isEmpty }

    /// Notes that a group's defaults have changed. A widget knows its own changes during an update.
    mutating func changed(_ group: AppGroup, to revision: Int64, by writers: [WidgetID?], own id: WidgetID) {
        for (run, current) in runs where current.isUpdate {
            runs[run]?.premises.follow(group, to: revision, by: writers, own: id)
        }
    }
}

extension RunOutcome {
    /// The outcome of a run that could not begin. It has no interaction, because the program was told of none: nothing
    /// in it has to be undone.
    init(_ ticket: RunTicket, failure: String, at now: WallTime) {
        self.init(
            widget: ticket.widget, run: ticket.run, reason: ticket.reason, started: now, duration: .zero,
            result: .failed(failure))
    }
}
