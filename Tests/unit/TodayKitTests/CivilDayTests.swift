// SPDX-License-Identifier: MIT
import Glibc
import Testing
import TodayKit

@Suite(.serialized) struct CivilDayTests {
    struct Known: Sendable {
        let number: Int
        let text: String
        init(_ number: Int, _ text: String) { (self.number, self.text) = (number, text) }
    }

    /// From `date --utc --date=TEXT +%s`, divided by 86,400.
    static let days: [Known] = [
        Known(0, "1970-01-01"), Known(-1, "1969-12-31"), Known(1, "1970-01-02"), Known(31, "1970-02-01"),
        Known(58, "1970-02-28"), Known(59, "1970-03-01"),
        Known(789, "1972-02-29"), Known(790, "1972-03-01"), Known(11_016, "2000-02-29"), Known(11_017, "2000-03-01"),
        Known(-25_508, "1900-03-01"), Known(-25_509, "1900-02-28"), Known(20_758, "2026-11-01"),
        Known(20_778, "2026-11-21"),
        Known(20_818, "2026-12-31"), Known(20_819, "2027-01-01"), Known(47_540, "2100-02-28"),
        Known(47_541, "2100-03-01"), Known(2_932_896, "9999-12-31"), Known(-719_162, "0001-01-01"),
    ]

    @Test(arguments: days) func aNumberIsADayAndBack(_ known: Known) {
        #expect(CivilDay(number: known.number).text == known.text)
        #expect(CivilDay(known.text)?.number == known.number)
    }

    static let outside: [Known] = [
        Known(.min, "0001-01-01"), Known(-719_163, "0001-01-01"), Known(2_932_897, "9999-12-31"),
        Known(.max, "9999-12-31"),
    ]

    @Test(arguments: outside) func aNumberOutsideTheCalendarIsItsFirstOrLastDay(_ known: Known) {
        #expect(CivilDay(number: known.number).text == known.text)
    }

    @Test func everyDayOfFourCenturiesFollowsTheOneBefore() {
        var last = CivilDay(number: -25_568).parts
        for number in -25_567...121_000 {
            let (year, month, day) = CivilDay(number: number).parts
            let isNext =
                (year, month, day) == (last.year, last.month, last.day + 1)
                || (day == 1 && (year, month) == (last.year, last.month + 1) && last.day >= 28)
                || ((year, month, day) == (last.year + 1, 1, 1) && (last.month, last.day) == (12, 31))
            if !isNext { Issue.record("\(number): \(last) is followed by \(year)-\(month)-\(day)") }
            if CivilDay(year: year, month: month, day: day).number != number { Issue.record("\(number)") }
            last = (year, month, day)
        }
    }

    struct Parts: Sendable {
        let year: Int
        let month: Int
        let day: Int
        let text: String
        init(_ year: Int, _ month: Int, _ day: Int, _ text: String) {
            (self.year, self.month, self.day, self.text) = (year, month, day, text)
        }
    }

    static let counted: [Parts] = [
        Parts(2026, 2, 31, "2026-03-03"), Parts(2028, 2, 31, "2028-03-02"), Parts(2026, 13, 1, "2027-01-01"),
        Parts(2026, 12, 32, "2027-01-01"), Parts(2026, 0, 1, "2025-12-01"), Parts(2026, 1, 0, "2025-12-31"),
        Parts(2026, -11, 1, "2025-01-01"), Parts(0, 1, 1, "0001-01-01"), Parts(.max, .max, .max, "9999-12-31"),
        Parts(.min, .min, .min, "0001-01-01"),
    ]

    @Test(arguments: counted) func partsPastTheEndCountOn(_ parts: Parts) {
        #expect(CivilDay(year: parts.year, month: parts.month, day: parts.day).text == parts.text)
    }

    @Test func daysAreCounted() {
        let day = CivilDay(number: 20_783)
        #expect(day.text == "2026-11-26" && day.weekday == 3)
        #expect(
            day.advanced(by: -3).weekday == 0 && day.advanced(by: 3).weekday == 6 && CivilDay(number: -4).weekday == 6)
        #expect(day.advanced(by: 5).text == "2026-12-01" && day.distance(to: day.advanced(by: -7)) == -7)
        #expect(day.advanced(by: .max).text == "9999-12-31" && day.advanced(by: .min).text == "0001-01-01")
        #expect(day < day.advanced(by: 1) && CivilDay("2026-11-26") == day)
    }

    static let mistakes: [String] = [
        "", "today", "2026-11-31", "2026-02-29", "2100-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "0000-01-01",
        "2026-1-1", "2026", "2026-11-1", "26-01-01", "1900-02-29", "2026-+1-01", "2026-11-0١", "2026-11-01T00:00",
        "2026/01/01", "2026-01-01 ", " 2026-01-01", "+026-01-01", "2026-01-0a", "２０２６-01-01",
        "20260101", "2026-01-011",
    ]

    @Test(arguments: mistakes) func whatIsNoDayIsNone(_ text: String) { #expect(CivilDay(text) == nil) }

    static let moments: [Known] = [
        Known(0, "1970-01-01"), Known(-1, "1969-12-31"), Known(-86_400, "1969-12-31"), Known(-86_401, "1969-12-30"),
        Known(86_399, "1970-01-01"), Known(86_400, "1970-01-02"), Known(1_793_491_199, "2026-10-31"),
        Known(1_793_491_200, "2026-11-01"), Known(.min, "0001-01-01"), Known(.max, "9999-12-31"),
    ]

    @Test(arguments: moments) func aMomentIsInADayOfUTC(_ known: Known) {
        #expect(CivilDay(utcAtSecondsSince1970: known.number).text == known.text)
    }

    @Test func todayIsTheLocalDay() {
        let before = getenv("TZ").map { String(cString: $0) }
        defer {
            if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
            tzset()
        }
        // 2026-11-21 23:30 in UTC.
        let moment = 20_778 * 86_400 + 84_600
        for (zone, text) in [
            ("UTC0", "2026-11-21"), ("CET-1", "2026-11-22"), ("EST5", "2026-11-21"), ("XXX-14", "2026-11-22"),
        ] {
            setenv("TZ", zone, 1)
            tzset()
            #expect(CivilDay(local: Timestamp(secondsSince1970: moment)).text == text, "\(zone)")
        }
        // On that day it also begins, and a second before it is the day before.
        for zone in [
            "UTC0", "CET-1CEST", "EST5EDT", "XXX-14", "<-03>3<-02>,M11.1.0/0,M2.3.0/0", "<+03>-3<+04>,J60/0,J300/0",
        ] {
            setenv("TZ", zone, 1)
            tzset()
            for number in 20_450..<20_850 {
                let day = CivilDay(number: number)
                #expect(CivilDay(local: day.localBeginning) == day, "\(zone) \(day.text)")
                #expect(CivilDay(local: day.localBeginning + .seconds(-1)).number == number - 1)
            }
        }
        setenv("TZ", "EST5", 1)
        tzset()
        #expect(CivilDay(local: Timestamp(secondsSince1970: 0)).text == "1969-12-31")
        #expect(CivilDay(local: Timestamp(secondsSince1970: .max)).text == "9999-12-31")
        #expect(CivilDay(local: Timestamp(secondsSince1970: .min)).text == "0001-01-01")
    }
}
