// SPDX-License-Identifier: MIT
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import TodayDaemon

@Suite struct LastOutputsTests {
    init() { TestLoop.start() }

    private let printed = Printed(Array("x".utf8), keeping: 9)

    @LoopActor private func outcome(_ result: RunOutcome.Result, of name: String = "a.b") throws -> RunOutcome {
        let id = try #require(WidgetID(name))
        var outcome = RunOutcome(
            widget: id, run: 1, reason: .schedule, started: WallTime(microseconds: 0), duration: .zero, result: result)
        outcome.printed = printed
        return outcome
    }

    @Test @LoopActor func onlyTheLastFailureCounts() throws {
        let outputs = LastOutputs()
        let failed = try outcome(.failed("why"))
        outputs.note(failed)
        #expect(outputs[failed.widget].printed == printed)
        outputs.note(try outcome(.noData))
        #expect(outputs[failed.widget].printed == nil)
    }

    @Test @LoopActor func whatWasNotUnderstoodCountsUntilTheNextOutput() throws {
        let outputs = LastOutputs()
        var good = try outcome(.newData(Content(text: "x")))
        good.notes = ["line 1: unknown key x"]
        outputs.note(good)
        #expect(outputs[good.widget] == LastOutputs.Output(notes: ["line 1: unknown key x"]))
        outputs.note(try outcome(.noData))
        #expect(outputs[good.widget] == LastOutputs.Output())
    }

    @Test @LoopActor func theOutputOfAWidgetThatIsGoneIsForgotten() throws {
        let outputs = LastOutputs()
        let (gone, stays) = (try outcome(.failed("why")), try outcome(.failed("why"), of: "c.d"))
        outputs.note(gone)
        outputs.note(stays)
        outputs.refusedToOpen("a:b", for: gone.widget, because: "no")
        outputs.keep { $0 == stays.widget }
        #expect(outputs[gone.widget].notes == [])
        #expect(outputs[gone.widget].printed == nil && outputs[stays.widget].printed == printed)
    }
}
