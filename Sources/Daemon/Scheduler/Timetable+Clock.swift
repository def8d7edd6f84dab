// SPDX-License-Identifier: MIT
import TodayModel

/// What happens to dates when the clock on the wall is set. Everything else is on clocks that cannot be set.
extension Timetable {
    /// Clocks are slewed by less than this from one look to the next (adjtimex(2)).
    static let smallestClockChange = TimeSpan.seconds(1)
    /// Those who wait for a date want it to be exact.
    static let dateSlack = TimeSpan.milliseconds(500)

    /// Whether the clock on the wall was set since the last look.
    mutating func noticeClockChange(_ now: Moment) -> Bool {
        let date = WallTime(microseconds: now.wall.microseconds - now.boot.microseconds)
        defer { bootDate = date }
        guard let bootDate else { return false }
        let change = date - bootDate
        return max(change, .zero - change) >= Self.smallestClockChange
    }

    /// Moves the due times of the widgets that have asked for a date.
    mutating func followDates(_ now: Moment) {
        for (widget, entry) in entries {
            guard let date = entry.askDate else { continue }
            entries[widget]?.due = now.boot(at: date)
            settle(widget, now: now)
        }
    }

    /// Whether a widget that is due by the clock since boot has its date still to come: the two drift apart a little. The
    /// widget would find the day before.
    mutating func waitsForDate(_ widget: WidgetID, now: Moment) -> Bool {
        guard let date = entries[widget]?.askDate, date > now.wall else { return false }
        entries[widget]?.due = now.boot(at: date)
        settle(widget, now: now)
        return true
    }
}
