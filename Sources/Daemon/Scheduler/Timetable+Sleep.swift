// SPDX-License-Identifier: MIT
import TodayModel

/// What happens when the machine wakes up: CLOCK_BOOTTIME has gone on, CLOCK_MONOTONIC has not (clock_gettime(2)).
extension Timetable {
    /// A shorter sleep is not worth a word; reading the two clocks one after the other differs by less, too.
    static let shortestSleep = TimeSpan.seconds(2)
    /// The network needs a moment.
    static let wakeDelay = TimeSpan.seconds(1)
    static let widestWakeSpread = TimeSpan.seconds(10)
    static let widestWakeSpacing = TimeSpan.milliseconds(250)

    /// Whether the machine has slept since the last look.
    mutating func noticeSleep(_ now: Moment) -> Bool {
        defer { slept = now.slept }
        guard let slept else { return false }
        return now.slept - slept >= Self.shortestSleep
    }

    /// Spreads over some seconds what has become overdue during the sleep, the longest overdue first. What is merely
    /// due now (the machine woke up long ago) keeps its time.
    mutating func spreadOverdue(_ now: Moment) {
        var overdue: [WidgetID] = []
        var punctual: [WidgetID] = []
        while let (widget, due) = dues.first, due <= now.boot {
            dues[widget] = nil
            let slack = entries[widget]?.slack ?? .zero
            if now.boot - due > slack + Self.shortestSleep {
                overdue.append(widget)
            } else {
                punctual.append(widget)
            }
        }
        let spacing = min(Self.widestWakeSpacing, Self.widestWakeSpread / Int64(max(1, overdue.count)))
        for (index, widget) in overdue.enumerated() {
            entries[widget]?.due = now.boot + Self.wakeDelay + spacing * Int64(index)
            entries[widget]?.slack = .milliseconds(100)
            entries[widget]?.dueReason = .wake
            settle(widget, now: now)
        }
        for widget in punctual { settle(widget, now: now) }
    }
}
