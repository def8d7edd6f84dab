// SPDX-License-Identifier: MIT
import CryptoCurrencyKit
import Testing

@Suite struct CivilDateTests {
    static let days: [(Int, String)] = [
        (0, "1970-01-01"), (-1, "1969-12-31"), (31, "1970-02-01"), (58, "1970-02-28"), (59, "1970-03-01"),
        (789, "1972-02-29"), (790, "1972-03-01"), (11_016, "2000-02-29"), (11_017, "2000-03-01"),
        (20_758, "2026-11-01"), (47_540, "2100-02-28"), (47_541, "2100-03-01"), (-719_162, "0001-01-01"),
        (2_932_896, "9999-12-31"),
    ]

    @Test(arguments: days) func aDayIsItsNumberAndItsText(number: Int, text: String) throws {
        #expect(CivilDate(daysSince1970: number).text == text)
        let date = try #require(CivilDate(text))
        #expect(date.daysSince1970 == number)
    }

    @Test func daysFollowEachOther() {
        for number in -150_000..<150_000 {
            let date = CivilDate(daysSince1970: number)
            if date.daysSince1970 != number || date >= CivilDate(daysSince1970: number + 1) {
                Issue.record("\(number) is \(date.text)")
            }
        }
    }

    static let notDays: [String] = [
        "", "2026", "2026-11-1", "2026-1-01", "26-11-01", "2026-13-01", "2026-00-01", "2026-11-00", "2026-11-31",
        "2026-02-29", "1900-02-29", "2026/11/01", "2026-11-01 ", " 2026-11-01", "+026-11-01", "2026-+1-01",
        "2026-11-0١", "0000-01-01", "2026-11-01T00:00", "today",
    ]

    @Test(arguments: notDays) func whatIsNoDayIsNil(text: String) {
        #expect(CivilDate(text) == nil)
    }

    static let moments: [(Int, String)] = [
        (0, "1970-01-01"), (-1, "1969-12-31"), (-86_400, "1969-12-31"), (-86_401, "1969-12-30"),
        (86_399, "1970-01-01"), (86_400, "1970-01-02"), (1_793_491_199, "2026-10-31"), (1_793_491_200, "2026-11-01"),
    ]

    @Test(arguments: moments) func aMomentIsInADayOfUTC(seconds: Int, text: String) {
        #expect(CivilDate(secondsSince1970: seconds).text == text)
    }
}
