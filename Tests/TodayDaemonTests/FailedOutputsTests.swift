// SPDX-License-Identifier: MIT
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import TodayDaemon

@Suite struct FailedOutputsTests {
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
        let outputs = FailedOutputs()
        let failed = try outcome(.failed("why"))
        outputs.note(failed)
        #expect(outputs[failed.widget] == printed)
        outputs.note(try outcome(.noData))
        #expect(outputs[failed.widget] == nil)
    }

    @Test @LoopActor func theOutputOfAWidgetThatIsGoneIsForgotten() throws {
        let outputs = FailedOutputs()
        let (gone, stays) = (try outcome(.failed("why")), try outcome(.failed("why"), of: "c.d"))
        outputs.note(gone)
        outputs.note(stays)
        outputs.keep { $0 == stays.widget }
        #expect(outputs[gone.widget] == nil && outputs[stays.widget] == printed)
    }
}
