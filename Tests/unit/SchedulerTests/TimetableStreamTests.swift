// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Scheduler

/// Widgets with Stream=yes: due when their program has ended.
@Suite struct TimetableStreamTests {
    private func stream(every interval: TimeSpan = .minutes(10)) -> UpdatePlan {
        var plan = plan(every: interval)
        plan.isStream = true
        return plan
    }

    /// A timetable with one stream, whose program has given its first update.
    private func running(_ result: Timetable.RunResult = .content, nextAsk: NextAsk? = nil) -> Simulation {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", stream())
        simulation.advance()
        simulation.finish(simulation.tickets[0], result, nextAsk: nextAsk, stays: true)
        return simulation
    }

    // MARK: Restarts

    /// How long each program runs, and when the next one is due after its end, in seconds.
    static let courses: [[(life: Int64, delay: Int64)]] = [
        [(0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (0, 32), (0, 64), (0, 128), (0, 256), (0, 300), (0, 300)],
        [(0, 1), (59, 2), (60, 1), (0, 2), (3_600, 1)],
    ]

    @Test(arguments: courses.indices) func aProgramStartsAgainLaterAndLater(place: Int) {
        var course = StreamCourse()
        var now = Simulation().now
        for (life, delay) in Self.courses[place] {
            course.runBegan(at: now.boot)
            now.boot = now.boot + .seconds(life)
            let due = course.ended(isFailure: true, now: now)
            #expect(due.time - now.boot == .seconds(delay))
            #expect(due.reason == .retry)
            now.boot = due.time
        }
    }

    @Test func theReasonSaysHowTheProgramEnded() {
        var course = StreamCourse()
        let due = course.ended(isFailure: false, now: Simulation().now)
        #expect(due.reason == .schedule)
    }

    /// A program that fails before its first update, whatever its interval is.
    @Test(arguments: [TimeSpan.seconds(1), .days(1)])
    func aProgramThatDiesAtOnceIsRestartedWithBackOff(interval: TimeSpan) {
        var simulation = Simulation()
        simulation.duration = .zero
        simulation.succeeds = { _ in false }
        simulation.add("a", stream(every: interval))
        simulation.pass(.minutes(30))
        let gaps = zip(simulation.log, simulation.log.dropFirst()).map { $1.seconds - $0.seconds }
        #expect(gaps.prefix(10).elementsEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300]))
        #expect(gaps.dropFirst(10).allSatisfy { $0 == 300 })
        #expect(simulation.log.map(\.reason).prefix(3).elementsEqual([.boot, .retry, .retry]))
        #expect(simulation.activity(of: "a")?.waitingFor == "the restart of its program, which has failed")
    }

    @Test(arguments: [Timetable.RunResult.content, .confirmation, .silence, .failure])
    func aProgramThatStaysIsDueNever(result: Timetable.RunResult) {
        var simulation = running(result, nextAsk: result == .failure ? .wait(.minutes(1)) : nil)
        simulation.pass(.days(3))
        #expect(simulation.starts.count == 1 && simulation.timetable.runningCount == 0)
        let activity = simulation.activity(of: "a")
        #expect(activity?.nextRun == nil && activity?.waitingFor == "the end of its program")
        #expect(activity?.skipped == 0)
    }

    @Test(arguments: [true, false]) func itsEndMakesItDue(isFailure: Bool) {
        var simulation = running()
        simulation.pass(.seconds(10))
        let counts = simulation.end("a", run: simulation.tickets[0].run, isFailure: isFailure)
        #expect(counts)
        #expect(simulation.activity(of: "a")?.failuresInARow == (isFailure ? 1 : 0))
        simulation.pass(.seconds(2))
        #expect(simulation.log.map(\.seconds) == [0, 11])
        #expect(simulation.log[1].reason == (isFailure ? .retry : .schedule))
    }

    @Test func theEndOfAReplacedProgramIsIgnored() {
        var simulation = running()
        _ = simulation.request("a")
        #expect(simulation.starts.count == 2)
        let (endCounts, updateCounts) = (
            simulation.end("a", run: simulation.tickets[0].run, isFailure: true),
            simulation.update("a", run: simulation.tickets[0].run)
        )
        #expect(!endCounts && !updateCounts)
        simulation.finish(simulation.tickets[1], .content, stays: true)
        simulation.pass(.hours(1))
        #expect(simulation.starts.count == 2)
    }

    /// A failure may say when to ask again. While the program runs, that is its own affair.
    @Test func aStatedWaitHoldsAfterTheEnd() {
        var simulation = running(.failure, nextAsk: .wait(.minutes(16)))
        simulation.end("a", run: simulation.tickets[0].run, isFailure: true)
        simulation.pass(.minutes(15))
        #expect(simulation.starts.count == 1)
        simulation.pass(.minutes(2))
        #expect(simulation.starts.count == 2)
        simulation.finish(simulation.tickets[1], .failure, nextAsk: .wait(.minutes(16)), stays: true)
        simulation.update("a", run: simulation.tickets[1].run)
        simulation.end("a", run: simulation.tickets[1].run, isFailure: false)
        simulation.pass(.minutes(1))
        #expect(simulation.starts.count == 3)
    }

    /// Defaults have changed while it ran, so that it is due although its program has failed.
    @Test func anEndPostponesNoStartThatIsDueAnyway() {
        var simulation = running()
        simulation.pass(.minutes(1))
        let first = simulation.tickets[0].run
        simulation.timetable.markBehind(id("a"), .defaults, at: simulation.now)
        simulation.end("a", run: first, isFailure: true)
        #expect(simulation.starts.count == 2 && simulation.seconds(simulation.starts[1].at) == 60)
    }

    /// A program that has not given its first update skips nothing.
    @Test func aProgramThatTakesItsTimeSkipsNoUpdate() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", stream(every: .minutes(1)))
        simulation.advance()
        simulation.pass(.minutes(5))
        #expect(simulation.activity(of: "a")?.isRunning == true && simulation.activity(of: "a")?.skipped == 0)
    }

    // MARK: What starts it at once

    @Test func aStoredAnswerDoesNotPostponeTheStart() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", stream(), stored: StoredAnswer(age: .seconds(1), nextAsk: .never))
        simulation.advance()
        #expect(simulation.log.map(\.reason) == [.boot])
    }

    @Test func wakingFromSleepStartsIt() {
        var simulation = Simulation()
        simulation.duration = .zero
        simulation.succeeds = { _ in false }
        simulation.add("a", stream())
        simulation.pass(.minutes(9))
        let count = simulation.starts.count
        simulation.sleep(.seconds(10))
        simulation.pass(.seconds(3))
        #expect(simulation.log.dropFirst(count).map(\.reason) == [.wake, .retry])
    }

    @Test func sleepDoesNotDisturbAProgramThatRuns() {
        var simulation = running()
        simulation.sleep(.hours(8))
        simulation.pass(.minutes(1))
        #expect(simulation.starts.count == 1)
    }

    @Test func anObstacleThatIsGoneStartsIt() {
        var simulation = running()
        simulation.setObstacle("hidden", of: "a")
        simulation.pass(.seconds(3))
        simulation.setObstacle(nil, of: "a")
        simulation.advance()
        #expect(simulation.starts.count == 2)
        // The end of the program that the obstacle has ended comes late.
        simulation.end("a", run: simulation.tickets[0].run, isFailure: false)
        #expect(simulation.starts.count == 2)
    }

    @Test func anotherProgramReplacesItAndAnotherIntervalDoesNot() {
        var simulation = running()
        simulation.add("a", stream(every: .minutes(1)))
        simulation.pass(.hours(1))
        #expect(simulation.starts.count == 1)
        var other = stream(every: .minutes(1))
        other.command = ["/bin/false"]
        simulation.add("a", other)
        simulation.advance()
        #expect(simulation.starts.count == 2)
    }

    @Test func newDefaultsReplaceItAndAPushDoesNot() {
        var simulation = running()
        simulation.planUpdate(of: "a", in: .seconds(5))
        simulation.pass(.minutes(1))
        #expect(simulation.starts.count == 1)
        simulation.markBehind("a")
        #expect(simulation.log.last?.reason == .behind)
        #expect(simulation.starts.count == 2)
    }

    @Test func aHostThatLooksStartsNothing() {
        var simulation = running()
        simulation.pass(.hours(1))
        #expect(simulation.appeared("a") == false)
        simulation.end("a", run: simulation.tickets[0].run, isFailure: true)
        simulation.appeared("a")
        #expect(simulation.starts.count == 1)
    }

    /// A silent program leaves its place to others.
    @Test func itsPlaceIsFree() {
        var simulation = Simulation(concurrency: 1)
        simulation.duration = nil
        simulation.add("a", stream())
        simulation.add("b", every: .hours(1))
        simulation.advance()
        #expect(simulation.starts.count == 1)
        simulation.finish(simulation.tickets[0], .silence, stays: true)
        #expect(simulation.starts.count == 2)
    }

    // MARK: Staleness

    @Test func silenceIsStaleAfterTheInterval() {
        var simulation = running()
        simulation.pass(.minutes(10) + .milliseconds(-1))
        #expect(!simulation.isStale("a"))
        simulation.pass(.milliseconds(1))
        #expect(simulation.isStale("a"))
        simulation.update("a", run: simulation.tickets[0].run)
        simulation.pass(.minutes(9))
        #expect(!simulation.isStale("a"))
        simulation.update("a", run: simulation.tickets[0].run, .failure)
        simulation.pass(.minutes(1))
        #expect(simulation.isStale("a"))
    }

    @Test func aSilentProgramRenewsNothing() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", stream(), stored: StoredAnswer(age: .minutes(9)))
        simulation.advance()
        #expect(!simulation.isStale("a"))
        simulation.finish(simulation.tickets[0], .silence, stays: true)
        simulation.pass(.minutes(1))
        #expect(simulation.isStale("a"))
    }

    /// Content may say that the next update comes later than the interval.
    @Test func anUpdateMaySayWhenTheNextOneComes() {
        var simulation = running(nextAsk: .wait(.minutes(30)))
        simulation.pass(.minutes(29))
        #expect(!simulation.isStale("a"))
        simulation.pass(.minutes(1))
        #expect(simulation.isStale("a") && simulation.starts.count == 1)
    }
}
