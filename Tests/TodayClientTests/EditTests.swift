// SPDX-License-Identifier: MIT

import Arguments
import JSON
import TestSupport
import Testing
import Varlink

@testable import TodayClient

@Suite struct EditTests {
    static let calls: [([String], JSONObject)] = [
        ([], ["id": "clock", "editing": true]), (["--done"], ["id": "clock", "editing": false]),
        (["--cancel"], ["id": "clock", "editing": false, "cancel": true]),
    ]

    @Test(arguments: calls) func editingBeginsAndEndsInTwoWays(options: [String], parameters: JSONObject) throws {
        let edit = Edit(try TodayControl.command.parse(["edit", "clock"] + options))
        #expect(edit.call == ServiceCall("SetEditing", parameters))
    }

    private static let item = Wire.item(
        "org.a.clock", text: "2 clocks",
        change: [
            "allowsEditing": true, "editing": true, "largestMode": "expanded", "source": "draft",
        ]
    ) { $0["compact"] = ["type": "button", "title": "Remove", "action": "remove"] }

    private func service(_ program: Program) -> ScriptedService {
        program.service([
            "SetEditing": [VarlinkReply(["answer": ["id": "org.a.clock", "answer": "newData"]])],
            "Show": [VarlinkReply(["items": [Self.item], "removed": []])],
            "List": [VarlinkReply(["widgets": [Self.item]])],
        ])
    }

    @Test func whatCanBeChangedIsShownAtOnce() throws {
        let program = Program()
        let service = service(program)
        defer { withExtendedLifetime(service) {} }
        let result = try program.run(["edit", "clock", "--width", "100"])
        #expect(result.code == .ok)
        let lines = result.output.split(separator: "\n")
        #expect(lines.first == "org.a.clock: new content")
        #expect(lines.dropFirst().first?.hasPrefix("▎ org.a.clock [editing]") == true)
        #expect(
            lines.dropFirst(2) == [
                "▎ [1: Remove]", "More: todayctl expand org.a.clock", "Done: todayctl edit --done org.a.clock",
            ])
    }

    @Test(arguments: [["--done"], ["--cancel"], ["--quiet"]]) func theEndNeedsNoCard(_ options: [String]) throws {
        let program = Program()
        let service = service(program)
        defer { withExtendedLifetime(service) {} }
        let output = options == ["--quiet"] ? "" : "org.a.clock: new content\n"
        #expect(try program.run(["edit", "clock"] + options) == .init(code: .ok, output: output, errors: ""))
    }

    static let views: [([String], Bool)] = [
        (["show"], false), (["show", "clock"], true), (["watch"], false), (["watch", "clock"], true),
    ]

    @Test(arguments: views) func aViewSaysThatAWidgetIsEditedAndOneWidgetHowToEnd(
        arguments: [String], hasCommands: Bool
    )
        throws
    {
        let program = Program()
        let service = service(program)
        defer { withExtendedLifetime(service) {} }
        let output = try program.run(arguments).output
        #expect(output.contains("▎ org.a.clock [editing]") && output.contains("▎ [Remove]"))
        #expect(output.contains("Done: todayctl edit --done org.a.clock\n") == hasCommands)
    }

    @Test func theListSaysWhatCanBeDone() throws {
        let program = Program()
        let service = service(program)
        defer { withExtendedLifetime(service) {} }
        #expect(try program.run(["list"]).output.contains("  expand, edit --done  "))
    }

    @Test(arguments: ["show", "watch"]) func numbersAreShownWhenAskedFor(_ command: String) throws {
        let program = Program()
        let service = service(program)
        defer { withExtendedLifetime(service) {} }
        #expect(try program.run([command, "--numbers"]).output.contains("▎ [1: Remove]"))
    }
}
