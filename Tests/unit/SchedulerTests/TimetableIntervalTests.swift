// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Scheduler

@Suite struct TimetableIntervalTests {
    /// A retry that is due later than the new interval gives way to it, and one that is due earlier stays.
    @Test(arguments: [(5, 2), (3_000, 2)]) func aChangedIntervalDoesNotDelayARetry(interval: Int64, runs: Int) {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .hours(1))
        simulation.advance()
        simulation.finish(simulation.tickets[0], .failure)
        let retry = simulation.activity(of: "a")?.nextRun
        simulation.add("a", every: .seconds(interval))
        let next = simulation.activity(of: "a")?.nextRun
        if interval == 5 {
            #expect(next.map { $0 < simulation.now.wall + .seconds(6) } == true)
        } else {
            #expect(next == retry)
        }
        simulation.pass(.minutes(5))
        #expect(simulation.tickets.count == runs)
    }

    /// What the program prints does not depend on times.
    @Test(arguments: 0..<4) func onlyAnotherProgramRunsAtOnce(change: Int) {
        var simulation = Simulation()
        simulation.add("a", every: .hours(1))
        simulation.pass(.minutes(1))
        var other = plan(every: .hours(1))
        switch change {
        case 0: other.timeout = .seconds(7)
        case 1: other.updateOnAppear = .minutes(1)
        case 2: other.interval = .hours(2)
        default: other.environment = ["A": "b"]
        }
        simulation.add("a", other)
        simulation.pass(.minutes(1))
        #expect(simulation.starts.count == (change == 3 ? 2 : 1))
    }

    /// The button was pressed on a program that is not the widget's any more; what it asked for counts no more.
    @Test func aChangedProgramRunsAfterTheButtonOfTheOldOne() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .hours(1))
        simulation.advance()
        simulation.finish(simulation.tickets[0])
        _ = simulation.request("a", interaction: .action("press"))
        var other = plan(every: .hours(1))
        other.command = ["/bin/false"]
        simulation.add("a", other)
        simulation.finish(simulation.tickets[1], .content, nextAsk: .wait(.minutes(50)))
        #expect(simulation.tickets.count == 3)
    }

    @Test func aNewWidgetRunsAtOnceAndThenAfterEachInterval() {
        var simulation = Simulation()
        simulation.add("a", every: .minutes(1))
        simulation.pass(.seconds(190))
        #expect(simulation.log.map(\.reason) == [.boot, .schedule, .schedule, .schedule])
        let period = period(of: .minutes(1), "a")
        #expect(simulation.starts.map(\.at) == (0..<4).map { simulation.starts[0].at + period * Int64($0) })
    }

    @Test func advancingAtDeadlinesMissesNothingAndIsNeverInVain() {
        var simulation = Simulation(concurrency: 1_000)
        simulation.duration = nil
        for number in 0..<1_000 { simulation.add("w\(number)", every: .minutes(5)) }
        simulation.pass(.seconds(1))
        #expect(simulation.starts.count == 1_000)
        for ticket in simulation.tickets {
            _ = simulation.timetable.finished(ticket.widget, run: ticket.run, .content, at: simulation.now)
        }
        let before = simulation.advances
        simulation.pass(.seconds(312))
        #expect(simulation.starts.count == 2_000)
        // The first one starts nothing; all others do.
        let wakeUps = Set(simulation.starts.dropFirst(1_000).map(\.at)).count
        #expect(simulation.advances - before == wakeUps + 1)
    }

    @Test(
        arguments: [
            (TimeSpan.seconds(30), 31, RunReason.schedule), (.minutes(61), 0, .boot), (.seconds(-1), 0, .boot),
        ])
    func aStoredAnswerPostponesTheFirstRun(age: TimeSpan, seconds: Int, reason: RunReason) {
        var simulation = Simulation()
        simulation.add("a", every: .minutes(1), stored: StoredAnswer(age: age))
        simulation.pass(.seconds(32))
        #expect(simulation.log == [.init(seconds: simulation.log[0].seconds, widget: "org.test.a", reason: reason)])
        #expect((seconds - 1...seconds).contains(simulation.log[0].seconds))
    }

    @Test func atStartWidgetsWithoutSnapshotComeFirstThenTheLongestOverdue() {
        var simulation = Simulation(concurrency: 1)
        simulation.add("fresh", stored: StoredAnswer(age: .seconds(1)))
        simulation.add("old", stored: StoredAnswer(age: .hours(1)))
        simulation.add("new")
        simulation.add("older", stored: StoredAnswer(age: .hours(2)))
        simulation.pass(.seconds(10))
        #expect(simulation.log.map(\.widget) == ["org.test.new", "org.test.older", "org.test.old"])
        #expect(simulation.log.allSatisfy { $0.reason == .boot })
    }

    @Test func aRunThatIsDueDuringARunIsSkippedAndCounted() {
        var simulation = Simulation()
        simulation.duration = .seconds(150)
        simulation.add("slow", every: .minutes(1))
        simulation.pass(.seconds(149))
        #expect(simulation.activity(of: "slow")?.skipped == 2)
        simulation.pass(.seconds(40))
        #expect(simulation.starts.count == 2)
        #expect(simulation.seconds(simulation.starts[1].at) / 3 == 60)
        #expect(simulation.activity(of: "slow")?.skipped == 2)
    }

    @Test(arguments: [(TimeSpan.seconds(10), 10), (.minutes(10), 600), (.zero, 1), (.days(30), 604_800)])
    func contentMaySayWhenToAskNext(wish: TimeSpan, seconds: Int) {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .minutes(1))
        simulation.advance()
        simulation.finish(simulation.tickets[0], nextAsk: .wait(wish))
        simulation.pass(.seconds(Int64(seconds) + 1))
        #expect(simulation.log.map(\.seconds) == [0, seconds])
    }

    /// Without a wish the rhythm of the widget's own program goes on.
    @Test(arguments: [(TimeSpan.seconds(40), 50), (.minutes(10), 610), (nil, 60)] as [(TimeSpan?, Int)])
    func pushedContentMaySayWhenToAskNextToo(wish: TimeSpan?, seconds: Int) {
        var simulation = Simulation()
        simulation.add("a", every: .minutes(1))
        simulation.pass(.seconds(10))
        if let wish { simulation.planUpdate(of: "a", in: wish) }
        simulation.pass(.seconds(Int64(seconds) - 8))
        #expect(
            simulation.log == [
                .init(seconds: 0, widget: "org.test.a", reason: .boot),
                .init(seconds: simulation.log[1].seconds, widget: "org.test.a", reason: .schedule),
            ])
        #expect((seconds...seconds + 1).contains(simulation.log[1].seconds))
    }

    @Test func aPushDuringARunLeavesTheNextDueTimeToThatRun() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .minutes(1))
        simulation.advance()
        simulation.planUpdate(of: "a", in: .hours(1))
        simulation.finish(simulation.tickets[0])
        simulation.pass(.seconds(62))
        #expect(simulation.starts.count == 2)
    }

    @Test func theWaitThatAStoredAnswerAskedForHolds() {
        var simulation = Simulation()
        simulation.add("a", every: .minutes(1), stored: StoredAnswer(age: .minutes(5), nextAsk: .wait(.minutes(6))))
        simulation.pass(.seconds(61))
        #expect(simulation.log.map(\.seconds) == [60])
    }

    @Test func severalThatAreDueWithinTheSlackStartInOneWakeUp() {
        var simulation = Simulation(concurrency: 100)
        for number in 0..<20 {
            simulation.add(
                "w\(number)", every: .minutes(5), stored: StoredAnswer(age: .seconds(Int64(299 - number / 10))))
        }
        simulation.advance()
        var wakeUps = 0
        while simulation.starts.count < 20, let deadline = simulation.timetable.nextDeadline {
            // As late as the timetable allows.
            let step = deadline.latest - simulation.now.boot
            #expect(step >= .zero)
            simulation.now.boot = deadline.latest
            simulation.now.awake = simulation.now.awake + step
            simulation.advance()
            wakeUps += 1
        }
        #expect(simulation.starts.count == 20)
        #expect(wakeUps <= 4)
    }

    @Test func theWallClockMayJump() {
        var simulation = Simulation()
        simulation.add("a", every: .minutes(1))
        simulation.pass(.seconds(10))
        simulation.now.wall = WallTime(microseconds: 0)
        simulation.pass(.seconds(40))
        #expect(simulation.starts.count == 1)
        simulation.now.wall = WallTime(microseconds: 4_000_000_000_000_000)
        simulation.pass(.seconds(20))
        #expect(simulation.log.map(\.reason) == [.boot, .schedule])
    }

    @Test func aChangedIntervalMovesTheDueTimeAndAChangedCommandRunsAtOnce() {
        var simulation = Simulation()
        simulation.add("a", every: .minutes(10))
        simulation.pass(.seconds(30))
        simulation.add("a", every: .minutes(1))
        simulation.pass(.seconds(40))
        #expect(simulation.starts.count == 2)
        #expect((60...62).contains(simulation.log[1].seconds))
        var changed = plan(every: .minutes(1))
        changed.command = ["/bin/false"]
        simulation.add("a", changed)
        simulation.advance()
        #expect(simulation.starts.count == 3)
        #expect(simulation.log[2].seconds == 70)
    }

    @Test func aManifestChangedDuringARunIsTriedAfterIt() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a")
        simulation.advance()
        var changed = plan()
        changed.environment = ["A": "b"]
        simulation.add("a", changed)
        simulation.advance()
        #expect(simulation.starts.count == 1)
        #expect(simulation.finish(simulation.tickets[0]) == true)
        #expect(simulation.starts.count == 2)
    }

    /// What a button's run asks for is an answer of the old program.
    @Test func aManifestChangedDuringAButtonsRunIsTriedAfterIt() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .hours(1))
        simulation.advance()
        simulation.finish(simulation.tickets[0])
        _ = simulation.request("a", interaction: .action("x"))
        var changed = plan(every: .hours(1))
        changed.environment = ["A": "b"]
        simulation.add("a", changed)
        simulation.finish(simulation.tickets[1], nextAsk: .wait(.hours(9)))
        #expect(simulation.starts.count == 3)
    }

    @Test func aWidgetThatIsAddedLaterRunsAtOnce() {
        var simulation = Simulation()
        simulation.pass(.minutes(1))
        simulation.add("a", every: .hours(1), stored: StoredAnswer(age: .seconds(5)))
        simulation.pass(.minutes(30))
        #expect(simulation.log == [.init(seconds: 60, widget: "org.test.a", reason: .schedule)])
    }
}
