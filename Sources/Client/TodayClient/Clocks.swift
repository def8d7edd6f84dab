// SPDX-License-Identifier: MIT

import Glibc
import TodayModel

extension WallTime {
    /// What people's clocks say.
    static var now: WallTime { WallTime(microseconds: readClock(CLOCK_REALTIME)) }
}

extension AwakeTime {
    /// For how long something takes: this clock is never set, clock_gettime(2).
    static var now: AwakeTime { AwakeTime(microseconds: readClock(CLOCK_MONOTONIC)) }
}

private func readClock(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
}
