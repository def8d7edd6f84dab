// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Scheduler

/// What holds of an answer after a restart, after a change of the manifest and after editing.
@Suite struct TimetableMemoryTests {
    // MARK: Dates from before the start

    /// A date that has passed while todayd was down was missed; one from before the answer leaves it to the interval.
    @Test(
        arguments: [
            (asked: TimeSpan.minutes(-5), runs: [0]), (.minutes(-115), [0]), (.minutes(-121), []), (.minutes(5), [300]),
        ])
    func aDateThatPassedWhileTodaydWasDownIsDueNow(_ row: (asked: TimeSpan, runs: [Int])) {
        var simulation = Simulation()
        let ask = NextAsk.date(simulation.now.wall + row.asked)
        simulation.add("a", every: .hours(24), stored: StoredAnswer(age: .hours(2), nextAsk: ask))
        simulation.pass(.minutes(10))
        #expect(simulation.log.map(\.seconds) == row.runs)
    }

    /// Freshness counts from the answer, also where that has said a date.
    @Test func aStoredAnswerIsFreshFromItsOwnTimeOn() {
        var simulation = Simulation()
        let now = simulation.now.wall
        simulation.add("a", every: .hours(1), stored: StoredAnswer(age: .hours(1), nextAsk: .date(now + .hours(1))))
        // Asked two hours after the answer: stale four hours after it.
        #expect(!simulation.isStale("a"))
        simulation.lapse(.minutes(170))
        #expect(!simulation.isStale("a"))
        simulation.lapse(.minutes(11))
        #expect(simulation.isStale("a"))
    }

    @Test func aWidgetThatIsAddedLaterRunsDespiteTheDateOfItsAnswer() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.advance()
        let ask = NextAsk.date(simulation.now.wall + .hours(5))
        simulation.add("a", every: .hours(24), stored: StoredAnswer(age: .hours(2), nextAsk: ask))
        simulation.advance()
        #expect(simulation.starts.count == 1)
        simulation.finish(simulation.tickets[0], .failure)
        simulation.now.wall = simulation.now.wall + .hours(6)
        simulation.advance()
        #expect(simulation.starts.count == 1)
    }

    // MARK: Changed manifests

    @Test func aChangedUpdateOnAppearRunsNothing() {
        var simulation = Simulation()
        simulation.add("a", every: .hours(1))
        simulation.pass(.seconds(10))
        simulation.add("a", every: .hours(1), updateOnAppear: .minutes(1))
        simulation.pass(.seconds(10))
        #expect(simulation.starts.count == 1)
    }

    @Test func aChangedIntervalKeepsTheDateOfAnAnswer() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .hours(1))
        simulation.advance()
        simulation.finish(simulation.tickets[0], nextAsk: .date(simulation.now.wall + .hours(5)))
        simulation.add("a", every: .minutes(1))
        simulation.pass(.hours(4))
        #expect(simulation.starts.count == 1)
        // Stale after twice what it has asked for, counted from its answer.
        simulation.add("a", every: .hours(2))
        simulation.lapse(.hours(5) + .minutes(50))
        #expect(!simulation.isStale("a"))
        simulation.lapse(.minutes(11))
        #expect(simulation.isStale("a"))
    }

    /// What waits for a change of its defaults keeps its reason when it is shown again.
    @Test func aHiddenWidgetThatIsBehindKeepsItsReason() {
        var simulation = Simulation()
        simulation.add("a", every: .minutes(1))
        simulation.pass(.seconds(10))
        simulation.setObstacle("hidden", of: "a")
        simulation.markBehind("a")
        simulation.pass(.minutes(5))
        simulation.setObstacle(nil, of: "a")
        simulation.advance()
        #expect(simulation.log.last?.reason == .behind)
    }

    // MARK: Editors

    /// While it is edited, a widget says nothing of whether it works and when it wants to be asked.
    @Test(arguments: [NextAsk.never, .wait(.hours(5))])
    func anEditorKeepsTheTimeThatTheAnswerAskedFor(ask: NextAsk) {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .minutes(1))
        simulation.advance()
        simulation.finish(simulation.tickets[0], nextAsk: ask)
        _ = simulation.request("a")
        simulation.finish(simulation.tickets[1], .editorContent)
        simulation.pass(.hours(4))
        #expect(simulation.starts.count == 2)
        #expect(!simulation.isStale("a"))
    }

    @Test func anEditorDoesNotEndAFailure() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .hours(1))
        simulation.advance()
        simulation.finish(simulation.tickets[0], .failure)
        _ = simulation.request("a")
        simulation.finish(simulation.tickets[1], .editorContent)
        #expect(simulation.activity(of: "a")?.failuresInARow == 1)
        simulation.pass(.minutes(2))
        #expect(simulation.log.last?.reason == .retry)
    }

    // MARK: Widgets that ask too often

    /// A timeline may end a moment from now.
    @Test func aDateIsASecondAwayAtLeast() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .hours(1))
        simulation.advance()
        for _ in 0..<3 {
            simulation.finish(
                simulation.tickets[simulation.starts.count - 1], nextAsk: .date(simulation.now.wall + .milliseconds(15))
            )
            simulation.pass(.milliseconds(900))
        }
        #expect(simulation.starts.count <= 3)
        simulation.pass(.seconds(2))
        #expect(simulation.starts.count > 1)
    }

    @Test func aButtonDoesNotEndAStatedWait() {
        var simulation = Simulation()
        simulation.duration = nil
        let wall = simulation.now.wall
        simulation.add(
            "a", plan(every: .seconds(2)), stored: StoredAnswer(age: .minutes(1), nextAsk: nil),
            notBefore: wall + .hours(1))
        simulation.advance()
        _ = simulation.request("a", interaction: .action("press"))
        simulation.finish(simulation.tickets[0])
        simulation.pass(.minutes(50))
        #expect(simulation.starts.count == 1)
        simulation.appeared("a")
        #expect(simulation.starts.count == 1)
        simulation.pass(.minutes(11))
        #expect(simulation.starts.count == 2)
    }

    @Test func anInteractionMakesTheRunBeforeItUrgent() {
        var simulation = Simulation(concurrency: 1)
        simulation.duration = nil
        for name in ["a", "b", "c"] { simulation.add(name, every: .hours(1)) }
        simulation.advance()
        let running = simulation.tickets[0].widget
        let last = ["c", "b"].map { id($0) }.first { $0 != running } ?? running
        _ = simulation.request(last == id("c") ? "c" : "b", interaction: .action("press"))
        simulation.finish(simulation.tickets[0])
        #expect(simulation.tickets[1].widget == last)
    }

    // MARK: Pushes

    @Test(arguments: [false, true])
    func aPushDoesNotDelayAWidgetThatIsBehind(isDueNow: Bool) {
        var simulation = Simulation()
        simulation.add("a", every: .hours(1))
        simulation.pass(.seconds(10))
        simulation.timetable.markBehind(id("a"), .defaults, at: simulation.now)
        if !isDueNow {
            simulation.pass(.milliseconds(300))
            simulation.timetable.markBehind(id("a"), .defaults, at: simulation.now)
        }
        simulation.planUpdate(of: "a", in: .hours(1))
        simulation.pass(.seconds(2))
        #expect(simulation.starts.count == (isDueNow ? 2 : 3))
    }

    /// A run that is due already was missed. It begins as soon as its obstacle is removed, whatever the pushed content says.
    @Test func aPushDoesNotDelayAWidgetThatIsDue() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .hours(24))
        simulation.advance()
        simulation.finish(simulation.tickets[0], nextAsk: .wait(.minutes(1)))
        simulation.setObstacle("hidden", of: "a")
        simulation.pass(.minutes(5))
        simulation.planUpdate(of: "a", in: .hours(1))
        simulation.setObstacle(nil, of: "a")
        simulation.pass(.seconds(1))
        #expect(simulation.starts.count == 2)
    }
}
