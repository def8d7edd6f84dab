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

    @Test(
        arguments: [
            (["usec", "us", "µs"], 1), (["msec", "ms"], 1_000), (["seconds", "second", "sec", "s", ""], 1_000_000),
            (["minutes", "minute", "min", "m"], 60_000_000), (["hours", "hour", "hr", "h"], 3_600_000_000),
            (["days", "day", "d"], 86_400_000_000), (["weeks", "week", "w"], 604_800_000_000),
        ] as [([String], Int64)])
    func unitsAreSystemds(names: [String], microseconds: Int64) {
        for name in names {
            #expect(TimeSpan("3\(name)")?.microseconds == 3 * microseconds, "\(name)")
            #expect(TimeSpan("1 \(name) 1us")?.microseconds == microseconds + 1, "\(name)")
        }
    }

    @Test(
        arguments: [
            ("1min\t30s", 90_000_000), ("5\tmin", nil), ("0.5us", 1), ("1.4us", 1), ("1h 1h", 7_200_000_000),
            ("3200000000s", 3_200_000_000_000_000), ("3200000001s", nil), ("1 2", 3_000_000),
        ] as [(String, Int64?)])
    func timeSpansEndAtACenturyAndAreRounded(text: String, microseconds: Int64?) {
        #expect(TimeSpan(text)?.microseconds == microseconds)
    }

    @Test(
        arguments: [
            (1, "1us"), (999, "999us"), (1_000, "1ms"), (1_001, "1ms 1us"), (999_999, "999ms 999us"),
            (1_000_000, "1s"), (60_000_000, "1min"), (3_605_000_000, "1h 5s"), (3_661_000_001, "1h 1min"),
            (86_400_000_000, "1d"), (604_800_000_000, "1w"), (691_200_000_000, "1w 1d"), (-90_000_000, "-1min 30s"),
        ] as [(Int64, String)])
    func theTwoLargestUnitsAreWritten(microseconds: Int64, text: String) {
        #expect(TimeSpan(microseconds: microseconds).text == text)
    }

    @Test(
        arguments: [
            ("2T", 2_199_023_255_552), ("8388607T", 9_223_370_937_343_148_032), ("8388608T", nil),
            ("9223372036854775807", 9_223_372_036_854_775_807), ("9223372036854775808", nil), ("٣M", nil),
        ] as [(String, UInt64?)])
    func aSizeFitsIntoWhatFilesCanHave(text: String, bytes: UInt64?) {
        #expect(ByteSize(text)?.bytes == bytes)
    }

    @Test(
        arguments: [
            (1 << 40, "1T"), (1 << 30, "1G"), (3 << 29, "1536M"), (1 << 20, "1M"), (1_024, "1K"), (1_025, "1025"),
            (512, "512"),
        ] as [(UInt64, String)])
    func aSizeIsWrittenExactly(bytes: UInt64, text: String) {
        #expect(ByteSize(bytes: bytes).text == text)
        #expect(ByteSize(text)?.bytes == bytes)
    }

    @Test func sizesHaveAnOrder() {
        #expect(ByteSize(bytes: 1) < ByteSize(bytes: 2))
        #expect(!(ByteSize(bytes: 2) < ByteSize(bytes: 2)) && !(ByteSize(bytes: 3) < ByteSize(bytes: 2)))
    }
}
