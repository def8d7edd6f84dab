// SPDX-License-Identifier: MIT
import Glibc
import Platform
import TodayModel

/// A date and time in whole seconds, with text for people in the local time zone. It needs no Foundation.
public struct Timestamp: Hashable, Sendable, Comparable {
    /// The seconds since 1970, in UTC.
    public let seconds: Int

    /// Makes a timestamp of the seconds since 1970.
    public init(secondsSince1970 seconds: Int) { self.seconds = seconds }

    /// The current time.
    public static var now: Timestamp {
        Timestamp(secondsSince1970: SystemClock.realtime.seconds)
    }

    /// The time as text, in the local time zone.
    ///
    /// - Parameter format: a format of strftime(3), such as `%A, %e %B` or `%H:%M`.
    public func text(_ format: String) -> String {
        guard !format.isEmpty, var parts = tm(local: seconds) else { return "" }
        var buffer = [CChar](repeating: 0, count: 1_024)
        let length = strftime(&buffer, buffer.count, format, &parts)
        return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Adds the whole seconds of a duration. A sum that overflows becomes the first or the last timestamp.
    public static func + (timestamp: Timestamp, duration: Duration) -> Timestamp {
        let seconds = duration.components.seconds
        let (sum, overflow) = timestamp.seconds.addingReportingOverflow(Int(seconds))
        return Timestamp(secondsSince1970: overflow ? (seconds < 0 ? .min : .max) : sum)
    }

    /// Whether one timestamp is before the other.
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.seconds < right.seconds }
}

extension Timestamp {
    /// A timestamp beyond the range of WallTime becomes its end, which content refuses.
    var wallTime: WallTime { WallTime(microseconds: 0) + TimeSpan(microseconds: Int64(seconds)) * 1_000_000 }
}

extension TimeSpan {
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let whole = TimeSpan(microseconds: seconds) * 1_000_000
        self = whole + TimeSpan(microseconds: attoseconds / 1_000_000_000_000)
    }
}
