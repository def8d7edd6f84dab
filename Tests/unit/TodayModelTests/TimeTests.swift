// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@Suite struct TimeTests {
    @Test func timesBeyondTheEndOfTimeStopThere() {
        let late = WallTime(microseconds: .max - 5)
        #expect((late + .hours(1)).microseconds == .max)
        #expect((late - .hours(-1)).microseconds == .max)
        #expect((WallTime(microseconds: .min) - .hours(1)).microseconds == .min)
        #expect((WallTime(microseconds: .min) + .hours(-1)).microseconds == .min)
        #expect((WallTime(microseconds: .min) - WallTime(microseconds: 1)).microseconds == .min)
        #expect((TimeSpan.days(1) * .max).microseconds == .max)
        #expect((TimeSpan(microseconds: .max) + .zero + TimeSpan(microseconds: 1)).microseconds == .max)
        #expect((TimeSpan(microseconds: .min) - TimeSpan(microseconds: 1)).microseconds == .min)
        #expect(TimeSpan(microseconds: .min).text.hasPrefix("-"))
    }

    @Test func spansAreOfMicroseconds() {
        let spans: [TimeSpan] = [.zero, .milliseconds(2), .seconds(2), .minutes(2), .hours(2), .days(2)]
        #expect(spans.map(\.microseconds) == [0, 2_000, 2_000_000, 120_000_000, 7_200_000_000, 172_800_000_000])
        #expect(spans.sorted { $0 > $1 } == spans.reversed())
        #expect(!(TimeSpan.seconds(1) < .milliseconds(1_000)))
        #expect(TimeSpan.seconds(3) + .seconds(2) == .seconds(5) && TimeSpan.seconds(3) - .seconds(2) == .seconds(1))
        #expect(TimeSpan.seconds(3) * 2 == .seconds(6) && TimeSpan.seconds(3) / 2 == .milliseconds(1_500))
    }

    /// The machine has slept for ten seconds, and the wall clock shows 1,000.
    @Test func momentsTranslateFromClockToClock() {
        let now = Moment(
            boot: BootTime(microseconds: 70), awake: AwakeTime(microseconds: 60), wall: WallTime(microseconds: 1_000))
        #expect(now.slept.microseconds == 10)
        #expect(now.wall(at: BootTime(microseconds: 75)).microseconds == 1_005)
        #expect(now.boot(at: WallTime(microseconds: 990)).microseconds == 60)
        #expect(now.boot(at: AwakeTime(microseconds: 62)).microseconds == 72)
    }

    static let dates: [(text: String, microseconds: Int64?)] = [
        ("1970-01-01T00:00:00+01:00", -3_600_000_000), ("2023-11-14T23:59:59.999999Z", 1_700_006_399_999_999),
        ("2023-11-14T22:13:20.1234Z", 1_700_000_000_123_400), ("2023-11-14T22:13:20.1234567Z", 1_700_000_000_123_456),
        ("2023-11-15T22:12:20+23:59", 1_700_000_000_000_000), ("2023-11-14T22:13:20+24:00", nil),
        ("2023-11-14T22:13:20+00:60", nil), ("2023-11-14T22:13:20+0060", nil), ("2023-11-14T22:13:20,5Z", nil),
        ("2023-00-14T22:13:20Z", nil), ("2023-11-00T22:13:20Z", nil), ("2023-1-14T22:13:20Z", nil),
        ("2023-11-14T22:13:2Z", nil), ("2023-11-14T22:13:20+1:00", nil), ("2o23-11-14T22:13:20Z", nil),
        ("2023/11-14T22:13:20Z", nil), ("2023-11/14T22:13:20Z", nil), ("2023-11-14x22:13:20Z", nil),
        ("2023-11-14T22.13:20Z", nil), ("2023-11-14T22:13.20Z", nil), ("2023-11-14T22:13:20", nil),
        ("2023-11-14T22:13:2:Z", nil), ("2023-11-14T22:13:2/Z", nil), ("2023-11-14T22:13:09Z", 1_699_999_989_000_000),
        ("1970-01-01T00:00:00.5Z", 500_000), ("2023-11-14T22:13:20+01", nil), ("2023-11-14T22:13:20Zx", nil),
    ]

    @Test(arguments: dates) func datesAreOfTheCalendar(text: String, microseconds: Int64?) {
        #expect(WallTime(rfc3339: text)?.microseconds == microseconds)
    }
}
