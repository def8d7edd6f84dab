// SPDX-License-Identifier: MIT
import TodayModel

/// The runs in progress, and what each is made from.
struct RunsInProgress {
    private struct Run {
        let widget: WidgetID
        /// An update; anything else makes nothing of the widget newer.
        let isUpdate: Bool
        var premises: Premises
    }

    private var runs: [UInt64: Run] = [:]

    mutating func began(_ run: UInt64, of widget: WidgetID, isUpdate: Bool, from premises: Premises) {
        runs[run] = Run(widget: widget, isUpdate: isUpdate, premises: premises)
    }

    /// What the run was made from; nil for a run that never began.
    mutating func ended(_ run: UInt64) -> Premises? { runs.removeValue(forKey: run)?.premises }

    func isRunning(_ widget: WidgetID) -> Bool { runs.values.contains { $0.widget == widget } }

    /// A group's defaults were changed. What a widget changes itself while it updates, it knows; what another client has
    /// changed before that, it may not.
    ///
    /// - Parameters:
    ///   - revision: the last one.
    ///   - writers: the writer of each change, up to that revision; nil stands for one that is no widget.
    mutating func changed(_ group: AppGroup, to revision: Int64, by writers: [WidgetID?]) {
        let first = revision - Int64(writers.count)
        for (run, current) in runs where current.isUpdate {
            var seen = current.premises.groups[group] ?? 0
            for (before, writer) in zip(first..., writers) where writer == current.widget && seen == before {
                seen = before + 1
            }
            runs[run]?.premises.groups[group] = seen
        }
    }
}
