// SPDX-License-Identifier: MIT

import Glibc
import TodayModel

/// The time of day in the time zone of the user.
package struct ClockTime: CustomStringConvertible {
    package let hour: Int
    package let minute: Int
    package let second: Int

    /// Uses localtime_r(3), which reads the file of the time zone.
    package init(_ time: WallTime) {
        var seconds = time_t(time.microseconds / 1_000_000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        self.init(hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
    }

    package init(hour: Int, minute: Int, second: Int) {
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    package var description: String {
        [hour, minute, second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
