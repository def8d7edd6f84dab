// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Scheduler

/// What a button, another mode or the end of editing draws is not newer than the last update.
@Suite struct TimetableInteractionTests {
    /// The last update asked for something; a button draws something that asks for something else, 10 s later.
    struct Row {
        var update: NextAsk?
        var button: NextAsk?
        /// When the next update comes, in seconds; nil for not by itself.
        var next: Int?
        /// From when on the answer is stale; nil for never.
        var stale: Int?
    }

    static let rows = [
        Row(update: nil, button: nil, next: 60, stale: 120),
        Row(update: nil, button: .wait(.seconds(5)), next: 15, stale: 120),
        Row(update: nil, button: .wait(.hours(1)), next: 60, stale: 120),
        Row(update: nil, button: .never, next: 60, stale: 120),
        Row(update: .never, button: nil, next: 60, stale: 120),
        Row(update: .never, button: .never, next: nil, stale: nil),
        Row(update: .never, button: .wait(.hours(1)), next: 3_610, stale: 7_200),
        Row(update: .wait(.hours(1)), button: .never, next: 3_600, stale: 7_200),
    ]

    @Test(arguments: rows) func anInteractionMayMakeTheNextRunSoonerButNotLater(_ row: Row) {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .minutes(1))
        simulation.advance()
        let beginning = simulation.now
        simulation.finish(simulation.tickets[0], nextAsk: row.update)
        simulation.pass(.seconds(10))
        _ = simulation.request("a", interaction: .action("b"))
        simulation.finish(simulation.tickets[1], nextAsk: row.button)
        let stale = simulation.timetable.freshUntil(of: id("a")).map { ($0 - beginning.awake).microseconds / 1_000_000 }
        #expect(stale == row.stale.map(Int64.init))
        simulation.pass(.hours(3))
        let next = simulation.log.dropFirst(2).first?.seconds
        if let expected = row.next, let next {
            #expect((expected...expected + max(expected / 32, 1) + 5).contains(next))
        } else {
            #expect(next == row.next)
        }
    }

    @Test func anEditorRenewsNothing() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .minutes(1))
        simulation.advance()
        simulation.finish(simulation.tickets[0])
        let fresh = simulation.timetable.freshUntil(of: id("a"))
        simulation.pass(.seconds(62))
        simulation.finish(simulation.tickets[1], .editorContent)
        #expect(simulation.timetable.freshUntil(of: id("a")) == fresh)
        let activity = simulation.activity(of: "a")
        #expect(activity?.failuresInARow == 0 && activity?.runs == 2)
    }

    /// With an interval of a minute the second retry would come later than the interval.
    @Test func aFailingWidgetDoesNotRunEachTimeItAppears() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .minutes(1), stored: StoredAnswer(age: .hours(1)), updateOnAppear: .seconds(1))
        for run in 0..<3 {
            simulation.pass(.seconds(70))
            simulation.finish(simulation.tickets[run], .failure)
        }
        simulation.pass(.seconds(5))
        #expect(simulation.appeared("a") == false)
        #expect(simulation.starts.count == 3)
    }

    @Test func anotherIntervalOrSizeDoesNotBreakAStatedWait() {
        var simulation = Simulation()
        simulation.duration = nil
        simulation.add("a", every: .minutes(5))
        simulation.advance()
        simulation.finish(simulation.tickets[0], .failure, nextAsk: .wait(.minutes(16)))
        simulation.add("a", every: .minutes(1))
        simulation.markBehind("a", .room)
        simulation.planUpdate(of: "a", in: .seconds(1))
        simulation.pass(.minutes(15))
        #expect(simulation.starts.count == 1)
        simulation.pass(.minutes(2))
        #expect(simulation.starts.count == 2)
    }
}
