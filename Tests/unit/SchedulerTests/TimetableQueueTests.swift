// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Scheduler

@Suite struct TimetableQueueTests {
    /// Three widgets that run for ever, as many as may.
    private func full() -> Simulation {
        var simulation = Simulation(concurrency: 3)
        simulation.duration = nil
        for name in ["a", "b", "c"] { simulation.add(name, every: .hours(1)) }
        simulation.advance()
        #expect(simulation.starts.count == 3)
        return simulation
    }

    @Test(arguments: [1, 2, 7, 64])
    func neverMoreRunsThanAllowed(concurrency: Int) {
        var simulation = Simulation(concurrency: concurrency)
        simulation.duration = nil
        for number in 0..<100 { simulation.add("w\(number)") }
        simulation.advance()
        var finished = 0
        while finished < 100 {
            #expect(simulation.timetable.runningCount == min(concurrency, 100 - finished))
            #expect(simulation.starts.count == min(100, finished + concurrency))
            simulation.finish(simulation.tickets[finished], nextAsk: .wait(.days(1)))
            finished += 1
        }
        #expect(Set(simulation.tickets.map(\.widget)).count == 100)
    }

    @Test func requestsComeBeforeAppearancesBeforeTheSchedule() {
        var simulation = full()
        simulation.add("scheduled", stored: StoredAnswer(age: .hours(1)))
        simulation.add("watched", stored: StoredAnswer(age: .minutes(30)))
        simulation.add("asked", stored: StoredAnswer(age: .zero))
        simulation.advance()
        #expect(simulation.appeared("watched") == false)
        let requested = simulation.request("asked")
        #expect(requested.answer.answer == .deferred)
        #expect(requested.answer.reason == "waits for a free place: 3 of 3 runs in progress")
        for ticket in simulation.tickets { simulation.finish(ticket) }
        #expect(
            simulation.log.dropFirst(3).map(\.widget) == ["org.test.asked", "org.test.watched", "org.test.scheduled"])
        #expect(simulation.log.dropFirst(3).map(\.reason) == [.request, .appear, .schedule])
        #expect(simulation.tickets[3].run == requested.run)
    }

    @Test func withAllPlacesTakenNothingIsWorthAWakeUp() {
        var simulation = full()
        simulation.add("d", every: .seconds(1), stored: StoredAnswer(age: .zero))
        simulation.advance()
        #expect(simulation.timetable.nextDeadline == nil)
        simulation.pass(.seconds(10))
        #expect(simulation.timetable.nextDeadline == nil)
        #expect(simulation.timetable.waitingCount(at: simulation.now) == 1)
        let activity = simulation.activity(of: "d")
        #expect(activity?.waitingFor == "a free place: 3 of 3 runs in progress")
    }

    /// The outcome of a run is recorded while the next one is at work.
    @Test func anEndedRunGivesItsPlaceToOthersAndNotToItsOwnWidget() {
        var simulation = full()
        simulation.add("d", stored: StoredAnswer(age: .hours(2)))
        simulation.add("e", stored: StoredAnswer(age: .hours(2)))
        simulation.advance()
        _ = simulation.request("a", interaction: .displayMode)
        let first = simulation.tickets[0]
        var known: [Bool] = []
        for run in [first.run + 100, first.run, first.run] {
            known.append(simulation.timetable.ended(first.widget, run: run))
        }
        #expect(known == [false, true, false])
        simulation.advance()
        #expect(simulation.tickets.dropFirst(3).map(\.widget) == [id("d")])
        #expect(simulation.timetable.runningCount == 3)
        let counts = simulation.finish(first)
        #expect(counts && simulation.starts.count == 4 && simulation.timetable.runningCount == 3)
        simulation.finish(simulation.tickets[1])
        #expect(simulation.tickets.last?.widget == first.widget)
    }

    @Test func aRemovedWidgetGivesItsPlaceOnce() {
        var simulation = full()
        let first = simulation.tickets[0]
        let isNews = simulation.timetable.ended(first.widget, run: first.run)
        let dropped = simulation.timetable.remove(first.widget)
        #expect(isNews && dropped.isEmpty)
        let counts = simulation.finish(first)
        #expect(!counts && simulation.timetable.runningCount == 2)
    }

    @Test func moreRoomIsUsedAtOnce() {
        var simulation = full()
        simulation.add("d")
        simulation.advance()
        simulation.timetable.concurrency = 4
        simulation.advance()
        #expect(simulation.starts.count == 4)
        simulation.timetable.concurrency = 0
        #expect(simulation.timetable.concurrency == 1)
    }

    @Test func aRequestMovesAWaitingRunForward() {
        var simulation = full()
        for name in ["d", "e", "f"] { simulation.add(name, stored: StoredAnswer(age: .hours(2))) }
        simulation.advance()
        let first = simulation.request("f")
        let second = simulation.request("f")
        #expect(first.run == second.run)
        simulation.finish(simulation.tickets[0])
        #expect(simulation.log.last?.widget == "org.test.f")
        #expect(simulation.log.last?.reason == .request)
        #expect(simulation.appeared("f") == false && simulation.activity(of: "f")?.isRunning == true)
        #expect(simulation.activity(of: "f")?.joined == 1)
    }

    @Test func tenThousandWidgetsTakeTheirTurns() {
        var simulation = Simulation(concurrency: 8)
        simulation.duration = .milliseconds(1)
        for number in 0..<10_000 { simulation.add("w\(number)", every: .hours(1)) }
        let clock = ContinuousClock()
        let took = clock.measure { simulation.pass(.seconds(30)) }
        #expect(simulation.starts.count == 10_000)
        #expect(Set(simulation.tickets.map(\.widget)).count == 10_000)
        // Linear costs per event would take minutes even on a fast machine.
        #expect(took < .seconds(20))
        for number in 0..<10_000 { _ = simulation.timetable.remove(id("w\(number)")) }
        #expect(simulation.timetable.entries.ids.isEmpty)
        #expect(simulation.timetable.nextDeadline == nil)
    }

    @Test func aFreePlaceBringsTheDeadlineBack() {
        var simulation = Simulation(concurrency: 1)
        simulation.duration = nil
        simulation.add("a", every: .minutes(1))
        simulation.advance()
        simulation.add("b", every: .minutes(1))
        #expect(simulation.timetable.nextDeadline == nil)
        simulation.finish(simulation.tickets[0])
        #expect(simulation.timetable.nextDeadline == nil)
        simulation.finish(simulation.tickets[1])
        #expect(simulation.timetable.nextDeadline != nil)
    }
}
