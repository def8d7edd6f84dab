// SPDX-License-Identifier: MIT
import Platform

/// A length of time in microseconds, the unit of systemd and sd-event.
package struct TimeSpan: Hashable, Sendable, Comparable {
    package let microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    package static let zero = TimeSpan(microseconds: 0)
    package static func milliseconds(_ count: Int64) -> TimeSpan { TimeSpan(microseconds: count * 1_000) }
    package static func seconds(_ count: Int64) -> TimeSpan { TimeSpan(microseconds: count * 1_000_000) }
    package static func minutes(_ count: Int64) -> TimeSpan { .seconds(count * 60) }
    package static func hours(_ count: Int64) -> TimeSpan { .seconds(count * 3_600) }
    package static func days(_ count: Int64) -> TimeSpan { .seconds(count * 86_400) }

    package static func < (left: TimeSpan, right: TimeSpan) -> Bool { left.microseconds < right.microseconds }
    package static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
        TimeSpan(microseconds: left.microseconds.saturatingAdd(right.microseconds))
    }
    package static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
        TimeSpan(microseconds: left.microseconds.saturatingSubtract(right.microseconds))
    }
    package static func * (left: TimeSpan, right: Int64) -> TimeSpan {
        let (product, overflow) = left.microseconds.multipliedReportingOverflow(by: right)
        return TimeSpan(microseconds: overflow ? .max : product)
    }
    package static func / (left: TimeSpan, right: Int64) -> TimeSpan {
        TimeSpan(microseconds: left.microseconds / right)
    }
}

/// A point in time on one of the three clocks. Each clock is a type, so that the compiler refuses to compare them.
package protocol PointInTime: Hashable, Sendable, Comparable {
    static var clock: SystemClock { get }
    var microseconds: Int64 { get }
    init(microseconds: Int64)
}

extension PointInTime {
    /// Only for the edges of the program: decisions get the time as a parameter.
    package static var now: Self { Self(microseconds: clock.microseconds) }

    package static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }
    package static func + (left: Self, right: TimeSpan) -> Self {
        Self(microseconds: left.microseconds.saturatingAdd(right.microseconds))
    }
    package static func - (left: Self, right: TimeSpan) -> Self {
        Self(microseconds: left.microseconds.saturatingSubtract(right.microseconds))
    }
    package static func - (left: Self, right: Self) -> TimeSpan {
        TimeSpan(microseconds: left.microseconds.saturatingSubtract(right.microseconds))
    }
}

/// Adds and subtracts without overflow. Files and clients supply times too, and an overflow would end the daemon.
extension Int64 {
    fileprivate func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    fileprivate func saturatingSubtract(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}

/// CLOCK_BOOTTIME, which advances while the machine sleeps. The daemon measures intervals on it.
package struct BootTime: PointInTime {
    package static let clock = SystemClock.boottime
    package let microseconds: Int64
    package init(microseconds: Int64) { self.microseconds = microseconds }
}

/// CLOCK_MONOTONIC, which stops while the machine sleeps. The daemon measures staleness on it.
package struct AwakeTime: PointInTime {
    package static let clock = SystemClock.monotonic
    package let microseconds: Int64
    package init(microseconds: Int64) { self.microseconds = microseconds }
}

/// CLOCK_REALTIME, since 1970. People read it, and it survives a reboot. It may jump.
package struct WallTime: PointInTime {
    package static let clock = SystemClock.realtime
    package let microseconds: Int64
    package init(microseconds: Int64) { self.microseconds = microseconds }
}

/// The three clocks at one moment. `boot` decides what is due, `awake` what is stale. Dates from widgets and people are
/// on `wall`, which may jump.
package struct Moment: Hashable, Sendable {
    package var boot: BootTime
    package var awake: AwakeTime
    package var wall: WallTime

    package init(boot: BootTime, awake: AwakeTime, wall: WallTime) {
        self.boot = boot
        self.awake = awake
        self.wall = wall
    }

    /// How long the machine has slept since it booted.
    package var slept: TimeSpan { TimeSpan(microseconds: boot.microseconds - awake.microseconds) }

    /// The wall clock's time at `time`, as the clocks are now.
    package func wall(at time: BootTime) -> WallTime { wall + (time - boot) }

    /// When the wall clock will show `date`, unless it is set.
    package func boot(at date: WallTime) -> BootTime { boot + (date - wall) }

    /// When the awake clock will show `time`, if the machine does not sleep. Sleep only makes it later.
    package func boot(at time: AwakeTime) -> BootTime { boot + (time - awake) }
}

extension TimeSpan {
    /// The units of systemd.time(7). A number without a unit is in seconds.
    private static let units: [String: Int64] = [
        "usec": 1, "us": 1, "µs": 1, "msec": 1_000, "ms": 1_000,
        "seconds": 1_000_000, "second": 1_000_000, "sec": 1_000_000, "s": 1_000_000, "": 1_000_000,
        "minutes": 60_000_000, "minute": 60_000_000, "min": 60_000_000, "m": 60_000_000,
        "hours": 3_600_000_000, "hour": 3_600_000_000, "hr": 3_600_000_000, "h": 3_600_000_000,
        "days": 86_400_000_000, "day": 86_400_000_000, "d": 86_400_000_000,
        "weeks": 604_800_000_000, "week": 604_800_000_000, "w": 604_800_000_000,
    ]

    /// Reads `1min 30s`, `5m`, `1.5h` or `90` like systemd.time(7). Nil for other texts and for more than a century.
    package init?(_ text: String) {
        var rest = text[...]
        var total = 0.0
        var parts = 0
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            if rest.isEmpty { break }
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard let value = Double(number), number.first != ".", number.last != "." else { return nil }
            rest = rest.dropFirst(number.count).drop { $0 == " " }
            let name = rest.prefix { $0.isLetter }
            guard let unit = Self.units[String(name)] else { return nil }
            rest = rest.dropFirst(name.count)
            total += value * Double(unit)
            parts += 1
        }
        guard parts > 0, total <= 3.2e15 else { return nil }
        self.init(microseconds: Int64(total.rounded()))
    }

    /// The two largest units, as systemd writes them: `1min 30s`, `2h`, `250ms`.
    package var text: String {
        if microseconds == 0 { return "0" }
        let names: [(UInt64, String)] = [
            (604_800_000_000, "w"), (86_400_000_000, "d"), (3_600_000_000, "h"), (60_000_000, "min"),
            (1_000_000, "s"), (1_000, "ms"), (1, "us"),
        ]
        var rest = microseconds.magnitude
        var parts: [String] = []
        for (size, name) in names where rest >= size {
            parts.append("\(rest / size)\(name)")
            rest %= size
            if parts.count == 2 { break }
        }
        return (microseconds < 0 ? "-" : "") + parts.joined(separator: " ")
    }
}

extension Moment {
    /// A look at the three clocks of this machine.
    package static var now: Moment { Moment(boot: .now, awake: .now, wall: .now) }
}
