// SPDX-License-Identifier: MIT
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import TodayDaemon

/// What the daemon keeps of a widget in memory.
@Suite struct WidgetRecordTests {
    init() { TestLoop.start() }

    private let printed = Printed(Array("x".utf8), keeping: 9)

    private func outcome(_ result: RunOutcome.Result) throws -> RunOutcome {
        var outcome = RunOutcome(
            widget: try #require(WidgetID("a.b")), run: 1, reason: .schedule, started: WallTime(microseconds: 0),
            duration: .zero, result: result)
        outcome.printed = printed
        return outcome
    }

    @Test func onlyTheLastFailureCounts() throws {
        var output = LastOutput()
        output.note(try outcome(.failed("why")))
        #expect(output.printed == printed)
        output.note(try outcome(.noData))
        #expect(output == LastOutput())
    }

    @Test func whatWasNotUnderstoodCountsUntilTheNextOutput() throws {
        var output = LastOutput()
        var good = try outcome(.newData(Content(text: "x")))
        good.notes = ["line 1: unknown key x"]
        output.note(good)
        #expect(output.notes == ["line 1: unknown key x"] && output.printed == nil)
        output.note(try outcome(.noData))
        #expect(output == LastOutput())
    }

    /// Further outputs do not change it, and the next press does.
    @Test @LoopActor func aRefusedURLCountsUntilTheNextPress() throws {
        let record = WidgetRecord(try #require(WidgetID("a.b")), Choices())
        record.output.refusedToOpen("a:b", because: "no")
        record.output.note(try outcome(.noData))
        #expect(record.output.notes == ["todayd did not open a:b: no"])
        record.pressBegan(isLocked: true)
        #expect(record.output.notes == [] && record.press == .locked)
        record.pressBegan(isLocked: false)
        #expect(record.press == .withoutURL)
    }

    @Test func aPressOpensOneURL() {
        for (press, url) in [(ButtonPress.none, nil), (.withoutURL, nil), (.locked, nil), (.opens("a:b"), "a:b")] {
            var press = press
            #expect(press.end() == url)
            #expect(press == .none)
        }
    }

    @Test @LoopActor func aRecordIsBusyWhileSomethingRuns() throws {
        let record = WidgetRecord(try #require(WidgetID("a.b")), Choices())
        #expect(!record.isBusy)
        record.runs.began(1, isUpdate: true, from: Premises())
        #expect(record.isBusy)
        _ = record.runs.ended(1)
        #expect(!record.isBusy)
        record.processes.began(4)
        #expect(record.isBusy)
        _ = record.processes.ended(4)
        #expect(!record.isBusy)
        record.waiters.add(run: 1, RecordingListener())
        #expect(record.isBusy)
        record.waiters.finished(run: 1, UpdateAnswer(id: record.id, answer: .noData))
        #expect(!record.isBusy)
    }
}
