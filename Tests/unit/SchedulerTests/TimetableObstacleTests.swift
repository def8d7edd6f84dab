// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Scheduler

@Suite struct TimetableObstacleTests {
    /// A run that was dropped is not begun when the obstacle is gone: its client has been told.
    @Test func aDroppedRunStaysDropped() {
        var simulation = Simulation(concurrency: 1)
        simulation.duration = nil
        simulation.add("a", every: .hours(1))
        simulation.add("b", every: .hours(1), stored: StoredAnswer(age: .zero))
        simulation.advance()
        let run = simulation.request("b").run
        simulation.setObstacle("hidden", of: "b")
        #expect(simulation.drops.map(\.ticket.run) == [run])
        simulation.setObstacle(nil, of: "b")
        simulation.finish(simulation.tickets[0])
        simulation.pass(.minutes(1))
        #expect(run != nil && !simulation.tickets.contains { $0.run == run })
    }

    @Test func aHiddenWidgetIsNotLaunchedUntilItIsShownAgain() {
        var simulation = Simulation()
        simulation.add("a", every: .minutes(1))
        simulation.pass(.seconds(30))
        simulation.setObstacle("hidden", of: "a")
        simulation.pass(.hours(2))
        #expect(simulation.starts.count == 1)
        simulation.setObstacle(nil, of: "a")
        simulation.advance()
        #expect(simulation.log.map(\.reason) == [.boot, .schedule])
    }

    @Test func aWidgetThatIsShownAgainBeforeItIsDueWaits() {
        var simulation = Simulation()
        simulation.add("a", every: .hours(1))
        simulation.pass(.seconds(30))
        simulation.setObstacle("hidden", of: "a")
        simulation.pass(.seconds(30))
        simulation.setObstacle(nil, of: "a")
        simulation.pass(.minutes(50))
        #expect(simulation.starts.count == 1)
        simulation.pass(.minutes(15))
        #expect(simulation.starts.count == 2)
    }

    @Test func aWidgetThatLosesItsProgramLosesItsPlannedRuns() {
        var simulation = Simulation(concurrency: 1)
        simulation.duration = nil
        simulation.add("other")
        simulation.advance()
        simulation.add("a")
        let requested = simulation.request("a")
        let pushed = UpdatePlan(command: [], contentProtocol: .push)
        simulation.add("a", pushed)
        #expect(simulation.drops.map(\.ticket.run) == [requested.run])
        simulation.finish(simulation.tickets[0])
        #expect(simulation.starts.count == 1)
    }

    @Test func stoppingDropsAllThatIsPlannedAndRefusesTheRest() {
        var simulation = Simulation(concurrency: 1)
        simulation.duration = nil
        simulation.add("other")
        simulation.advance()
        simulation.add("a")
        let planned = simulation.request("a")
        let following = simulation.request("other", interaction: .action("press"))
        simulation.perform(simulation.timetable.stop(because: "the end", at: simulation.now))
        #expect(Set(simulation.drops.map(\.ticket.run)) == Set([planned.run, following.run].compactMap { $0 }))
        #expect(simulation.drops.allSatisfy { $0.reason == "the end" })
        #expect(simulation.request("a").answer.answer == .refused)
    }

    @Test func hidingDropsWhatIsPlannedAndSaysWhy() {
        var simulation = Simulation(concurrency: 1)
        simulation.duration = nil
        simulation.add("other")
        simulation.advance()
        simulation.add("a")
        let requested = simulation.request("a")
        simulation.setObstacle("disabled", of: "a")
        #expect(simulation.drops.map(\.ticket.run) == [requested.run])
        #expect(simulation.drops.map(\.reason) == ["disabled"])
        simulation.finish(simulation.tickets[0])
        #expect(simulation.starts.count == 1)
    }

    @Test func aRunInProgressMayEndAndCountsAfterHiding() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a")
        simulation.advance()
        let press = simulation.request("a", interaction: .action("x"))
        simulation.setObstacle("hidden", of: "a")
        #expect(simulation.drops.map(\.ticket.run) == [press.run])
        #expect(simulation.finish(simulation.tickets[0]) == true)
        simulation.pass(.hours(1))
        #expect(simulation.starts.count == 1)
        #expect(simulation.timetable.runningCount == 0)
    }

    @Test func theOutcomeOfARemovedWidgetIsIgnorableAndItsPlaceFree() {
        var simulation = Simulation(concurrency: 1)
        simulation.duration = nil
        simulation.add("a")
        simulation.advance()
        simulation.add("b")
        simulation.perform(simulation.timetable.remove(id("a")))
        simulation.advance()
        #expect(simulation.starts.count == 1)
        #expect(simulation.activity(of: "a") == nil)
        #expect(simulation.finish(simulation.tickets[0]) == false)
        #expect(simulation.log.map(\.widget) == ["org.test.a", "org.test.b"])
        #expect(simulation.finish(simulation.tickets[0]) == false)
        #expect(simulation.timetable.runningCount == 1)
    }

    @Test func aWidgetThatIsRemovedAndAddedDuringItsRunWaitsForTheEnd() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a")
        simulation.advance()
        simulation.perform(simulation.timetable.remove(id("a")))
        simulation.add("a")
        simulation.advance()
        #expect(simulation.starts.count == 1)
        let request = simulation.request("a")
        #expect(request.answer.answer == .deferred)
        #expect(simulation.finish(simulation.tickets[0]) == false)
        #expect(simulation.starts.count == 2)
        #expect(simulation.tickets[1].run == request.run)
        #expect(simulation.activity(of: "a")?.runs == 0)
        #expect(simulation.finish(simulation.tickets[1]) == true)
    }

    @Test func aRemovedWidgetDropsItsRequests() {
        var simulation = Simulation(concurrency: 1)
        simulation.duration = nil
        simulation.add("other")
        simulation.advance()
        simulation.add("a")
        let request = simulation.request("a")
        simulation.perform(simulation.timetable.remove(id("a")))
        #expect(simulation.drops.map(\.ticket.run) == [request.run])
        #expect(simulation.drops.map(\.reason) == ["removed"])
    }

    @Test func aMinuteOfHidingAndShowingStartsNothingTwice() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a")
        simulation.advance()
        for _ in 0..<10 {
            simulation.setObstacle("hidden", of: "a")
            simulation.pass(.seconds(3))
            simulation.setObstacle(nil, of: "a")
            simulation.pass(.seconds(3))
        }
        #expect(simulation.starts.count == 1)
    }
}
