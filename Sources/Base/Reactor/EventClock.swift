// SPDX-License-Identifier: MIT
import Glibc

/// The clocks that timers run on: clock_gettime(2).
package enum EventClock: Sendable, CaseIterable {
    /// Counts sleep as well: for intervals between updates.
    case boottime
    /// Stands still during sleep: for time-outs of something that runs.
    case monotonic
    /// The wall clock, which people and time servers set: for times of day.
    case realtime

    var identifier: clockid_t {
        switch self {
        case .boottime: CLOCK_BOOTTIME
        case .monotonic: CLOCK_MONOTONIC
        case .realtime: CLOCK_REALTIME
        }
    }

    /// Microseconds since the clock's beginning.
    var now: Int64 {
        var time = timespec()
        clock_gettime(identifier, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
