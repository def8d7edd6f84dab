// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Testing

@Suite struct SystemClockTests {
    @Test(arguments: SystemClock.allCases) func aClockCountsInThreeUnits(clock: SystemClock) {
        let before = (clock.nanoseconds, clock.microseconds, clock.seconds)
        usleep(2_000)
        let after = clock.nanoseconds
        #expect((2_000_000..<10_000_000_000).contains(after - before.0))
        #expect((0...after / 1_000 - before.0 / 1_000).contains(before.1 - before.0 / 1_000))
        #expect((0...1).contains(before.2 - Int(before.0 / 1_000_000_000)))
    }

    /// Changes of /etc/localtime are noticed in the same way.
    @Test func theTimeZoneMayChange() {
        let before = getenv("TZ").map { String(cString: $0) }
        defer {
            if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
            tzset()
        }
        for (zone, hour) in [("UTC0", 0), ("JST-9", 9)] {
            setenv("TZ", zone, 1)
            #expect(tm(local: 0)?.tm_hour == Int32(hour))
        }
        #expect(tm(local: .max) == nil)
    }

    @Test func theWallClockIsThatOfTheCLibrary() {
        #expect(abs(SystemClock.realtime.seconds - time(nil)) <= 1)
    }
}
