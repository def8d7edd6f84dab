// SPDX-License-Identifier: MIT
import TodayModel

/// What the timetable can say about its widgets.
extension Timetable {
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
        } else {
            activity.nextRun = now.wall(at: entry.due)
            activity.waitingFor =
                switch entry.dueReason {
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

    /// Whether a widget's content is older than twice its interval, in time awake. Pushed content is as good as whoever
    /// pushes says: it has a time to live instead.
    package func isStale(_ widget: WidgetID, now: AwakeTime) -> Bool {
        guard let entry = entries[widget], !entry.plan.isPushed, let lastGood = entry.lastGood else {
            return false
        }
        return lastGood + entry.staleAge <= now
    }
}
