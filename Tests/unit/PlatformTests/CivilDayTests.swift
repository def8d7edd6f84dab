// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Testing

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
            if CivilDay(year: year, month: month, day: day)?.number != number { Issue.record("\(number)") }
            last = (year, month, day)
        }
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
            #expect(CivilDay(localAtSecondsSince1970: moment).text == text, "\(zone)")
        }
        // On that day it also begins, and a second before it is the day before.
        for zone in [
            "UTC0", "CET-1CEST", "EST5EDT", "XXX-14", "<-03>3<-02>,M11.1.0/0,M2.3.0/0", "<+03>-3<+04>,J60/0,J300/0",
        ] {
            setenv("TZ", zone, 1)
            tzset()
            for number in 20_450..<20_850 {
                let day = CivilDay(number: number)
                #expect(CivilDay(localAtSecondsSince1970: day.localBeginning) == day, "\(zone) \(day.text)")
                #expect(CivilDay(localAtSecondsSince1970: day.localBeginning - 1).number == number - 1)
            }
        }
        setenv("TZ", "EST5", 1)
        tzset()
        #expect(CivilDay(localAtSecondsSince1970: 0).text == "1969-12-31")
        #expect(CivilDay(localAtSecondsSince1970: .max).text == "9999-12-31")
        #expect(CivilDay(localAtSecondsSince1970: .min).text == "0001-01-01")
    }
}
