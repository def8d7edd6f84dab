// SPDX-License-Identifier: MIT
import Glibc

/// The clocks of the kernel: clock_gettime(2).
package enum SystemClock: Sendable, CaseIterable {
    /// Counts while the machine sleeps: for intervals between updates.
    case boottime
    /// Stops while the machine sleeps: for time-outs of a running process.
    case monotonic
    /// The wall clock, which people and time servers set: for dates and times of day.
    case realtime

    package var identifier: clockid_t {
        switch self {
        case .boottime: CLOCK_BOOTTIME
        case .monotonic: CLOCK_MONOTONIC
        case .realtime: CLOCK_REALTIME
        }
    }

    /// Nanoseconds since the clock's beginning. Int64 holds 292 years of them.
    package var nanoseconds: Int64 {
        var time = timespec()
        clock_gettime(identifier, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    package var microseconds: Int64 { nanoseconds / 1_000 }
    package var seconds: Int { Int(nanoseconds / 1_000_000_000) }
}
