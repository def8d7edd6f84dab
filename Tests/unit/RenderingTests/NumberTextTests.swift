// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Rendering

@Suite struct NumberTextTests {
    @Test(
        arguments: [
            (0, "0"), (0.25, "0.25"), (-0.25, "-0.25"), (1.5, "1.5"), (42.13, "42.1"), (999.6, "1000"), (9_999, "9999"),
            (67_234, "67.2k"), (999_500, "1M"), (999_999, "1M"), (-1_500_000, "-1.5M"), (3e9, "3G"), (.infinity, "-"),
            (0.001, "0"),
        ] as [(Double, String)])
    func numbersAreShort(value: Double, text: String) {
        #expect(NumberText.short(value) == text)
    }

    @Test(
        arguments: [
            (0.004, "1%"), (0, "0%"), (0.5, "50%"), (0.996, "99%"), (1, "100%"), (2, "100%"), (-3, "0%"), (.nan, "-"),
        ] as [(Double, String)])
    func percentageIsHonestAtItsEnds(value: Double, text: String) {
        #expect(NumberText.percentage(value) == text)
    }

    @Test(
        arguments: [
            (0, "now"), (59, "now"), (60, "1 min"), (3_599, "59 min"), (7_200, "2 h"), (86_399, "23 h"),
            (432_000, "5 d"),
            (-5, "now"), (-3_600, "in the future"),
        ] as [(Int64, String)])
    func ageIsRoughAndNeverExaggerated(seconds: Int64, text: String) {
        #expect(TimeSpan.seconds(seconds).age == text)
    }

    @Test(
        arguments: [
            (417, "0 ms"), (28_447, "28 ms"), (999_999, "999 ms"), (1_234_567, "1.2 s"), (59_000_000, "59 s"),
            (90_000_000, "1 min 30 s"), (3_600_000_000, "60 min"), (-1, "0 ms"),
        ] as [(Int64, String)])
    func durationIsAsPreciseAsIsOfUse(microseconds: Int64, text: String) {
        #expect(TimeSpan(microseconds: microseconds).duration == text)
    }
}
