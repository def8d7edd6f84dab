// SPDX-License-Identifier: MIT
import Glibc
import TodayKit

/// A day of the Gregorian calendar, kept as its number since 1970: what is due is due on a day, wherever its hours lie.
package struct CivilDay: Hashable, Sendable {
    /// 0 is the first of January 1970.
    package let number: Int

    /// From the first day of the year 1 to the last of the year 9999: what `text` can tell.
    private static let numbers = -719_162...2_932_896

    /// A number outside the calendar is its first or last day: a database that others write may have any.
    package init(number: Int) { self.number = min(max(number, Self.numbers.lowerBound), Self.numbers.upperBound) }

    /// Nil where the calendar has no such day.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        self.init(number: Self.number(year: year, month: month, day: day))
        // The thirtieth of February would be the second of March: what comes back tells.
        guard parts == (year, month, day) else { return nil }
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

    /// The day that it is here at a moment: the local one, which the time zone decides.
    package init(localAtSecondsSince1970 seconds: Int) {
        var time = time_t(seconds)
        var local = tm()
        localtime_r(&time, &local)
        self.init(
            number: Self.number(
                year: Int(local.tm_year) + 1_900, month: Int(local.tm_mon) + 1, day: Int(local.tm_mday)))
    }

    /// When it begins here, in seconds since 1970: at midnight, or later where a clock that is put forward skips that.
    package var localBeginning: Int {
        let (year, month, day) = parts
        var local = tm()
        local.tm_year = Int32(year - 1_900)
        local.tm_mon = Int32(month - 1)
        local.tm_mday = Int32(day)
        local.tm_isdst = -1
        var moment = Int(mktime(&local))
        // Of a midnight that does not exist mktime(3) may make one of the day before.
        while CivilDay(localAtSecondsSince1970: moment) < self { moment += 1_800 }
        return moment
    }

    /// The day that it is here now.
    package static var today: CivilDay { CivilDay(localAtSecondsSince1970: Timestamp.now.seconds) }

    package var parts: (year: Int, month: Int, day: Int) {
        // Counted from the first of March of the year 0, so that the leap day ends a year, in eras of 400 years.
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1
        )
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

    private static func number(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// `Int` would take a sign as well.
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
