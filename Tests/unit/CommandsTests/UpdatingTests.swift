// SPDX-License-Identifier: MIT

import ClientTestSupport
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import Commands
@testable import Link

/// Updating and editing widgets.
@Suite struct UpdatingTests {
    @Test func updatePrintsTheResultOfEachWidget() throws {
        let program = Program()
        func answers(_ answers: [JSON], continues: Bool) -> VarlinkReply {
            VarlinkReply(["answers": .array(answers)], continues: continues)
        }
        program.serve([
            "Update": [
                answers(
                    [["id": "org.a.b", "answer": "started"], ["id": "org.c.d", "answer": "joined"]], continues: true),
                answers([["id": "org.a.b", "answer": "newData", "novelty": [1]]], continues: true),
                answers([["id": "org.c.d", "answer": "failed", "reason": "timed out after 10 s"]], continues: false),
            ]
        ])
        let result = try program.run(["update"])
        #expect(result.code == .updateFailed)
        #expect(result.output == "org.a.b: new content\norg.c.d: failed: timed out after 10 s\n")
    }

    @Test func updateEndsAfterItsTimeout() throws {
        let program = Program()
        let started: JSON = ["id": "org.a.b", "answer": "started"]
        program.serve(["Update": [VarlinkReply(["answers": [started]], continues: true)]])
        let result = try program.run(["update", "--timeout", "100ms"])
        #expect(result.code == .timedOut)
        #expect(result.errors == "todayctl: gave up after 100ms; not finished: org.a.b\n")
    }

    @Test(
        arguments: [
            ([], ExitCode.ok), ([.newData, .noData], .ok), ([.newData, .failed], .updateFailed),
            ([.refused], .updateFailed),
            ([.started], .timedOut), ([.deferred], .timedOut), ([.failed, .started], .timedOut),
        ] as [([UpdateAnswer.Answer], ExitCode)])
    func theWorstAnswerIsTheExitCode(answers: [UpdateAnswer.Answer], code: ExitCode) throws {
        var tally = UpdateTally()
        for (index, answer) in answers.enumerated() {
            let id = try #require(WidgetID("org.a.w\(index)"))
            _ = tally.apply([UpdateAnswer(id: id, answer: answer)])
        }
        #expect(tally.exitCode == code)
    }

    @Test func progressNamesTheUnfinishedWidget() throws {
        var tally = UpdateTally()
        let first = try #require(WidgetID("org.a.a"))
        let second = try #require(WidgetID("org.a.b"))
        #expect(tally.apply([.init(id: first, answer: .started), .init(id: second, answer: .joined)]).isEmpty)
        #expect(tally.apply([.init(id: first, answer: .newData)]).map(\.id) == [first])
        #expect(tally.line(after: .seconds(3)) == "1 of 2 updated, waiting for org.a.b (3 s)")
        #expect(tally.unfinishedList == "; not finished: org.a.b")
    }

    /// What waits is said of one widget; of several the others are of more interest.
    @Test func oneDeferredWidgetIsSaid() throws {
        let ids = try ["org.a.a", "org.a.b"].map { try #require(WidgetID($0)) }
        for count in 1...2 {
            var tally = UpdateTally()
            let said = tally.apply(ids.prefix(count).map { .init(id: $0, answer: .deferred) })
            #expect(said.count == (count == 1 ? 1 : 0))
        }
    }

    @Test(arguments: [(0, ""), (3, "w1, org.a.w2"), (4, "w2 and 1 more"), (6, "w2 and 3 more")])
    func aFewUnfinishedWidgetsAreNamed(count: Int, end: String) throws {
        var tally = UpdateTally()
        for index in 0..<count {
            _ = tally.apply([.init(id: try #require(WidgetID("org.a.w\(index)")), answer: .started)])
        }
        #expect(tally.unfinishedList.hasSuffix(end) && tally.unfinishedList.isEmpty == (count == 0))
    }

    // MARK: Editing

    static let calls: [([String], JSONObject)] = [
        ([], ["id": "clock", "editing": true]), (["--done"], ["id": "clock", "editing": false]),
        (["--cancel"], ["id": "clock", "editing": false, "cancel": true]),
    ]

    @Test(arguments: calls) func editingBeginsAndEndsInTwoWays(options: [String], parameters: JSONObject) throws {
        let edit = Edit(try TodayControl.command.parse(["edit", "clock"] + options))
        #expect(edit.call == ServiceCall("SetEditing", parameters))
    }

    @Test func beginningPrintsTheEditor() throws {
        let program = Program()
        program.serve(Wire.editedClock)
        let result = try program.run(["edit", "clock", "--width", "100"])
        #expect(result.code == .ok)
        let lines = result.output.split(separator: "\n")
        #expect(lines.first == "org.a.clock: new content")
        #expect(lines.dropFirst().first?.hasPrefix("  org.a.clock [editing]") == true)
        #expect(
            lines.dropFirst(2) == [
                "    [1: Remove]", "  More: todayctl expand org.a.clock",
                "  Done: todayctl edit --done org.a.clock",
            ])
    }

    @Test(arguments: [["--done"], ["--cancel"], ["--quiet"]]) func endingPrintsNoCard(_ options: [String]) throws {
        let program = Program()
        program.serve(Wire.editedClock)
        let output = options == ["--quiet"] ? "" : "org.a.clock: new content\n"
        #expect(try program.run(["edit", "clock"] + options) == .init(code: .ok, output: output, errors: ""))
    }
}
