// SPDX-License-Identifier: MIT
import TodayModel

/// What the timetable can say about its widgets.
extension Timetable {
    /// Whether the beginning or the end of editing waits for a run to end, or for a free place.
    package func editingWaits(for widget: WidgetID) -> Bool {
        guard let entry = entries[widget] else { return false }
        return entry.following.contains { $0.reason == .editing } || entry.waiting?.reason == .editing
    }

    /// How many runs wait for a free place.
    package func waitingCount(at now: Moment) -> Int {
        runningCount < concurrency ? ready.count : ready.count + dues.countOf { $0 <= now.boot }
    }

    /// What a widget does and what it waits for; nil for one that is not here.
    package func activity(of widget: WidgetID, at now: Moment) -> WidgetActivity? {
        guard let entry = entries[widget] else { return nil }
        var activity = entry.counts
        if let running = entry.running {
            activity.isRunning = true
            activity.skipped += entry.cadence.next(after: running.started, now: now.boot).skipped
        } else if let hindrance = entry.hindrance {
            activity.waitingFor = hindrance
        } else if entry.waiting != nil || entry.due <= now.boot {
            activity.waitingFor = freePlace
            activity.nextRun = now.wall
        } else if entry.due == .never {
            activity.waitingFor = "a change or a request: its timeline says never"
        } else {
            activity.nextRun = now.wall(at: entry.due)
            activity.waitingFor =
                switch entry.dueReason {
                case .retry where entry.hasStatedWait: "the time for which it asked after a failure"
                case .retry: "its retry after \(failures(entry.counts.failuresInARow))"
                case .wake: "its turn after the machine's sleep"
                default: nil
                }
        }
        return activity
    }

    private func failures(_ count: Int) -> String {
        count == 1 ? "a failure" : "\(count) failures in a row"
    }

    /// From when on a widget's last answer is stale: older than twice its interval, in time awake. Nil is never.
    package func freshUntil(of widget: WidgetID) -> AwakeTime? {
        guard let entry = entries[widget], !entry.plan.isPushed, let lastGood = entry.lastGood,
            let staleAge = entry.staleAge
        else { return nil }
        return lastGood + staleAge
    }
}
