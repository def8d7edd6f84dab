// SPDX-License-Identifier: MIT
import Glibc
import TodayModel

/// The time of day in the time zone of the user.
struct ClockTime: CustomStringConvertible {
    let hour: Int
    let minute: Int
    let second: Int

    /// Uses localtime_r(3), which reads the file of the time zone.
    init(_ time: WallTime) {
        var seconds = time_t(time.microseconds / 1_000_000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        self.init(hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
    }

    init(hour: Int, minute: Int, second: Int) {
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    var description: String {
        [hour, minute, second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
