// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Reactor
import TestSupport
import Testing

@Suite struct TimerSourceTests {
    init() { TestLoop.start() }

    @Test(arguments: SystemClock.allCases)
    @LoopActor func aTimerFiresWhenItsTimeHasCome(clock: SystemClock) async throws {
        let arrivals = Arrivals<Int64>("timer")
        let timer = try TimerSource(clock) { arrivals.send(EventLoop.now(clock)) }
        let due = EventLoop.now(clock) + 20_000
        timer.arm(at: due, slack: 1)
        #expect(try await arrivals.next() >= due)
        timer.cancel()
    }

    @Test @LoopActor func aTimeInThePastFiresAtOnce() async throws {
        let arrivals = Arrivals<Void>("timer")
        let timer = try TimerSource(.monotonic) { arrivals.send() }
        timer.arm(at: -1)
        try await arrivals.next()
        timer.arm(after: -1)
        try await arrivals.next()
    }

    /// The wake-up that they share may lie between their times, so that it is tried again.
    @Test @LoopActor func timersThatMayBeLateShareAWakeUp() async throws {
        let arrivals = Arrivals<Int64>("timer")
        let timers = try (0..<3).map { _ in try TimerSource(.monotonic) { arrivals.send(EventLoop.now(.monotonic)) } }
        var haveShared = false
        for _ in 0..<5 where !haveShared {
            let now = EventLoop.now(.monotonic)
            for (index, timer) in timers.enumerated() { timer.arm(at: now + 2_000 * Int64(index + 1), slack: 300_000) }
            haveShared = try await arrivals.next() >= now + 6_000
            for _ in timers.dropFirst() { _ = try await arrivals.next() }
        }
        #expect(haveShared)
    }

    @Test @LoopActor func aTimerFiresOncePerArming() async throws {
        let arrivals = Arrivals<Void>("timer")
        let timer = try TimerSource(.monotonic) { arrivals.send() }
        timer.arm(after: 0, slack: 1)
        try await arrivals.next()
        try await turns(3)
        #expect(arrivals.taken().count == 0)
        timer.arm(after: 0, slack: 1)
        try await arrivals.next()
    }

    @Test @LoopActor func theLastArmingCounts() async throws {
        let arrivals = Arrivals<Int64>("timer")
        let timer = try TimerSource(.monotonic) { arrivals.send(EventLoop.now(.monotonic)) }
        let due = EventLoop.now(.monotonic) + 30_000
        timer.arm(after: 3_600_000_000)
        timer.arm(after: 1_000, slack: 1)
        timer.arm(at: due, slack: 1)
        #expect(try await arrivals.next() >= due)
    }

    @Test @LoopActor func aDisarmedTimerDoesNotFire() async throws {
        let arrivals = Arrivals<Void>("timer")
        let timer = try TimerSource(.monotonic) { arrivals.send() }
        timer.arm(after: 0, slack: 1)
        timer.disarm()
        try await turns(3)
        #expect(arrivals.taken().count == 0)
    }

    @Test @LoopActor func aTimeBeyondTheEndOfTimeIsNotAnOverflow() async throws {
        let arrivals = Arrivals<Void>("timer")
        let timer = try TimerSource(.monotonic) { arrivals.send() }
        timer.arm(after: .max)
        try await turns(3)
        #expect(arrivals.taken().count == 0)
    }

    @Test @LoopActor func aHandlerMayArmItsTimerAgain() async throws {
        let arrivals = Arrivals<Int>("timer")
        let timer = Box<TimerSource>()
        let count = Box<Int>()
        timer.value = try TimerSource(.monotonic) {
            let next = (count.value ?? 0) + 1
            count.value = next
            arrivals.send(next)
            if next < 5 { timer.value?.arm(after: 100, slack: 1) } else { timer.value = nil }
        }
        timer.value?.arm(after: 100, slack: 1)
        #expect(try await arrivals.next(5) == [1, 2, 3, 4, 5])
        #expect(timer.value == nil)
    }
}
