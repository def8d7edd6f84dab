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

    @LoopActor private func begin(_ record: WidgetRecord, isUpdate: Bool, from inputs: UpdateInputs = UpdateInputs()) {
        let manifest = Manifest(
            id: record.id, displayName: "A", update: UpdatePlan(command: ["/bin/true"], contentProtocol: .text))
        let run = WidgetRecord.Run(number: 1, isUpdate: isUpdate, inputs: inputs, session: 0)
        record.began(run, manifest, at: WallTime(microseconds: 0))
    }

    /// A run of widget a.b began with revision 5 of the group, or without one; then others write. The last column is what it
    /// has seen at its end.
    static let writes: [(revision: Int64, writers: [[String]], isUpdate: Bool, seen: Int64)] = [
        (5, [["a.b"]], true, 6), (5, [["a.b", "a.b"], ["a.b"]], true, 8), (5, [["c.d"]], true, 5), (5, [[""]], true, 5),
        // The widget may not have read a change that came between its own changes.
        (5, [["a.b", "c.d", "a.b"]], true, 6), (5, [["c.d", "a.b"]], true, 5),
        (5, [["a.b"], ["c.d"], ["a.b"]], true, 6),
        // After a button, an update must follow, whichever client has written.
        (5, [["a.b"]], false, 5),
        (0, [["a.b"]], true, 1),
    ]

    @Test(arguments: writes) @LoopActor
    func anUpdateHasSeenTheWidgetsOwnChanges(
        _ row: (revision: Int64, writers: [[String]], isUpdate: Bool, seen: Int64)
    ) throws {
        let record = WidgetRecord(try #require(WidgetID("a.b")), Choices())
        var inputs = UpdateInputs()
        if row.revision > 0 { inputs.groups["group.g"] = row.revision }
        begin(record, isUpdate: row.isUpdate, from: inputs)
        var revision = row.revision
        for writers in row.writers {
            revision += Int64(writers.count)
            record.changed("group.g", to: revision, by: writers.map { WidgetID($0) })
        }
        #expect(record.ended(1)?.inputs.groups["group.g"] == row.seen)
    }

    @Test @LoopActor func aRecordIsBusyWhileSomethingRuns() throws {
        let record = WidgetRecord(try #require(WidgetID("a.b")), Choices())
        #expect(!record.isBusy)
        begin(record, isUpdate: true)
        #expect(record.isBusy)
        #expect(record.ended(2) == nil && record.ended(0) == nil && record.isBusy)
        #expect(record.ended(1)?.inputs == UpdateInputs() && record.ended(1) == nil)
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
