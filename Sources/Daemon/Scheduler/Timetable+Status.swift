// SPDX-License-Identifier: MIT
import TodayModel

/// What the timetable tells others of a widget.
extension Timetable {
    /// Whether the beginning or the end of editing waits for a run to end, or for a free place.
    package func editingWaits(for widget: WidgetID) -> Bool {
        guard let entry = entries[widget] else { return false }
        return entry.planned.contains { $0.reason == .editing }
    }

    /// What a widget does and what it waits for; nil for an unknown widget.
    package func activity(of widget: WidgetID, at now: Moment) -> WidgetActivity? {
        guard let entry = entries[widget] else { return nil }
        var activity = entry.counts
        if let running = entry.running {
            activity.isRunning = true
            if !entry.plan.stays {
                activity.skipped += entry.cadence.next(after: running.started, now: now.boot).skipped
            }
        } else if let obstacle = entry.obstacle {
            activity.waitingFor = obstacle
        } else if entry.waiting != nil || entry.due.time <= now.boot {
            activity.waitingFor = freePlace
            activity.nextRun = now.wall
        } else if entry.due.time == .never, entry.stream.run != nil {
            activity.waitingFor = entry.plan.fleet == nil ? "the end of its program" : "its fleet"
        } else if entry.due.time == .never {
            let reason =
                entry.lastAnswer?.nextAsk == .never ? "its timeline says never" : "it runs once (Interval=once)"
            activity.waitingFor = "a change or a request: \(reason)"
        } else {
            activity.nextRun = now.wall(at: entry.due.time)
            activity.waitingFor = entry.waitInWords
        }
        return activity
    }

    /// When a widget's last answer becomes stale, in time awake; nil if never.
    package func freshUntil(of widget: WidgetID) -> AwakeTime? {
        guard let entry = entries[widget], !entry.plan.isPushed else { return nil }
        return entry.lastAnswer?.freshUntil
    }
}

extension TimetableEntry {
    /// Why the widget waits longer or shorter than its interval, in words.
    fileprivate var waitInWords: String? {
        let failures = counts.failuresInARow
        return switch due.reason {
        case .retry where plan.stays && !due.isStatedWait: "the restart of its program, which has failed"
        case .schedule where plan.stays: "the restart of its program, which has ended"
        case .retry where due.isStatedWait: "the time for which it asked after a failure"
        case .retry: "its retry after \(failures == 1 ? "a failure" : "\(failures) failures in a row")"
        case .wake: "its turn after the machine's sleep"
        default: nil
        }
    }
}
