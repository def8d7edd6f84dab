// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Spelling

/// A day of the Gregorian calendar. It has no time zone: the same day begins at different moments in different places.
public struct CivilDay: Hashable, Sendable, Strideable {
    /// The days since the first of January 1970.
    public let number: Int

    /// From the first day of the year 1 to the last day of the year 9999: the years that four digits can write.
    private static let numbers = -719_162...2_932_896
    private static let secondsPerDay = 86_400

    /// Makes a day of its number. A number outside the calendar becomes its first or last day, because a file that others
    /// write may have any number.
    public init(number: Int) { self.number = min(max(number, Self.numbers.lowerBound), Self.numbers.upperBound) }

    /// Makes a day of its parts. A month or a day past the end counts on: 31 February is 3 March, or 2 March in a leap year.
    public init(year: Int, month: Int, day: Int) {
        // More than the calendar has, and far from an overflow.
        func bounded(_ value: Int) -> Int { min(max(value, -4_000_000), 4_000_000) }
        // The year begins in March, so that a leap day is its last one.
        let months = bounded(year) * 12 + bounded(month) - 3
        let (years, monthOfYear) = Self.divided(months, by: 12)
        let (era, yearOfEra) = Self.divided(years, by: 400)
        let dayOfYear = (153 * monthOfYear + 2) / 5 + bounded(day) - 1
        self.init(number: era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468)
    }

    /// Reads a day that is written as `2026-11-21`. Nil for any other spelling, and for a day that the calendar does not have.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let isNumeric = parts.allSatisfy { $0.utf8.allSatisfy(\.isDigit) }
        guard isNumeric, parts.map(\.utf8.count) == [4, 2, 2], let year = Int(parts[0]), let month = Int(parts[1]),
            let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
        guard self.parts == (year, month, day) else { return nil }
    }

    /// The day of a moment in UTC.
    public init(utcAtSecondsSince1970 seconds: Int) {
        self.init(number: Self.divided(seconds, by: Self.secondsPerDay).quotient)
    }

    /// Year, month and day of the month.
    public var parts: (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = Self.divided(number + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    }

    /// The day as `2026-11-21`.
    public var text: String {
        let (year, month, day) = parts
        return "\(year.digits(4))-\(month.digits(2))-\(day.digits(2))"
    }

    /// The day of the week, from 0 for Monday to 6 for Sunday.
    public var weekday: Int { Self.divided(number + 3, by: 7).remainder }

    /// The day that is so many days later.
    public func advanced(by days: Int) -> CivilDay {
        let (sum, overflow) = number.addingReportingOverflow(days)
        return CivilDay(number: overflow ? days : sum)
    }

    /// The days until another day.
    public func distance(to other: CivilDay) -> Int { other.number - number }

    /// Whether one day is before the other.
    public static func < (left: CivilDay, right: CivilDay) -> Bool { left.number < right.number }

    /// Rounded down, so that the remainder is never negative.
    private static func divided(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

// MARK: - In the local time zone

extension CivilDay {
    /// The day of a moment in the time zone of this process.
    public init(local moment: Timestamp) {
        guard let local = tm(local: moment.seconds) else {
            self.init(utcAtSecondsSince1970: moment.seconds)
            return
        }
        self.init(year: Int(local.tm_year) + 1_900, month: Int(local.tm_mon) + 1, day: Int(local.tm_mday))
    }

    /// When the day begins in the time zone of this process: at midnight, or later where the clock is put forward at
    /// midnight.
    public var localBeginning: Timestamp {
        let (year, month, day) = parts
        var local = tm()
        (local.tm_year, local.tm_mon, local.tm_mday) = (Int32(year - 1_900), Int32(month - 1), Int32(day))
        local.tm_isdst = -1
        var moment = Timestamp(secondsSince1970: Int(mktime(&local)))
        // For a midnight that does not exist, mktime(3) may return a moment of the day before.
        while CivilDay(local: moment) < self { moment = moment + .seconds(1_800) }
        return moment
    }

    /// The present day in the time zone of this process.
    public static var today: CivilDay { CivilDay(local: .now) }
}
