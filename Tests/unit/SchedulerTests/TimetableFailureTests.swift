// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Scheduler

@Suite struct TimetableFailureTests {
    @Test func retriesGrowUntilTheyAreAsRareAsTheInterval() {
        var simulation = Simulation()
        simulation.succeeds = { _ in false }
        simulation.duration = .milliseconds(1)
        simulation.add("a", every: .minutes(10))
        simulation.pass(.minutes(40))
        let gaps = zip(simulation.log, simulation.log.dropFirst()).map { $1.seconds - $0.seconds }
        #expect(gaps.prefix(3).elementsEqual([60, 240, 540]))
        #expect(gaps.dropFirst(3).allSatisfy { (600...619).contains($0) })
        #expect(simulation.log.map(\.reason).prefix(4).elementsEqual([.boot, .retry, .retry, .retry]))
        #expect(simulation.log.dropFirst(4).allSatisfy { $0.reason == .schedule })
    }

    @Test(arguments: [TimeSpan.seconds(5), .seconds(59)])
    func aShortIntervalIsNotMadeLongerByFailures(interval: TimeSpan) {
        var simulation = Simulation()
        simulation.succeeds = { _ in false }
        simulation.duration = .milliseconds(1)
        simulation.add("a", every: interval)
        simulation.pass(interval * 10)
        #expect((10...11).contains(simulation.starts.count))
    }

    @Test func aSuccessEndsTheRetries() {
        var simulation = Simulation()
        simulation.succeeds = { $0.run >= 3 }
        simulation.duration = .milliseconds(1)
        simulation.add("a", every: .hours(1))
        simulation.pass(.minutes(6))
        let activity = simulation.activity(of: "a")
        #expect(activity?.runs == 3)
        #expect(activity?.failures == 2)
        #expect(activity?.failuresInARow == 0)
        #expect(activity?.waitingFor == nil)
        simulation.pass(.minutes(50))
        #expect(simulation.starts.count == 3)
    }

    @Test(arguments: [true, false])
    func anInteractionIsNoUpdateAndChangesNothingOfWhatIsDue(succeeded: Bool) {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .hours(1))
        simulation.advance()
        simulation.finish(simulation.tickets[0], .failure)
        let before = simulation.activity(of: "a")
        _ = simulation.request("a", interaction: .action("x"))
        simulation.finish(simulation.tickets[1], succeeded ? .content : .failure, nextAsk: .wait(.hours(9)))
        let after = simulation.activity(of: "a")
        #expect(after?.nextRun == before?.nextRun)
        #expect(after?.waitingFor == "its retry after a failure")
        #expect(after?.failuresInARow == 1)
        #expect(after?.failures == 1)
        #expect(after?.runs == 2)
    }

    @Test func aRequestBeforeTheRetryRunsAtOnceAndItsFailureCounts() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .hours(1))
        simulation.advance()
        simulation.finish(simulation.tickets[0], .failure)
        var activity = simulation.activity(of: "a")
        #expect(activity?.waitingFor == "its retry after a failure")
        #expect(activity?.nextRun == simulation.now.wall + .minutes(1))
        #expect(simulation.appeared("a") == false)
        #expect(simulation.request("a").answer.answer == .started)
        simulation.finish(simulation.tickets[1], .failure)
        activity = simulation.activity(of: "a")
        #expect(activity?.waitingFor == "its retry after 2 failures in a row")
        #expect(activity?.nextRun == simulation.now.wall + .minutes(4))
    }

    @Test func aChangedManifestEndsTheRetries() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .hours(1))
        simulation.advance()
        simulation.finish(simulation.tickets[0], .failure)
        var mended = plan(every: .hours(1))
        mended.command = ["/bin/echo"]
        simulation.add("a", mended)
        simulation.advance()
        #expect(simulation.starts.count == 2)
        #expect(simulation.activity(of: "a")?.failuresInARow == 0)
    }

    @Test func onlyAGoodRunMakesContentFresh() {
        var simulation = Simulation()
        simulation.succeeds = { _ in false }
        simulation.add("a", every: .minutes(1), stored: StoredAnswer(age: .seconds(30)))
        simulation.pass(.seconds(89))
        #expect(!simulation.isStale("a"))
        simulation.pass(.seconds(2))
        #expect(simulation.isStale("a"))
        simulation.succeeds = { _ in true }
        simulation.pass(.seconds(90))
        #expect(!simulation.isStale("a"))
    }

    @Test(
        arguments: [
            (StoredAnswer(age: .seconds(119)), false), (StoredAnswer(age: .seconds(121)), true),
            (StoredAnswer(age: .seconds(-9)), true),
            (StoredAnswer(age: .seconds(121), nextAsk: .wait(.hours(1))), false),
            (StoredAnswer(age: .seconds(119), nextAsk: .wait(.seconds(5))), false),
            (StoredAnswer(age: .days(1), nextAsk: .never), false),
        ])
    func aStoredAnswerIsStaleByItsAge(stored: StoredAnswer, isStale: Bool) {
        var simulation = Simulation()
        simulation.add("a", every: .minutes(1), stored: stored)
        #expect(simulation.isStale("a") == isStale)
    }

    /// Of what a widget stated with its failure: every row is in seconds after it.
    private static let statedWaits: [(interval: TimeSpan, wait: TimeSpan, next: Int)] = [
        (.minutes(5), .minutes(16), 16 * 60), (.minutes(5), .seconds(10), 10), (.hours(1), .days(30), 30 * 86_400),
    ]

    @Test(arguments: statedWaits)
    func aStatedWaitReplacesTheRetryAndTheInterval(_ row: (interval: TimeSpan, wait: TimeSpan, next: Int)) {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: row.interval)
        simulation.advance()
        simulation.finish(simulation.tickets[0], .failure, nextAsk: .wait(row.wait))
        let activity = simulation.activity(of: "a")
        #expect(activity?.waitingFor == "the time for which it asked after a failure")
        simulation.pass(row.wait + .seconds(6))
        #expect(simulation.log.dropFirst().map(\.reason) == [.retry])
        #expect(abs(simulation.log[1].seconds - row.next) <= 1)
    }

    /// A run that was asked for before the start, so far from now; when the first run comes, and why.
    private static let notBefore: [(wait: TimeSpan, seconds: Int, reason: RunReason)] = [
        (.minutes(16), 16 * 60, .retry), (.seconds(-1), 0, .boot),
    ]

    @Test(arguments: notBefore)
    func aStatedWaitHoldsOverARestart(_ row: (wait: TimeSpan, seconds: Int, reason: RunReason)) {
        var simulation = Simulation()
        simulation.add(
            "a", plan(every: .minutes(5)), stored: StoredAnswer(age: .hours(1)),
            notBefore: simulation.now.wall + row.wait)
        simulation.pass(max(row.wait, .zero) + .seconds(2))
        #expect(simulation.log == [.init(seconds: row.seconds, widget: "org.test.a", reason: row.reason)])
    }

    @Test func aStatedWaitHoldsWhenTheWidgetAppearsOrIsShownAgain() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .minutes(1), stored: StoredAnswer(age: .hours(1)), updateOnAppear: .seconds(1))
        simulation.advance()
        simulation.finish(simulation.tickets[0], .failure, nextAsk: .wait(.minutes(16)))
        simulation.pass(.minutes(5))
        #expect(simulation.appeared("a") == false)
        simulation.setObstacle("hidden", of: "a")
        simulation.setObstacle(nil, of: "a")
        simulation.pass(.minutes(10))
        #expect(simulation.starts.count == 1)
        // New defaults may end the failure.
        simulation.markBehind("a")
        #expect(simulation.starts.count == 2)
    }

    /// After a success nothing is left of the stated wait.
    @Test func aSuccessEndsAStatedWait() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .minutes(1))
        simulation.advance()
        simulation.finish(simulation.tickets[0], .failure, nextAsk: .wait(.minutes(16)))
        _ = simulation.request("a")
        simulation.finish(simulation.tickets[1], nextAsk: .never)
        simulation.setObstacle("hidden", of: "a")
        simulation.pass(.minutes(5))
        simulation.setObstacle(nil, of: "a")
        simulation.advance()
        #expect(simulation.starts.count == 3)
    }
}
