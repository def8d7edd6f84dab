// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Scheduler

@Suite struct TimetableSleepTests {
    /// Forty widgets of five minutes and forty of a day, all of which have just run.
    private func fresh() -> Simulation {
        var simulation = Simulation(concurrency: 100)
        for number in 0..<40 {
            simulation.add("often\(number)", every: .minutes(5))
            simulation.add("daily\(number)", every: .days(1))
        }
        simulation.pass(.seconds(1))
        #expect(simulation.starts.count == 80)
        return simulation
    }

    @Test func afterASleepOnlyOverdueWidgetsRunSpreadOut() {
        var simulation = fresh()
        simulation.sleep(.hours(8))
        let woke = simulation.seconds(simulation.now.boot)
        simulation.pass(.seconds(20))
        let caughtUp = simulation.log.dropFirst(80)
        #expect(caughtUp.count == 40)
        #expect(caughtUp.allSatisfy { $0.reason == .wake && $0.widget.hasPrefix("org.test.often") })
        #expect(caughtUp.first?.seconds == woke + 1, "the network needs some time, and not more")
        #expect(caughtUp.allSatisfy { (woke + 1...woke + 11).contains($0.seconds) })
        #expect(Set(simulation.starts.dropFirst(80).map(\.at)).count == 40)
    }

    @Test func manyAreSpreadOverTenSeconds() {
        var simulation = Simulation(concurrency: 10_000)
        for number in 0..<2_000 { simulation.add("w\(number)", every: .minutes(5)) }
        simulation.pass(.seconds(1))
        simulation.sleep(.hours(1))
        simulation.pass(.seconds(12))
        #expect(simulation.starts.count == 4_000)
        let first = simulation.starts[2_000].at
        let last = simulation.starts[3_999].at
        #expect(last - first > .seconds(9))
        #expect(last - first < .seconds(10))
    }

    @Test func contentDoesNotGetStaleWhileTheMachineSleeps() {
        var simulation = fresh()
        simulation.sleep(.days(2))
        #expect(!simulation.isStale("often1"))
        simulation.advance()
        #expect(!simulation.isStale("often1"))
    }

    @Test func anAppearingHostDoesNotWaitForTheSpread() {
        var simulation = fresh()
        simulation.sleep(.hours(8))
        simulation.advance()
        let activity = simulation.activity(of: "often7")
        #expect(activity?.waitingFor == "its turn after the machine's sleep")
        #expect(simulation.appeared("often7") == true)
        #expect(simulation.log.last?.reason == .appear)
        #expect(simulation.appeared("daily7") == false)
    }

    @Test func aShortSleepIsNoEvent() {
        var simulation = fresh()
        simulation.sleep(.seconds(1))
        simulation.pass(.minutes(6))
        #expect(simulation.log.dropFirst(80).allSatisfy { $0.reason == .schedule })
        #expect(simulation.starts.count == 120)
    }

    @Test func aWidgetThatIsDueLongAfterTheSleepKeepsItsReason() {
        var simulation = Simulation()
        simulation.add("a", every: .days(1))
        simulation.pass(.seconds(1))
        simulation.sleep(.hours(1))
        // The timetable is not advanced on resume, since nothing is due.
        simulation.now.awake = simulation.now.awake + .hours(22)
        simulation.now.boot = simulation.now.boot + .hours(22)
        let period = period(of: .days(1), "a")
        let rest = simulation.starts[0].at + period - simulation.now.boot
        simulation.now.awake = simulation.now.awake + rest
        simulation.now.boot = simulation.now.boot + rest
        simulation.advance()
        #expect(simulation.log.map(\.reason) == [.boot, .schedule])
    }

    @Test func aRunThatTheSleepInterruptedIsNotStartedAgain() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .minutes(1))
        simulation.advance()
        simulation.sleep(.hours(3))
        simulation.advance()
        #expect(simulation.starts.count == 1)
        simulation.finish(simulation.tickets[0])
        #expect(simulation.starts.count == 1)
        #expect(simulation.activity(of: "a")?.isRunning == false)
    }

    /// What counts as a sleep, or as a clock that was set, to the microsecond.
    @Test(arguments: [(0, false), (999_999, false), (1_000_000, true), (-999_999, false), (-1_000_000, true)])
    func aClockThatIsSetBySecondsIsNoticed(change: Int64, isSet: Bool) {
        var clocks = ClockJumps()
        var now = Simulation().now
        let first = clocks.read(now)
        #expect(!first.clockWasSet && !first.slept)
        now.boot = now.boot + .seconds(5)
        now.awake = now.awake + .seconds(5)
        now.wall = now.wall + .seconds(5) + TimeSpan(microseconds: change)
        let second = clocks.read(now)
        #expect(second.clockWasSet == isSet && !second.slept)
        let third = clocks.read(now)
        #expect(!third.clockWasSet)
    }
}
