// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Scheduler

@Suite struct TimetableRequestTests {
    /// One widget whose first run has just begun and does not end by itself.
    private func running() -> Simulation {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .hours(1))
        simulation.advance()
        return simulation
    }

    /// One widget at rest, its first run over.
    private func resting(concurrency: Int = 4) -> Simulation {
        var simulation = Simulation(concurrency: concurrency)
        simulation.duration = nil
        simulation.add("a", every: .hours(1))
        simulation.advance()
        simulation.finish(simulation.tickets[0])
        return simulation
    }

    @Test func aRequestStartsARestingWidget() {
        var simulation = resting()
        let requested = simulation.request("a")
        #expect(requested.answer.answer == .started)
        #expect(requested.run == simulation.tickets.last?.run)
        #expect(simulation.log.map(\.reason) == [.boot, .request])
    }

    @Test func theIntervalCountsFromARequestedRun() {
        var simulation = resting()
        simulation.pass(.minutes(40))
        _ = simulation.request("a")
        simulation.finish(simulation.tickets[1])
        simulation.duration = .milliseconds(1)
        simulation.pass(.minutes(59))
        #expect(simulation.starts.count == 2)
        simulation.pass(.minutes(4))
        #expect(simulation.starts.count == 3)
    }

    @Test func aRequestDuringARunIsJoinedAndCounted() {
        var simulation = running()
        let requested = simulation.request("a")
        #expect(requested.answer.answer == .joined)
        #expect(requested.run == simulation.tickets[0].run)
        #expect(simulation.appeared("a") == false)
        #expect(simulation.activity(of: "a")?.joined == 1, "a look asks for no run of its own")
        simulation.finish(simulation.tickets[0])
        #expect(simulation.starts.count == 1)
    }

    @Test func actionsDuringARunFollowItOneByOne() {
        var simulation = running()
        let louder = simulation.request("a", interaction: .action("louder"))
        let again = simulation.request("a", interaction: .action("louder"))
        #expect(louder.answer.answer == .deferred)
        #expect(louder.answer.reason == "waits for the end of the run in progress")
        #expect(louder.run != again.run)
        simulation.finish(simulation.tickets[0])
        simulation.finish(simulation.tickets[1])
        simulation.finish(simulation.tickets[2])
        #expect(simulation.tickets.map(\.interaction) == [nil, .action("louder"), .action("louder")])
        #expect(simulation.tickets.dropFirst().map(\.run) == [louder.run, again.run])
    }

    @Test func twoSizesThatWaitAreDrawnOnce() {
        var simulation = running()
        let first = simulation.request("a", interaction: .displayMode)
        let second = simulation.request("a", interaction: .displayMode)
        #expect(first.run != nil && first.run == second.run)
    }

    @Test func aFloodOfActionsIsRefused() {
        var simulation = running()
        for _ in 0..<Timetable.mostFollowing { _ = simulation.request("a", interaction: .action("x")) }
        let answer = simulation.request("a", interaction: .action("x")).answer
        #expect(answer.answer == .refused)
        #expect(answer.reason == "16 actions wait already")
    }

    /// The update that waits is still to be made: a button may only draw anew what there is.
    @Test func actionsFollowARunThatWaits() {
        var simulation = resting(concurrency: 1)
        simulation.add("b")
        simulation.advance()
        let request = simulation.request("a")
        let press = simulation.request("a", interaction: .action("x"))
        let other = simulation.request("a", interaction: .action("y"))
        #expect(Set([request.run, press.run, other.run]).count == 3)
        #expect(other.answer.answer == .deferred)
        #expect(other.answer.reason == "waits for the run before it, which has not begun: 1 of 1 runs in progress")
        for index in 1...3 { simulation.finish(simulation.tickets[index]) }
        #expect(simulation.tickets.dropFirst(2).map(\.interaction) == [nil, .action("x"), .action("y")])
        #expect(simulation.tickets.dropFirst(2).map(\.reason) == [.request, .action, .action])
    }

    /// What a button waits for is as urgent as the button.
    @Test func anActionMakesTheRunBeforeItUrgent() {
        var simulation = Simulation(concurrency: 1)
        simulation.duration = nil
        let names = ["a", "b", "c"]
        for name in names { simulation.add(name) }
        simulation.advance()
        // The last in turn.
        let waiting = names.filter { id($0) != simulation.tickets[0].widget }
        _ = simulation.request(waiting[1], interaction: .action("x"))
        simulation.finish(simulation.tickets[0])
        #expect(simulation.tickets.last?.widget == id(waiting[1]))
    }

    @Test func anUpdateDuringAnInteractionFollowsIt() {
        var simulation = resting()
        let press = simulation.request("a", interaction: .action("x"))
        let update = simulation.request("a")
        #expect(update.answer.answer == .deferred)
        #expect(update.run != press.run)
        simulation.finish(simulation.tickets[1])
        #expect(simulation.tickets.last?.interaction == nil)
        #expect(simulation.tickets.last?.run == update.run)
    }

    @Test func appearingStartsOnlyWhatIsDue() {
        var simulation = resting()
        #expect(simulation.appeared("a") == false)
        let period = period(of: .hours(1), "a")
        // Due, but the timer has not fired yet.
        simulation.now.boot = simulation.now.boot + period
        simulation.now.awake = simulation.now.awake + period
        #expect(simulation.appeared("a") == true)
        #expect(simulation.log.last?.reason == .appear)
    }

    @Test(arguments: ["hidden: its has-content flag is false", "disabled"])
    func anObstacleRefusesARequestInWords(obstacle: String) {
        var simulation = Simulation()
        simulation.add("a", obstacle: obstacle)
        let answer = simulation.request("a")
        #expect(answer.answer == UpdateAnswer(id: id("a"), answer: .refused, reason: obstacle) && answer.run == nil)
        #expect(simulation.appeared("a") == false)
        simulation.pass(.hours(3))
        #expect(simulation.starts.isEmpty)
        #expect(simulation.activity(of: "a")?.waitingFor == obstacle)
    }

    @Test func anUnknownWidgetAndAPushedOneRefuseToo() {
        var simulation = Simulation()
        let push = UpdatePlan(command: [], contentProtocol: .push)
        simulation.add("pushed", push)
        #expect(simulation.request("nobody").answer.reason == "not scheduled")
        #expect(
            simulation.request("pushed").answer.reason == "no program to run: its content is pushed (Protocol=push)")
        simulation.pass(.days(1))
        #expect(simulation.starts.isEmpty)
        #expect(!simulation.isStale("pushed"))
    }

    /// Two hosts ask while a button is being pressed: one run follows, and is both of theirs.
    @Test func plainRequestsThatFollowARunShareOneRun() {
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
}
