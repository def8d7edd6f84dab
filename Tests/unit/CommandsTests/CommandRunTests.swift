// SPDX-License-Identifier: MIT

import ClientTestSupport
import Glibc
import JSON
import Platform
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import Commands
@testable import Console
@testable import Link

/// What commands print, for people, for programs and for terminals.
@Suite struct CommandRunTests {
    @Test(arguments: [(true, ExitCode.ok, "true\n"), (false, .no, "false\n")])
    func hasContentPrintsTheFlagAndExitsWithIt(flag: Bool, code: ExitCode, output: String) throws {
        let program = Program()
        program.serve(["HasContent": [VarlinkReply(["hasContent": .bool(flag)])]])
        #expect(try program.run(["get", "x", "has-content"]) == .init(code: code, output: output, errors: ""))
    }

    @Test(arguments: [(0, "0 widgets\n"), (1, "1 widget\n"), (2, "2 widgets\n")])
    func reloadCountsWidgets(count: Int64, output: String) throws {
        let program = Program()
        program.serve(["Reload": [VarlinkReply(["widgets": .int(count), "complaints": []])]])
        #expect(try program.run(["reload"]) == .init(code: .ok, output: output, errors: ""))
        #expect(try program.run(["reload", "-q"]) == .init(code: .ok, output: "", errors: ""))
        #expect(try program.run(["reload", "--json"]).output.contains("\"widgets\""))
    }

    /// A widget for which a call fails keeps none of the others from theirs; a todayd that is not there is said once.
    @Test func eachOfSeveralWidgetsIsCalled() throws {
        let program = Program()
        program.serve(connections: 10) { peer in
            while let call = peer.receive() {
                let isKnown = call.parameters["id"] == "b"
                peer.send(
                    isKnown ? VarlinkReply() : VarlinkReply(Wire.noSuchWidget(call.parameters["id"]?.stringValue ?? ""))
                )
            }
        }
        let some = try program.run(["enable", "a", "b", "c"])
        #expect(some.code == .noSuchWidget && some.errors.split(separator: "\n").count == 2, "\(some)")
        #expect(try program.run(["enable", "a", "c"]).errors.split(separator: "\n").count == 2)
        #expect(try program.run(["enable", "b", "b"]) == .init(code: .ok, output: "", errors: ""))
        let absent = Program()
        let none = try absent.run(["enable", "a", "b"])
        #expect(none.code == .unreachable && none.errors.split(separator: "\n").count == 1, "\(none)")
    }

    @Test func updatesSayNothingWhenTheyAreToBeQuiet() throws {
        let program = Program()
        let answer: JSON = ["id": "org.a.b", "answer": "newData"]
        program.serve(["PerformAction": [VarlinkReply(["answer": answer])]])
        #expect(try program.run(["perform", "b", "go"]).output.contains("new content"))
        #expect(try program.run(["-q", "perform", "b", "go"]).output.isEmpty)
    }

    @Test func quietPrintsNothing() throws {
        let program = Program()
        program.serve(["HasContent": [VarlinkReply(["hasContent": false])]])
        #expect(try program.run(["-q", "get", "x", "has-content"]) == .init(code: .no, output: "", errors: ""))
    }

    @Test(arguments: [
        (["currency"], ExitCode.ok, "CHF\n"), (["days"], .ok, "30\n"), (["nothing"], .no, ""),
        ([], .ok, "currency = \"CHF\"\ndays = 30\n"),
    ])
    func defaultsArePrintedWithoutTheirObjects(key: [String], code: ExitCode, output: String) throws {
        let program = Program()
        let values: JSON = ["currency": ["value": "CHF"], "days": ["value": 30]]
        program.serve(["GetDefaults": [VarlinkReply(["values": values])]])
        #expect(
            try program.run(["config", "--group", "group.a"] + key) == .init(code: code, output: output, errors: ""))
    }

    @Test func monitorPrintsEventsAsLines() throws {
        let program = Program()
        let event: JSON = ["time": 0, "kind": "finished", "id": "org.a.b", "text": "newData in 20 ms\u{1B}[2J"]
        program.serve([
            "Monitor": [VarlinkReply(["events": [event], "lost": 2])]
        ])
        let output = try program.run(["watch", "--events"]).output
        #expect(output.contains("  finished  org.a.b  newData in 20 ms\u{FFFD}[2J\n"))
        #expect(output.contains("(2 events were not read in time)"))
    }

    @Test(arguments: [("--quiet", false), ("--json", true)]) func quietSuppressesNotes(
        option: String, isSaid: Bool
    ) throws {
        let program = Program()
        let file = open("\(program.directory.path)/errors", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        let output = try CommandOutput(
            try TodayControl.command.parse([option]), environment: EnvironmentVariables { _ in nil }, to: STDOUT_FILENO,
            errors: file)
        output.note(DaemonSocket.fallbackNotice)
        let text = String(
            decoding: try InputFile.read("\(program.directory.path)/errors", upTo: 1 << 10), as: UTF8.self)
        #expect(text == (isSaid ? "todayctl: \(DaemonSocket.fallbackNotice)\n" : ""))
    }

    @Test func jsonEscapesWhatATerminalObeys() throws {
        let program = Program()
        let value: JSON = ["value": "a\u{1B}[2J\u{9B}31m\u{202E}b\u{2028}é\u{7F}"]
        program.serve(["GetDefaults": [VarlinkReply(["values": ["k": value]])]])
        let output = try program.run(["config", "--group", "group.a", "--json"]).output
        #expect(output.contains(#""a\u001b[2J\u009b31m\u202eb\u2028é\u007f""#), "\(output)")
    }

    @Test func errorsOfTheDaemonAreCleaned() throws {
        let program = Program()
        let error = VarlinkError(name: "org.todayd.Today.Refused", parameters: ["reason": "a\u{1B}[2Jb"])
        program.serve(["Enable": [VarlinkReply(error)]])
        #expect(try program.run(["enable", "x"]).errors == "todayctl: a\u{FFFD}[2Jb\n")
    }

    /// The pipe is non-blocking, and its reader starts after todayctl has filled the 64 KiB of the pipe.
    @Test func aNonBlockingPipeGetsAllOfTheOutput() throws {
        let program = Program()
        let text = String(repeating: "x", count: 1_000)
        let items = (0..<300).map { Wire.item("org.a.b\($0)", text: text) }
        program.serve(["List": [VarlinkReply(["widgets": .array(items)])]])
        let (pipe, copy) = (program.directory("pipe"), program.directory("copy"))
        #expect(mkfifo(pipe, 0o600) == 0)
        let output = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try #require(output >= 0)
        let reader = try #require(popen("exec <'\(pipe)'; sleep 0.3; exec cat >'\(copy)'", "r"))
        let code = TodayControl.run(
            ["--socket", program.socket, "list", "--json"], environment: EnvironmentVariables { _ in nil },
            output: output)
        close(output)
        pclose(reader)
        #expect(code == ExitCode.ok.rawValue)
        let list = try JSON.parse(Array(program.directory.read("copy").utf8))
        #expect(list["widgets"]?.arrayValue?.count == 300)
    }
}
