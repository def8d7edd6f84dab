// SPDX-License-Identifier: MIT
import Glibc
import TodayModel

/// A moment for people to read, in the local time zone, without all of Foundation.
public struct Timestamp: Hashable, Sendable, Comparable {
    /// Since 1970.
    public let seconds: Int

    /// A moment by the seconds since 1970.
    public init(secondsSince1970 seconds: Int) { self.seconds = seconds }

    /// This moment.
    public static var now: Timestamp {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Timestamp(secondsSince1970: now.tv_sec)
    }

    /// The moment in words, in the local time zone.
    ///
    /// - Parameter format: as of strftime(3), such as `%A, %e %B` or `%H:%M`.
    public func text(_ format: String) -> String {
        var time = time_t(seconds)
        var parts = tm()
        guard !format.isEmpty, localtime_r(&time, &parts) != nil else { return "" }
        var buffer = [CChar](repeating: 0, count: 1_024)
        let length = strftime(&buffer, buffer.count, format, &parts)
        return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A moment later; parts of a second do not count. Beyond the end of time it is the end.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        let seconds = duration.components.seconds
        let (sum, overflow) = moment.seconds.addingReportingOverflow(Int(seconds))
        return Timestamp(secondsSince1970: overflow ? (seconds < 0 ? .min : .max) : sum)
    }

    /// Whether one moment is before the other.
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.seconds < right.seconds }
}

extension Timestamp {
    /// The end of time for what is beyond it, which no content takes.
    var wallTime: WallTime { WallTime(microseconds: 0) + TimeSpan(microseconds: Int64(seconds)) * 1_000_000 }
}

extension TimeSpan {
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let whole = TimeSpan(microseconds: seconds) * 1_000_000
        self = whole + TimeSpan(microseconds: attoseconds / 1_000_000_000_000)
    }
}
