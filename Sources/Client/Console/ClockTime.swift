// SPDX-License-Identifier: MIT
import Glibc
import Platform
import TodayModel

/// The time of day in the time zone of the user.
package struct ClockTime: CustomStringConvertible {
    package let hour: Int
    package let minute: Int
    package let second: Int
    /// `Monday 23 November`; nil if only the time is known.
    package private(set) var day: String?

    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    package init(_ time: WallTime) {
        let parts = tm(local: Int(time.microseconds / 1_000_000)) ?? tm()
        self.init(hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
        day = "\(Self.weekdays[Int(parts.tm_wday)]) \(parts.tm_mday) \(Self.months[Int(parts.tm_mon)])"
    }

    package init(hour: Int, minute: Int, second: Int) {
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    package var description: String { [hour, minute, second].map(Self.digits).joined(separator: ":") }

    /// Without the seconds.
    package var short: String { [hour, minute].map(Self.digits).joined(separator: ":") }

    private static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
