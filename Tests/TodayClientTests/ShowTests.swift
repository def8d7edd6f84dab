// SPDX-License-Identifier: MIT

import JSON
import TestSupport
import Testing
import Varlink

@testable import TodayClient

@Suite struct ShowTests {
    @Test func showPrintsTheView() throws {
        let program = Program()
        program.serve([
            "Show": [VarlinkReply(["items": [Wire.item("org.a.b", text: "all is well")], "removed": []])]
        ])
        let result = try program.run(["show", "--width", "40"])
        #expect(result.code == .ok)
        #expect(result.output.split(separator: "\n").count == 2)
        #expect(result.output.contains("all is well"))
        #expect(!result.output.contains("\u{1B}"))
    }

    @Test func noCommandShowsTheView() throws {
        let program = Program()
        program.serve(["Show": [VarlinkReply(["items": [], "removed": []])]])
        #expect(try program.run([]).output.hasPrefix("Nothing to show."))
    }

    @Test func colorAlwaysPrintsColours() throws {
        let program = Program()
        program.serve(["Show": [VarlinkReply(["items": [Wire.item("org.a.b")], "removed": []])]])
        #expect(try program.run(["show", "--color=always"]).output.contains("\u{1B}[1m"))
    }

    @Test func jsonIsTheReplyAsItIs() throws {
        let program = Program()
        let reply: JSONObject = ["items": [Wire.item("org.a.b")], "removed": [], "fromTheFuture": 1]
        program.serve(["Show": [VarlinkReply(reply)]])
        let output = try program.run(["show", "--json"]).output
        #expect(try JSON.parse(Array(output.utf8)) == .object(reply))
    }

    @Test(arguments: ["show", "watch"]) func numbersOptionShowsNumbers(_ command: String) throws {
        let program = Program()
        program.serve(Wire.editedClock)
        #expect(try program.run([command, "--numbers"]).output.contains("▎ [1: Remove]"))
    }

    static let views: [([String], Bool)] = [
        (["show"], false), (["show", "clock"], true), (["watch"], false), (["watch", "clock"], true),
    ]

    @Test(arguments: views) func onlyANamedWidgetShowsHowToEndEditing(
        arguments: [String], hasCommands: Bool
    )
        throws
    {
        let program = Program()
        program.serve(Wire.editedClock)
        let output = try program.run(arguments).output
        #expect(output.contains("▎ org.a.clock [editing]") && output.contains("▎ [Remove]"))
        #expect(output.contains("Done: todayctl edit --done org.a.clock\n") == hasCommands)
    }
}
