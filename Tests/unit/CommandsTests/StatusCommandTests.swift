// SPDX-License-Identifier: MIT

import ClientTestSupport
import Files
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import Commands

/// `status` and `page`, against a service that follows a script.
@Suite struct StatusCommandTests {
    private let program = Program()

    private func status(_ arguments: String...) throws -> Program.Result {
        program.serve { peer in
            while let call = peer.receive() {
                let id = call.parameters["id"]?.stringValue
                if call.memberName == "Show" {
                    peer.send(VarlinkReply(["items": [Wire.item(id ?? "")], "removed": []]))
                } else {
                    let widgets = [id ?? "org.a.b"].map { WidgetStatus(id: $0, name: $0, state: .ready).json }
                    peer.send(VarlinkReply(["daemon": Wire.daemon().json, "widgets": .array(widgets)]))
                }
            }
        }
        return try program.run(["status"] + arguments)
    }

    @Test func withoutAWidgetItIsThatOfTheDaemon() throws {
        let page = try status()
        #expect(page.code == .ok && page.output.contains("\n\nWIDGET") && page.output.contains("\norg.a.b"), "\(page)")
        let reply = try JSON.parse(Array(try status("--json").output.utf8))
        #expect(reply["daemon"] != nil && reply["sentences"] == nil)
        #expect(try status("--quiet") == .init(code: .ok, output: "", errors: ""))
    }

    @Test func eachWidgetIsExplained() throws {
        let one = try status("org.a.b").output
        #expect(one.hasPrefix("org.a.b is shown.\n"), "\(one)")
        let two = try status("org.a.b", "org.a.c").output
        #expect(two == one + "\n" + one.replacing("org.a.b", with: "org.a.c"))
        let lines = try status("org.a.b", "org.a.c", "--json").output.split(separator: "\n{")
        #expect(lines.count == 2)
        let first = try JSON.parse(Array(try status("org.a.b", "--json").output.utf8))
        #expect(first["item"]?["id"] == "org.a.b")
        #expect(first["sentences"]?.arrayValue?.first?["text"] == "org.a.b is shown.")
        #expect(try status("org.a.b", "org.a.c", "--quiet") == .init(code: .ok, output: "", errors: ""))
    }

    @Test func theFleetIsOfAllWidgets() throws {
        let result = try program.run(["status", "--fleet", "org.a.b"])
        #expect(result.code == .usage && result.errors.contains("--fleet is of all widgets"))
    }

    // MARK: The page

    private func page(_ arguments: String...) throws -> Program.Result {
        program.serve { peer in
            while peer.receive() != nil { peer.send(VarlinkReply(["items": [Wire.item("org.a.b")], "removed": []])) }
        }
        return try program.run(["page"] + arguments)
    }

    @Test func aPageThatIsServedIsOpened() throws {
        try program.directory.script("#!/bin/sh\necho \"$1\" >\"${0%/*}/opened\"\n", to: "xdg-open")
        program.environment["PATH"] = program.directory.path
        var listener: ListeningSocket? = try ListeningSocket()
        let port = "\(listener?.port ?? 0)"
        let url = "http://127.0.0.1:\(port)/"
        let silent = Program.Result(code: .ok, output: "", errors: "")
        #expect(try page("--port", port, "--no-open") == .init(code: .ok, output: "\(url)\n", errors: ""))
        let one = try page("b", "--port", port, "--no-open")
        #expect(one == .init(code: .ok, output: "\(url)?widget=org.a.b\n", errors: ""))
        #expect(try JSON.parse(Array(page("--port", port, "--json").output.utf8)) == ["url": .string(url)])
        #expect(try page("--port", port, "--no-open", "--quiet") == silent)
        #expect(!Paths.exists(program.directory("opened")))
        #expect(try page("--port", port) == silent)
        #expect(try program.directory.read("opened") == "\(url)\n")
        listener = nil
        let gone = try page("--port", port)
        #expect(gone.code == .unreachable && gone.errors.contains("no page is served at port \(port): start one with"))
    }

    @Test(arguments: ["0", "65536", "x", "-1"]) func aPortIsANumber(text: String) throws {
        let result = try page("--port=\(text)")
        #expect(result.code == .usage && result.errors.contains("a number from 1 to 65535"))
    }
}
