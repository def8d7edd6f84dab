// SPDX-License-Identifier: MIT

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
    var microseconds: Int64 { get }
    init(microseconds: Int64)
}

extension PointInTime {
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

/// Times come from files and clients too, and an overflow would end the daemon: the end of time is far enough.
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

/// CLOCK_BOOTTIME: goes on while the machine sleeps. Intervals are measured on it.
package struct BootTime: PointInTime {
    package let microseconds: Int64
    package init(microseconds: Int64) { self.microseconds = microseconds }
}

/// CLOCK_MONOTONIC: stands still while the machine sleeps. Staleness is measured on it.
package struct AwakeTime: PointInTime {
    package let microseconds: Int64
    package init(microseconds: Int64) { self.microseconds = microseconds }
}

/// CLOCK_REALTIME, since 1970: what people read and what survives a reboot. It may jump.
package struct WallTime: PointInTime {
    package let microseconds: Int64
    package init(microseconds: Int64) { self.microseconds = microseconds }
}
