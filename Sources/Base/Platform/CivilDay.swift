// SPDX-License-Identifier: MIT
import Glibc

/// A day of the Gregorian calendar, kept as its number since 1970. It has no time zone: the same day begins at different
/// moments in different places.
package struct CivilDay: Hashable, Sendable {
    /// 0 is the first of January 1970.
    package let number: Int

    /// From the first day of the year 1 to the last day of the year 9999: the years that four digits can write.
    private static let numbers = -719_162...2_932_896
    private static let secondsPerDay = 86_400

    /// A number outside the calendar becomes its first or last day, because a file that others write may have any number.
    package init(number: Int) { self.number = min(max(number, Self.numbers.lowerBound), Self.numbers.upperBound) }

    /// Nil where the calendar has no such day.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        var fields = tm(year: year, month: month, day: day)
        number = timegm(&fields) / Self.secondsPerDay
        // timegm(3) makes the second of March of a thirtieth of February.
        guard fields.parts == (year, month, day) else { return nil }
    }

    /// A day as `2026-11-21`, and in no other spelling.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = Self.digits(bytes[0..<4]), let month = Self.digits(bytes[5..<7]),
            let day = Self.digits(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The day of a moment in UTC.
    package init(utcAtSecondsSince1970 seconds: Int) {
        let days = seconds / Self.secondsPerDay
        self.init(number: seconds % Self.secondsPerDay < 0 ? days - 1 : days)
    }

    package var parts: (year: Int, month: Int, day: Int) {
        var seconds = time_t(number * Self.secondsPerDay)
        var fields = tm()
        gmtime_r(&seconds, &fields)
        return fields.parts
    }

    /// `2026-11-21`.
    package var text: String {
        let (year, month, day) = parts
        return [(year, 4), (month, 2), (day, 2)].map { number, width in
            let digits = "\(number)"
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        .joined(separator: "-")
    }

    /// `Int` would accept a sign as well.
    private static func digits(_ bytes: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for byte in bytes {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return value
    }
}

extension CivilDay: Comparable {
    package static func < (left: CivilDay, right: CivilDay) -> Bool { left.number < right.number }
}

// MARK: - In the local time zone

extension CivilDay {
    /// The day of a moment in the time zone of this process: localtime_r(3).
    package init(localAtSecondsSince1970 seconds: Int) {
        var time = time_t(seconds)
        var local = tm()
        localtime_r(&time, &local)
        // The calendar's first or last day for a year that it does not have.
        let (year, month, day) = local.parts
        self = CivilDay(year: year, month: month, day: day) ?? CivilDay(utcAtSecondsSince1970: seconds)
    }

    /// When the day begins in the time zone of this process, in seconds since 1970: at midnight, or later where the clock
    /// is put forward at midnight.
    package var localBeginning: Int {
        let (year, month, day) = parts
        var local = tm(year: year, month: month, day: day)
        local.tm_isdst = -1
        var moment = Int(mktime(&local))
        // For a midnight that does not exist, mktime(3) may return a moment of the day before.
        while CivilDay(localAtSecondsSince1970: moment) < self { moment += 1_800 }
        return moment
    }

    package static var today: CivilDay { CivilDay(localAtSecondsSince1970: SystemClock.realtime.seconds) }
}

extension tm {
    fileprivate init(year: Int, month: Int, day: Int) {
        self.init()
        tm_year = Int32(year - 1_900)
        tm_mon = Int32(month - 1)
        tm_mday = Int32(day)
    }

    fileprivate var parts: (year: Int, month: Int, day: Int) {
        (Int(tm_year) + 1_900, Int(tm_mon) + 1, Int(tm_mday))
    }
}
