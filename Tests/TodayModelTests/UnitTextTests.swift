// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@Suite struct UnitTextTests {
    @Test(
        arguments: [
            ("90", 90_000_000), ("90s", 90_000_000), ("1min 30s", 90_000_000), ("1min30s", 90_000_000),
            ("1.5h", 5_400_000_000), ("250ms", 250_000), ("2d", 172_800_000_000), ("1w", 604_800_000_000), ("0", 0),
            (" 5 min ", 300_000_000),
        ] as [(String, Int64)])
    func readsTimeSpansAsSystemdDoes(_ text: String, _ microseconds: Int64) {
        #expect(TimeSpan(text) == TimeSpan(microseconds: microseconds))
    }

    @Test(arguments: ["", " ", "min", "5x", "-5s", "5..5s", ".5s", "5.", "1e9", "99999999999w", "5min now", "٥s"])
    func refusesWhatIsNoTimeSpan(_ text: String) {
        #expect(TimeSpan(text) == nil)
    }

    @Test(arguments: [
        (TimeSpan.seconds(90), "1min 30s"), (.zero, "0"), (.milliseconds(250), "250ms"), (.hours(26), "1d 2h"),
        (.seconds(3_661), "1h 1min"), (.seconds(10), "10s"),
    ])
    func writesTimeSpansAsSystemdDoes(_ span: TimeSpan, _ text: String) {
        #expect(span.text == text)
    }

    @Test(
        arguments: [
            ("64M", 67_108_864), ("1K", 1_024), ("1048576", 1_048_576), ("1G", 1_073_741_824), ("0", 0), ("10B", 10),
        ] as [(String, UInt64)])
    func readsSizesAsSystemdDoes(_ text: String, _ bytes: UInt64) {
        #expect(ByteSize(text)?.bytes == bytes)
    }

    @Test(arguments: ["", "M", "-1M", "1.5M", "64MB", "64m", "99999999999999999999", "9999999999T"])
    func refusesWhatIsNoSize(_ text: String) {
        #expect(ByteSize(text) == nil)
    }

    @Test func writesSizesInTheLargestExactUnit() {
        #expect(ByteSize(bytes: 64 << 20).text == "64M")
        #expect(ByteSize(bytes: 1_536 << 10).text == "1536K")
        #expect(ByteSize(bytes: 1_000).text == "1000")
        #expect(ByteSize(bytes: 0).text == "0")
    }
}

@Suite struct TimeTests {
    @Test func timesBeyondTheEndOfTimeStopThere() {
        let late = WallTime(microseconds: .max - 5)
        #expect((late + .hours(1)).microseconds == .max)
        #expect((WallTime(microseconds: .min) - .hours(1)).microseconds == .min)
        #expect((TimeSpan.days(1) * .max).microseconds == .max)
        #expect(TimeSpan(microseconds: .min).text.hasPrefix("-"))
    }
}
