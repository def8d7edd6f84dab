// SPDX-License-Identifier: MIT
import TodayModel

/// Notices what happened to the clocks between two readings: the machine slept, or the wall clock was set.
struct ClockJumps: Sendable {
    /// A shorter sleep is ignored. Two clocks that are read one after the other differ by less.
    static let shortestSleep = TimeSpan.seconds(2)
    /// A smaller change is ignored: adjtimex(2) slews the clock by less between two readings.
    static let smallestClockChange = TimeSpan.seconds(1)

    /// How long the machine had slept since its start, at the last reading.
    private var slept: TimeSpan?
    /// What the wall clock showed at the machine's start, computed at the last reading.
    private var bootDate: WallTime?

    mutating func read(_ now: Moment) -> (slept: Bool, clockWasSet: Bool) {
        (noticeSleep(now), noticeClockChange(now))
    }

    /// CLOCK_BOOTTIME goes on during sleep, CLOCK_MONOTONIC does not (clock_gettime(2)).
    private mutating func noticeSleep(_ now: Moment) -> Bool {
        defer { slept = now.slept }
        guard let slept else { return false }
        return now.slept - slept >= Self.shortestSleep
    }

    private mutating func noticeClockChange(_ now: Moment) -> Bool {
        let date = WallTime(microseconds: now.wall.microseconds - now.boot.microseconds)
        defer { bootDate = date }
        guard let bootDate else { return false }
        let change = date - bootDate
        return max(change, .zero - change) >= Self.smallestClockChange
    }
}

// MARK: - What the timetable does then

extension Timetable {
    /// The first overdue widget runs this long after the machine's sleep: the network needs some time.
    static let wakeDelay = TimeSpan.seconds(1)
    static let widestWakeSpread = TimeSpan.seconds(10)
    static let widestWakeSpacing = TimeSpan.milliseconds(250)

    /// Spreads the widgets that became overdue during the sleep over some seconds, the longest overdue first. A widget that
    /// is due just now keeps its time.
    mutating func spreadOverdue(_ now: Moment) {
        restartStreams(now)
        var overdue: [WidgetID] = []
        var punctual: [WidgetID] = []
        while let widget = queue.firstDue(at: now.boot) {
            queue.removeFromRest(widget)
            guard let entry = entries[widget] else { continue }
            if now.boot - entry.due.time > entry.due.slack + ClockJumps.shortestSleep {
                overdue.append(widget)
            } else {
                punctual.append(widget)
            }
        }
        let spacing = min(Self.widestWakeSpacing, Self.widestWakeSpread / Int64(max(1, overdue.count)))
        for (index, widget) in overdue.enumerated() {
            entries[widget]?.due.putOff(to: now.boot + Self.wakeDelay + spacing * Int64(index))
            updateQueue(for: widget)
        }
        for widget in punctual { updateQueue(for: widget) }
    }

    /// Moves the due time of a widget that asked for a date. All other due times are on clocks that cannot be set.
    mutating func followDate(of widget: WidgetID, now: Moment) {
        if entries[widget]?.due.followDate(now) == true { updateQueue(for: widget) }
    }
}
