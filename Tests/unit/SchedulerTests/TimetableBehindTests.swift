// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Scheduler

/// A widget that is behind runs as soon as it may, and not without end.
@Suite struct TimetableBehindTests {
    private typealias Start = Simulation.Start

    /// With the first run over.
    private func simulation() -> Simulation {
        var simulation = Simulation()
        simulation.add("a", every: .hours(1))
        simulation.pass(.seconds(10))
        return simulation
    }

    @Test(arguments: [UpdateInputs.Difference.defaults, .room, .program])
    func theFirstChangeRunsItAtOnce(difference: UpdateInputs.Difference) {
        var simulation = simulation()
        simulation.markBehind("a", difference)
        #expect(simulation.log.last == Start(seconds: 10, widget: "org.test.a", reason: .behind))
    }

    @Test(arguments: [UpdateInputs.Difference.defaults, .program])
    func manyChangesRunItOnceASecondAndTheLastOneCounts(difference: UpdateInputs.Difference) {
        var simulation = simulation()
        for _ in 0..<100 {
            simulation.markBehind("a", difference)
            simulation.pass(.milliseconds(50))
        }
        let inTime = simulation.log.dropFirst().count
        #expect((5...6).contains(inTime), "\(simulation.log)")
        let last = simulation.now.boot
        simulation.markBehind("a")
        simulation.pass(.seconds(30))
        #expect((simulation.starts.last?.at).map { $0 >= last } == true)
        #expect(simulation.log.dropFirst().count == inTime + 1)
    }

    @Test func aWidgetThatAButtonLeavesBehindRunsAfterIt() {
        var simulation = simulation()
        simulation.duration = nil
        _ = simulation.request("a", interaction: .action("x"))
        simulation.markBehind("a")
        simulation.finish(simulation.tickets[1])
        #expect(simulation.log.map(\.reason) == [.boot, .action, .behind])
    }

    @Test func aWidgetThatIsStillBehindRunsASecondAfterItsLastStart() {
        var simulation = simulation()
        simulation.duration = nil
        simulation.markBehind("a")
        #expect(simulation.log.count == 2)
        simulation.finish(simulation.tickets[1])
        simulation.markBehind("a")
        simulation.duration = .milliseconds(100)
        simulation.pass(.seconds(5))
        #expect(simulation.log.dropFirst(2).map(\.seconds) == [11])
        #expect(simulation.log.last?.reason == .behind)
    }

    @Test func aHiddenWidgetThatIsBehindRunsWhenItIsShownAgain() {
        var simulation = Simulation()
        simulation.add("a", every: .hours(1), stored: StoredAnswer(age: .minutes(1)), obstacle: "hidden")
        simulation.markBehind("a")
        simulation.pass(.minutes(1))
        #expect(simulation.log.isEmpty)
        simulation.setObstacle(nil, of: "a")
        simulation.advance()
        #expect(simulation.log == [Start(seconds: 60, widget: "org.test.a", reason: .behind)])
    }

    /// Shown again after so long, with an answer from that long ago; whether it runs at once.
    private static let shownAgain: [(ask: NextAsk?, after: TimeSpan, runs: Bool)] = [
        (nil, .minutes(9), false), (nil, .minutes(11), true), (.never, .minutes(10), true),
        (.date(WallTime(microseconds: 1_700_086_400_000_000)), .minutes(11), true),
        (.wait(.hours(5)), .minutes(9), false),
        (.wait(.hours(5)), .minutes(11), true), (.never, .minutes(11), true),
    ]

    @Test(arguments: shownAgain)
    func aWidgetThatIsShownAgainIsRenewedIfOlderThanItsInterval(_ row: (ask: NextAsk?, after: TimeSpan, runs: Bool)) {
        var simulation = Simulation()
        simulation.add("a", every: .minutes(10), stored: StoredAnswer(age: .zero, nextAsk: row.ask), obstacle: "hidden")
        simulation.pass(row.after)
        simulation.setObstacle(nil, of: "a")
        simulation.advance()
        #expect(simulation.starts.isEmpty != row.runs)
    }

    /// Its retry is not waited for: there is no answer that could be fresh.
    @Test func aWidgetWithoutAnAnswerRunsWhenItIsShownAgain() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .hours(1))
        simulation.advance()
        simulation.finish(simulation.tickets[0], .failure)
        simulation.setObstacle("hidden", of: "a")
        simulation.pass(.seconds(10))
        simulation.setObstacle(nil, of: "a")
        simulation.advance()
        #expect(simulation.log.map(\.seconds) == [0, 10])
    }

    private static let names = ["a", "b", "c", "d"]

    @Test(arguments: names) func aWaitingRunGoesForwardWhenItsWidgetIsBehind(name: String) {
        var simulation = Simulation(concurrency: 1)
        simulation.duration = nil
        simulation.add("first")
        simulation.advance()
        for name in Self.names { simulation.add(name) }
        simulation.advance()
        simulation.pass(.seconds(3))
        simulation.markBehind(name)
        simulation.finish(simulation.tickets[0])
        #expect(simulation.tickets[1].widget == id(name))
    }

    @Test func aWidgetThatIsBehindRunsBeforeThoseThatAreDue() {
        var simulation = Simulation(concurrency: 1)
        simulation.duration = nil
        simulation.add("busy", every: .hours(1))
        for name in ["a", "b"] { simulation.add(name, every: .hours(1), stored: StoredAnswer(age: .minutes(59))) }
        simulation.add("behind", every: .days(1), stored: StoredAnswer(age: .minutes(59)))
        simulation.advance()
        simulation.pass(.minutes(5))
        simulation.markBehind("behind")
        simulation.finish(simulation.tickets[0])
        #expect(simulation.tickets[1].widget == id("behind"))
    }

    /// The second between two such runs is exact: hosts wait for the new content.
    @Test func aRunOfAWidgetThatIsBehindHasNoSlack() {
        var simulation = Simulation()
        simulation.add("a", every: .hours(24))
        simulation.pass(.seconds(10))
        simulation.markBehind("a")
        simulation.pass(.milliseconds(300))
        simulation.timetable.markBehind(id("a"), .defaults, at: simulation.now)
        let deadline = simulation.timetable.nextDeadline
        #expect(deadline?.at == deadline?.latest)
        #expect(deadline.map { $0.at - simulation.now.boot } == .milliseconds(700))
    }
}
