// SPDX-License-Identifier: MIT

import ClientTestSupport
import JSON
import Link
import Testing
import Varlink

@testable import Commands

/// `perform` with an item that has a command and an update.
@Suite struct CommandTouchTests {
    private let program = Program()

    private func serve(words: JSON, answer: JSON, status: Int) throws {
        let directory = program.directory.path
        program.environment["PATH"] = "/usr/bin:/bin"
        try program.directory.script("#!/bin/sh\necho \"ran $*\"\nexit \(status)\n", to: "tool")
        program.serve(connections: 2) { peer in
            while let call = peer.receive() {
                switch call.memberName {
                case "Show":
                    let item = Wire.item("org.a.b") {
                        $0["compact"] = ["type": "item", "title": "Run", "command": words, "update": true]
                    }
                    peer.send(VarlinkReply(["items": [item], "removed": []]))
                case "PrepareCommand" where call.parameters["command"] == words:
                    peer.send(VarlinkReply(["directory": .string(directory), "environment": [:]]))
                case "Update": peer.send(VarlinkReply(["answers": [answer, ["id": "org.a.c", "answer": "noData"]]]))
                default: peer.send(Self.refusal)
                }
            }
        }
    }

    private static let refusal = VarlinkReply(
        VarlinkError(name: "org.todayd.Today.Refused", parameters: ["reason": "there is no such action"]))
    private static let updated: JSON = ["id": "org.a.b", "answer": "newData"]
    private static let failed: JSON = ["id": "org.a.b", "answer": "failed", "reason": "it is broken"]

    static let rows: [(options: [String], answer: JSON, status: Int, code: ExitCode, output: String, errors: String)] =
        [
            ([], updated, 0, .ok, "ran x y\norg.a.b: new content\n", ""),
            (["--quiet"], updated, 0, .ok, "ran x y\n", ""),
            (
                [], updated, 3, .failed, "ran x y\norg.a.b: new content\n",
                "todayctl: cannot execute ./tool 'x y': it exited with status 3\n"
            ),
            ([], failed, 0, .updateFailed, "ran x y\norg.a.b: failed: it is broken\n", ""),
            (["--no-open"], updated, 0, .ok, "to be executed: ./tool 'x y'\n", ""),
            (["--no-open", "--quiet"], updated, 0, .ok, "", ""),
        ]

    @Test(arguments: rows.indices) func anItemIsExecutedAndThenUpdated(index: Int) throws {
        let row = Self.rows[index]
        try serve(words: ["./tool", "x y"], answer: row.answer, status: row.status)
        let result = try program.run(["perform", "b", "1"] + row.options)
        #expect(result == .init(code: row.code, output: row.output, errors: row.errors))
    }

    @Test func inJSONTheOutputOfTheCommandIsNoPartOfTheReport() throws {
        try serve(words: ["./tool", "x"], answer: Self.updated, status: 0)
        let result = try program.run(["perform", "b", "1", "--json"])
        let report: JSON = ["command": ["./tool", "x"], "status": 0, "answer": Self.updated]
        #expect(try JSON.parse(Array(result.output.utf8)) == report && result.code == .ok)
        let unopened = try program.run(["perform", "b", "1", "--json", "--no-open"])
        #expect(try JSON.parse(Array(unopened.output.utf8)) == ["command": ["./tool", "x"]] && unopened.errors.isEmpty)
    }

    @Test func aTodaydThatIsAnothersExecutesNothing() throws {
        try serve(words: ["./tool"], answer: Self.updated, status: 0)
        program.serve { peer in
            while let call = peer.receive() {
                let item = Wire.item("org.a.b") {
                    $0["compact"] = ["type": "item", "title": "Run", "command": ["./tool"]]
                }
                switch call.memberName {
                case "Show": peer.send(VarlinkReply(["items": [item], "removed": []]))
                case "PrepareCommand": peer.send(VarlinkReply(.permissionDenied))
                default: peer.send(Self.refusal)
                }
            }
        }
        let result = try program.run(["perform", "b", "1"])
        #expect(result.code == .notPermitted && result.output.isEmpty)
        #expect(result.errors.contains("commands are executed for the user whose todayd it is"))
    }
}
