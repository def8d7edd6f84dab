// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing

struct ClockChangeSourceTests {
    init() { TestLoop.start() }

    /// Sets the clock to what it shows; false where this process may not.
    private static func touchClock() -> Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return clock_settime(CLOCK_REALTIME, &now) == 0
    }

    @Test @LoopActor func everySettingOfTheClockIsTold() async throws {
        let changes = Arrivals<Void>("change of the clock")
        let source = try ClockChangeSource { changes.send() }
        // Without the right to set the clock there is only to see that nothing is told.
        for _ in 0..<3 where Self.touchClock() { try await changes.next() }
        withExtendedLifetime(source) {}
    }
}
