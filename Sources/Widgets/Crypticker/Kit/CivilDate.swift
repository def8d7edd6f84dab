// SPDX-License-Identifier: MIT

/// A day of the Gregorian calendar, which is its number since 1970 written for people. No time zone and no locale: the days
/// of a price history are those of UTC, on every machine the same.
package struct CivilDate: Hashable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int

    /// The day with this number; 0 is the first of January 1970.
    package init(daysSince1970 days: Int) {
        // Counted from the first of March of the year 0, so that the leap day ends a year, in eras of 400 years.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The day of a moment, in UTC.
    package init(secondsSince1970 seconds: Int) {
        let days = seconds / 86_400
        self.init(daysSince1970: seconds % 86_400 < 0 ? days - 1 : days)
    }

    /// A day as `2026-11-01`, and in no other spelling; nil also where the calendar has no such day.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10]), year >= 1, (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        // The thirtieth of February is the second of March: what comes back tells.
        self.init(daysSince1970: Self.days(year: year, month: month, day: day))
        guard self.year == year, self.month == month, self.day == day else { return nil }
    }

    package var daysSince1970: Int { Self.days(year: year, month: month, day: day) }

    /// `2026-11-01`.
    package var text: String {
        let parts = [(year, 4), (month, 2), (day, 2)].map { number, width in
            let digits = "\(number)"
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        return parts.joined(separator: "-")
    }

    private static func days(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Digits only: `Int` takes a sign, too.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}

extension CivilDate: Comparable {
    package static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}
