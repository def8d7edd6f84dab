// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Scheduler

/// `Interval=once`: a run at each start of the daemon, and when it is asked for.
@Suite struct TimetableOnceTests {
    private typealias Start = Simulation.Start

    @Test(arguments: [nil, StoredAnswer(age: .seconds(1)), StoredAnswer(age: .days(1), nextAsk: .wait(.hours(1)))])
    func itRunsAtEachStart(stored: StoredAnswer?) {
        var simulation = Simulation()
        simulation.add("a", every: nil, stored: stored)
        simulation.pass(.days(365))
        #expect(simulation.log == [Start(seconds: 0, widget: "org.test.a", reason: .boot)])
        #expect(!simulation.isStale("a") && simulation.activity(of: "a")?.nextRun == nil)
        #expect(simulation.activity(of: "a")?.skipped == 0)
        let reason = "a change or a request: it runs once (Interval=once)"
        #expect(simulation.activity(of: "a")?.waitingFor == reason)
    }

    @Test func itRunsWhenItIsAsked() {
        var simulation = Simulation()
        simulation.add("a", every: nil)
        simulation.pass(.hours(1))
        _ = simulation.request("a")
        simulation.pass(.hours(1))
        simulation.markBehind("a")
        simulation.pass(.days(9))
        #expect(simulation.log.map(\.reason) == [.boot, .request, .behind])
    }

    /// The network may come up late.
    @Test func aFailureIsTriedAgain() {
        var simulation = Simulation()
        var runs = 0
        simulation.succeeds = { _ in
            runs += 1
            return runs == 3
        }
        simulation.add("a", every: nil)
        simulation.pass(.days(9))
        #expect(simulation.log.map(\.reason) == [.boot, .retry, .retry])
    }

    @Test func itsAnswerMayAskForATime() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: nil)
        simulation.advance()
        simulation.finish(simulation.tickets[0], .content, nextAsk: .wait(.minutes(10)))
        simulation.pass(.minutes(11))
        #expect(simulation.log.map(\.reason) == [.boot, .schedule])
        #expect(!simulation.isStale("a"))
        simulation.pass(.minutes(11))
        #expect(simulation.isStale("a"))
    }

    @Test func onceAndAnIntervalMayReplaceEachOther() {
        var simulation = Simulation()
        simulation.add("a", every: .hours(1))
        simulation.pass(.minutes(1))
        simulation.add("a", every: nil)
        simulation.pass(.days(9))
        #expect(simulation.log.count == 1)
        simulation.add("a", every: .hours(1))
        simulation.pass(.seconds(1))
        #expect(simulation.log.count == 2)
    }

    @Test func whatIsShownAgainDoesNotRunForIt() {
        var simulation = Simulation()
        simulation.add("a", every: nil)
        simulation.pass(.minutes(1))
        simulation.setObstacle("hidden", of: "a")
        simulation.pass(.days(9))
        simulation.setObstacle(nil, of: "a")
        simulation.pass(.days(9))
        #expect(simulation.log.count == 1)
    }
}
