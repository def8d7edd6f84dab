// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Scheduler

/// What a timetable says of itself, and when it wants to be asked again.
@Suite struct TimetableStatusTests {
    @Test func whatAWidgetDoesIsSaid() {
        var simulation = Simulation(concurrency: 1)
        simulation.duration = nil
        simulation.add("a", every: .hours(1))
        simulation.add("b", every: .hours(1))
        simulation.advance()
        let (first, second) = simulation.tickets[0].widget == id("a") ? ("a", "b") : ("b", "a")
        func activity(_ name: String) -> WidgetActivity? {
            simulation.timetable.activity(of: id(name), at: simulation.now)
        }
        #expect(activity(first)?.isRunning == true)
        #expect(activity(first)?.waitingFor == nil)
        #expect(activity(second)?.isRunning == false)
        #expect(activity(second)?.waitingFor == "a free place: 1 of 1 runs in progress")
        #expect(simulation.timetable.waitingCount(at: simulation.now) == 1)
        simulation.finish(simulation.tickets[0])
        #expect(activity(first)?.isRunning == false)
        #expect(activity(first)?.waitingFor == nil)
        #expect(activity(first)?.nextRun.map { $0 > simulation.now.wall } == true)
        #expect(activity("c") == nil)
    }

    @Test func whatIsDueAtThisMomentWaitsForAPlace() {
        var simulation = Simulation(concurrency: 1)
        simulation.duration = nil
        simulation.add("a", every: .hours(1))
        simulation.advance()
        simulation.add("b", every: .hours(1))
        let activity = simulation.timetable.activity(of: id("b"), at: simulation.now)
        #expect(activity?.waitingFor == "a free place: 1 of 1 runs in progress")
        #expect(activity?.nextRun == simulation.now.wall)
    }

    /// Only the end of a run changes anything then: no time is worth a wake-up.
    @Test func withAllPlacesTakenThereIsNoDeadline() {
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

    /// Two hosts ask while a button is being pressed: one run follows, and is both of theirs.
    @Test func requestsThatFollowOneRunAreOne() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .hours(1))
        simulation.advance()
        simulation.finish(simulation.tickets[0])
        _ = simulation.request("a", interaction: .action("press"))
        let first = simulation.request("a")
        let second = simulation.request("a")
        #expect(first.run != nil)
        #expect(first.run == second.run)
        simulation.finish(simulation.tickets[1])
        #expect(simulation.starts.count == 3)
        simulation.finish(simulation.tickets[2])
        #expect(simulation.starts.count == 3)
    }

    /// The rest between two runs for defaults is exact: what is new is not kept back for company.
    @Test func whatIsBehindHasNoSlack() {
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
