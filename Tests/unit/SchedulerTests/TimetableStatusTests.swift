// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Scheduler

/// What the timetable tells others: what a widget does or waits for.
@Suite struct TimetableStatusTests {
    @Test func anActivitySaysWhatAWidgetDoesOrWaitsFor() {
        var simulation = Simulation(concurrency: 1)
        simulation.duration = nil
        simulation.add("a", every: .hours(1))
        simulation.add("b", every: .hours(1))
        simulation.advance()
        let (first, second) = simulation.tickets[0].widget == id("a") ? ("a", "b") : ("b", "a")
        #expect(simulation.activity(of: first)?.isRunning == true)
        #expect(simulation.activity(of: first)?.waitingFor == nil)
        #expect(simulation.activity(of: second)?.isRunning == false)
        #expect(simulation.activity(of: second)?.waitingFor == "a free place: 1 of 1 runs in progress")
        #expect(simulation.timetable.waitingCount(at: simulation.now) == 1)
        simulation.finish(simulation.tickets[0])
        #expect(simulation.activity(of: first)?.isRunning == false)
        #expect(simulation.activity(of: first)?.waitingFor == nil)
        #expect(simulation.activity(of: first)?.nextRun.map { $0 > simulation.now.wall } == true)
        #expect(simulation.activity(of: "c") == nil)
    }

    @Test func aWidgetThatIsDueNowWaitsForAFreePlace() {
        var simulation = Simulation(concurrency: 1)
        simulation.duration = nil
        simulation.add("a", every: .hours(1))
        simulation.advance()
        simulation.add("b", every: .hours(1))
        let activity = simulation.activity(of: "b")
        #expect(activity?.waitingFor == "a free place: 1 of 1 runs in progress")
        #expect(activity?.nextRun == simulation.now.wall)
    }
}
