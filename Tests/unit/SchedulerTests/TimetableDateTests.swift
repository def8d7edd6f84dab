// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Scheduler

/// Widgets that ask for a date on the clock on the wall, or for no time at all.
@Suite struct TimetableDateTests {
    /// After a first run which asks for a date, so far from now.
    private func asking(for span: TimeSpan, every interval: TimeSpan = .minutes(1)) -> Simulation {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: interval)
        simulation.advance()
        simulation.finish(simulation.tickets[0], nextAsk: .date(simulation.now.wall + span))
        return simulation
    }

    @Test(arguments: [(TimeSpan.seconds(5), 5), (.hours(24), 86_400), (.days(90), 7_776_000)])
    func aWidgetRunsAtTheDateThatItsAnswerAskedFor(span: TimeSpan, seconds: Int) {
        var simulation = asking(for: span)
        simulation.pass(span + .seconds(1))
        #expect(simulation.log.map(\.seconds) == [0, seconds])
    }

    /// Or a widget that gives the same old timeline would run without end.
    @Test(arguments: [TimeSpan.seconds(-100), .zero]) func aDateThatHasPassedLeavesItToTheInterval(span: TimeSpan) {
        var simulation = asking(for: span)
        simulation.pass(.seconds(65))
        #expect(simulation.starts.count == 2)
        #expect((60...62).contains(simulation.log[1].seconds))
    }

    @Test(arguments: [(TimeSpan.hours(2), 100), (.hours(-2), 3 * 3_600)])
    func theDateIsFollowedWhenTheClockIsSet(change: TimeSpan, seconds: Int) {
        var simulation = asking(for: .hours(1))
        simulation.pass(.seconds(100))
        simulation.now.wall = simulation.now.wall + change
        simulation.pass(.hours(4))
        #expect(simulation.log.dropFirst().map(\.seconds) == [seconds])
    }

    @Test func aSleepIsNoClockChange() {
        var simulation = asking(for: .hours(3))
        simulation.pass(.seconds(10))
        simulation.sleep(.hours(2))
        simulation.pass(.minutes(59))
        #expect(simulation.starts.count == 1)
        simulation.pass(.minutes(1))
        #expect(simulation.log[1].seconds == 3 * 3_600)
    }

    /// The clock on the wall goes a little slower than the one since boot, as adjtimex(2) makes it.
    @Test func noWidgetRunsBeforeItsDate() {
        var simulation = asking(for: .hours(1))
        let date = simulation.now.wall + .hours(1)
        for _ in 0..<60 {
            simulation.pass(.minutes(1))
            simulation.now.wall = simulation.now.wall - .milliseconds(20)
        }
        simulation.advance()
        #expect(simulation.now.wall < date)
        #expect(simulation.starts.count == 1)
        simulation.pass(.seconds(2))
        #expect(simulation.starts.count == 2)
        #expect(simulation.now.wall >= date)
    }

    /// A wait that is stated later takes the place of a date, wherever the clock is set.
    @Test func aDateIsForgottenWhenAnotherRunAsksForAWait() {
        var simulation = asking(for: .hours(3))
        simulation.duration = nil
        _ = simulation.request("a")
        simulation.finish(simulation.tickets[1], nextAsk: .wait(.minutes(2)))
        simulation.pass(.minutes(3))
        #expect(simulation.log.dropFirst(2).map(\.seconds) == [120])
    }

    @Test func aWidgetThatIsBehindDoesNotWaitForItsDate() {
        var simulation = asking(for: .hours(3))
        simulation.pass(.minutes(1))
        simulation.markBehind("a")
        #expect(simulation.log.dropFirst().map(\.reason) == [.behind])
    }

    /// Its date is due by the clock since boot, and the one on the wall is not there yet.
    @Test func aWidgetThatIsBehindDoesNotWaitForASlowClock() {
        var simulation = asking(for: .hours(1))
        simulation.pass(.hours(1))
        simulation.now.wall = simulation.now.wall - .milliseconds(500)
        simulation.markBehind("a")
        #expect(simulation.log.dropFirst().map(\.reason) == [.behind])
    }

    @Test func anAnswerThatSaysNeverIsNotRenewed() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a")
        simulation.advance()
        simulation.finish(simulation.tickets[0], nextAsk: .never)
        simulation.pass(.days(400))
        #expect(simulation.starts.count == 1)
        #expect(!simulation.isStale("a"))
        let activity = simulation.activity(of: "a")
        #expect(activity?.nextRun == nil)
        #expect(activity?.waitingFor == "a change or a request: its timeline says never")
        simulation.markBehind("a")
        #expect(simulation.starts.count == 2)
    }

    @Test func theTimeThatAStoredAnswerAskedForHolds() {
        var simulation = Simulation()
        let date = simulation.now.wall + .hours(6)
        simulation.add("dated", stored: StoredAnswer(age: .hours(5), nextAsk: .date(date)))
        simulation.add("never", stored: StoredAnswer(age: .days(50), nextAsk: .never))
        simulation.pass(.hours(6) + .seconds(1))
        #expect(simulation.log == [.init(seconds: 6 * 3_600, widget: "org.test.dated", reason: .schedule)])
        #expect(!simulation.isStale("never"))
    }

    /// The age of the answer when a host begins to show the widget, UpdateOnAppear=, and whether the widget runs.
    private static let appearances: [(age: TimeSpan, limit: TimeSpan?, runs: Bool)] = [
        (.seconds(59), .minutes(1), false), (.seconds(60), .minutes(1), true), (.hours(2), nil, false),
    ]

    @Test(arguments: appearances)
    func anAppearingWidgetIsRenewedIfItsAnswerIsTooOld(_ row: (age: TimeSpan, limit: TimeSpan?, runs: Bool)) {
        var simulation = Simulation()
        simulation.add("a", every: .days(1), updateOnAppear: row.limit)
        simulation.pass(.milliseconds(200))
        simulation.pass(row.age - .milliseconds(100))
        #expect(simulation.appeared("a") == row.runs)
        #expect(simulation.log.last?.reason == (row.runs ? .appear : .boot))
    }
}
