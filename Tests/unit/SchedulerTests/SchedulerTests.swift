// SPDX-License-Identifier: MIT
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import Scheduler

@Suite struct SchedulerTests {
    init() { TestLoop.start() }

    @LoopActor private func made() throws -> (Scheduler, Arrivals<RunTicket>) {
        let scheduler = try Scheduler(concurrency: 2)
        let due = Arrivals<RunTicket>("due widget")
        scheduler.onDue { due.send($0) }
        return (scheduler, due)
    }

    @Test @LoopActor func aDueWidgetIsReportedAndAfterItsEndTheNextTime() async throws {
        let (scheduler, due) = try made()
        scheduler.add(id("a"), plan(every: .hours(1)), isStart: true)
        let first = try await due.next()
        #expect(first.reason == .boot)
        #expect(scheduler.runningCount == 1)
        #expect(scheduler.finished(outcome(first, .failed("no network"))))
        #expect(scheduler.runningCount == 0)
        #expect(scheduler.activity(of: id("a"))?.failuresInARow == 1)
        scheduler.stop(because: "the test is over")
    }

    @Test @LoopActor func aRunIsReportedOnce() async throws {
        let (scheduler, due) = try made()
        for name in ["a", "b"] {
            scheduler.add(id(name), plan(every: .hours(1)), isStart: false)
            #expect(try await due.next().widget == id(name))
        }
        // What waits for a place begins with it, and not at the next event.
        scheduler.add(id("c"), plan(every: .hours(1)), isStart: false)
        scheduler.setConcurrency(3)
        #expect(try await due.next().widget == id("c"))
        #expect(due.taken().isEmpty)
        scheduler.stop(because: "the test is over")
    }

    /// Programs that cannot be started end while they begin. Each is started after the one before has returned.
    @Test @LoopActor func theNextRunBeginsWhenOneEnds() async throws {
        let scheduler = try Scheduler(concurrency: 1)
        let due = Arrivals<RunTicket>("due widget")
        scheduler.onDue { due.send($0) }
        for name in ["a", "b"] { scheduler.add(id(name), plan(every: .hours(1)), isStart: false) }
        let first = try await due.next()
        scheduler.ended(first.widget, run: first.run)
        #expect(due.taken().map(\.widget) == [id("b")])
        var depth = 0
        scheduler.onDue { ticket in
            depth += 1
            #expect(depth == 1)
            scheduler.ended(ticket.widget, run: ticket.run)
            #expect(scheduler.finished(outcome(ticket, .failed("cannot execute"))))
            depth -= 1
            due.send(ticket)
        }
        for name in ["c", "d", "e"] { scheduler.add(id(name), plan(every: .hours(1)), isStart: false) }
        scheduler.setConcurrency(2)
        for name in ["c", "d", "e"] { #expect(try await due.next().widget == id(name)) }
        scheduler.stop(because: "the test is over")
    }

    @Test @LoopActor func theTimerFiresForTheNextRun() async throws {
        let (scheduler, due) = try made()
        scheduler.add(id("a"), plan(every: .seconds(1)), isStart: true, stored: StoredAnswer(age: .milliseconds(900)))
        #expect(try await due.next().reason == .schedule)
        scheduler.stop(because: "the test is over")
    }

    @Test @LoopActor func aRequestIsAnsweredBeforeItsRunBegins() async throws {
        let scheduler = try Scheduler(concurrency: 2)
        let due = Arrivals<RunTicket>("due widget")
        scheduler.onDue { ticket in
            // A program that cannot be started fails at once.
            _ = scheduler.finished(outcome(ticket, .failed("cannot execute")))
            due.send(ticket)
        }
        scheduler.add(id("a"), plan(every: .hours(1)), isStart: true, stored: StoredAnswer(age: .zero))
        let requested = scheduler.request(id("a"), interaction: .action("x"))
        #expect(requested.answer.answer == .started)
        #expect(due.taken().isEmpty)
        let ticket = try await due.next()
        #expect(ticket.run == requested.run)
        #expect(ticket.interaction == .action("x"))
        scheduler.onDue { _ in }
        scheduler.stop(because: "the test is over")
    }

    @Test @LoopActor func anAnswerSaysWhenTheNextRunIsDue() async throws {
        let (scheduler, due) = try made()
        scheduler.add(id("a"), plan(every: .hours(1)), isStart: true)
        var soon = outcome(try await due.next(), .noData)
        soon.nextAsk = .wait(.seconds(1))
        #expect(scheduler.finished(soon))
        #expect(try await due.next().reason == .schedule)
        scheduler.stop(because: "the test is over")
    }

    @Test @LoopActor func aWidgetThatIsBehindRunsSoon() async throws {
        let (scheduler, due) = try made()
        scheduler.add(id("a"), plan(every: .hours(1)), isStart: true, stored: StoredAnswer(age: .zero))
        scheduler.markBehind(id("a"), .defaults)
        #expect(try await due.next().reason == .behind)
        scheduler.stop(because: "the test is over")
    }

    @Test @LoopActor func pushedContentSaysWhenTheNextRunIsDue() async throws {
        let (scheduler, due) = try made()
        scheduler.add(id("a"), plan(every: .hours(1)), isStart: true, stored: StoredAnswer(age: .zero))
        // Nothing else has the timer set.
        let turns = Arrivals<Void>("turn of the loop")
        let turn = try EndOfRound { turns.send() }
        turn.schedule()
        try await turns.next()
        scheduler.planUpdate(of: id("a"), in: .milliseconds(50))
        #expect(try await due.next().reason == .schedule)
        scheduler.stop(because: "the test is over")
    }

    /// A run that was planned in the same turn does not begin either.
    @Test @LoopActor func nothingBeginsAfterItIsStopped() async throws {
        let scheduler = try Scheduler(concurrency: 2)
        let (due, dropped) = (Arrivals<RunTicket>("due widget"), Arrivals<RunTicket>("dropped run"))
        scheduler.onDue { due.send($0) }
        scheduler.onDropped { ticket, _ in dropped.send(ticket) }
        scheduler.add(id("a"), plan(every: .hours(1)), isStart: true)
        #expect(scheduler.request(id("b")).run == nil)
        #expect(scheduler.request(id("a")).answer.answer == .started)
        scheduler.stop(because: "the test is over")
        #expect(dropped.taken().count == 1)
        // Turns run in the order in which they were scheduled.
        let turns = Arrivals<Void>("turn of the loop")
        let turn = try EndOfRound { turns.send() }
        turn.schedule()
        try await turns.next()
        #expect(due.taken().isEmpty)
        #expect(scheduler.request(id("a")).answer.answer == .refused)
    }

    @Test @LoopActor func aDroppedRunIsReportedWithTheReason() async throws {
        let moment = Moment.now
        let scheduler = try Scheduler(concurrency: 1, clock: { moment })
        let dropped = Arrivals<String>("dropped run")
        scheduler.onDropped { dropped.send("\($0.widget) \($1)") }
        scheduler.add(id("a"), plan(), isStart: true, stored: StoredAnswer(age: .seconds(30)))
        #expect(scheduler.request(id("a")).answer.answer == .started)
        scheduler.add(id("b"), plan(), isStart: false)
        #expect(scheduler.request(id("b")).answer.answer == .deferred)
        #expect(scheduler.waitingCount == 1)
        #expect(!scheduler.setObstacle("disabled", of: id("b")))
        #expect(try await dropped.next() == "org.test.b disabled")
        #expect(scheduler.setObstacle(nil, of: id("b")))
        #expect(scheduler.freshUntil(of: id("a")) == moment.awake + .seconds(90))
        #expect(scheduler.freshUntil(of: id("b")) == nil)
        scheduler.stop(because: "the test is over")
    }

    private nonisolated func outcome(_ ticket: RunTicket, _ result: RunOutcome.Result) -> RunOutcome {
        RunOutcome(
            widget: ticket.widget, run: ticket.run, reason: ticket.reason, started: WallTime(microseconds: 0),
            duration: .milliseconds(1), result: result)
    }
}

extension Scheduler {
    fileprivate func onDue(_ body: @escaping @LoopActor (RunTicket) -> Void) {
        let others = onAction
        onAction = { if case .start(let ticket) = $0 { body(ticket) } else { others($0) } }
    }

    fileprivate func onDropped(_ body: @escaping @LoopActor (RunTicket, String) -> Void) {
        let others = onAction
        onAction = { if case .drop(let ticket, let reason) = $0 { body(ticket, reason) } else { others($0) } }
    }
}
