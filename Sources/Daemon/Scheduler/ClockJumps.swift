// SPDX-License-Identifier: MIT
import TodayModel

/// Notices what happened to the clocks between two looks: the machine slept, or the wall clock was set.
struct ClockJumps: Sendable {
    /// A shorter sleep is ignored. Two clocks that are read one after the other differ by less.
    static let shortestSleep = TimeSpan.seconds(2)
    /// A smaller change is ignored: adjtimex(2) slews the clock by less between two looks.
    static let smallestClockChange = TimeSpan.seconds(1)

    /// How long the machine had slept since its start, at the last look.
    private var slept: TimeSpan?
    /// What the wall clock showed at the machine's start, computed at the last look.
    private var bootDate: WallTime?

    /// Whether the clocks were read before.
    var haveLooked: Bool { slept != nil }

    mutating func look(at now: Moment) -> (slept: Bool, clockWasSet: Bool) {
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
