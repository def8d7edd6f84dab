// SPDX-License-Identifier: MIT

import Glibc
import JSON
import TestSupport
import Testing
import Varlink

@testable import TodayClient

@Suite struct CommandRunTests {
    @Test func showPrintsTheView() throws {
        let program = Program()
        let service = program.service([
            "Show": [VarlinkReply(["items": [Wire.item("org.a.b", text: "all is well")], "removed": []])]
        ])
        defer { withExtendedLifetime(service) {} }
        let result = try program.run(["show", "--width", "40"])
        #expect(result.code == .ok)
        #expect(result.output.split(separator: "\n").count == 2)
        #expect(result.output.contains("all is well"))
        #expect(!result.output.contains("\u{1B}"))
    }

    @Test func noCommandShowsTheView() throws {
        let program = Program()
        let service = program.service(["Show": [VarlinkReply(["items": [], "removed": []])]])
        defer { withExtendedLifetime(service) {} }
        #expect(try program.run([]).output.hasPrefix("Nothing to show."))
    }

    @Test func helpIsACommandToo() throws {
        let program = Program()
        func output(_ arguments: String...) throws -> String { try program.run(arguments, namesSocket: false).output }
        #expect(try output("help") == output("--help"))
        #expect(try output("help", "show") == output("show", "--help"))
        #expect(try output("help", "show").contains("Usage: todayctl show"))
        #expect(try program.run(["help", "nonsense"], namesSocket: false).code == .usage)
    }

    @Test func coloursComeWhenAskedFor() throws {
        let program = Program()
        let service = program.service(["Show": [VarlinkReply(["items": [Wire.item("org.a.b")], "removed": []])]])
        defer { withExtendedLifetime(service) {} }
        #expect(try program.run(["show", "--color=always"]).output.contains("\u{1B}[1m"))
    }

    @Test func jsonIsTheReplyAsItIs() throws {
        let program = Program()
        let reply: JSONObject = ["items": [Wire.item("org.a.b")], "removed": [], "fromTheFuture": 1]
        let service = program.service(["Show": [VarlinkReply(reply)]])
        defer { withExtendedLifetime(service) {} }
        let output = try program.run(["show", "--json"]).output
        #expect(try JSON.parse(Array(output.utf8)) == .object(reply))
    }

    @Test func listPrintsIdentifiersForCompletion() throws {
        let program = Program()
        let service = program.service([
            "List": [VarlinkReply(["widgets": [Wire.item("org.a.b"), Wire.item("org.c.d")]])]
        ])
        defer { withExtendedLifetime(service) {} }
        #expect(try program.run(["list", "--ids"]).output == "org.a.b\norg.c.d\n")
    }

    @Test(arguments: [(true, ExitCode.ok, "true\n"), (false, .no, "false\n")])
    func questionIsAnsweredByTheExitCode(flag: Bool, code: ExitCode, output: String) throws {
        let program = Program()
        let service = program.service(["HasContent": [VarlinkReply(["hasContent": .bool(flag)])]])
        defer { withExtendedLifetime(service) {} }
        #expect(try program.run(["has-content", "x"]) == .init(code: code, output: output, errors: ""))
    }

    @Test func quietAnswersByTheExitCodeAlone() throws {
        let program = Program()
        let service = program.service(["HasContent": [VarlinkReply(["hasContent": false])]])
        defer { withExtendedLifetime(service) {} }
        #expect(try program.run(["-q", "has-content", "x"]) == .init(code: .no, output: "", errors: ""))
    }

    @Test func updateTellsWhatBecameOfEach() throws {
        let program = Program()
        func answers(_ answers: [JSON], continues: Bool) -> VarlinkReply {
            VarlinkReply(["answers": .array(answers)], continues: continues)
        }
        let service = program.service([
            "Update": [
                answers(
                    [["id": "org.a.b", "answer": "started"], ["id": "org.c.d", "answer": "joined"]], continues: true),
                answers([["id": "org.a.b", "answer": "newData"]], continues: true),
                answers([["id": "org.c.d", "answer": "failed", "reason": "timed out after 10 s"]], continues: false),
            ]
        ])
        defer { withExtendedLifetime(service) {} }
        let result = try program.run(["update"])
        #expect(result.code == .updateFailed)
        #expect(result.output == "org.a.b: new content\norg.c.d: failed: timed out after 10 s\n")
    }

    @Test func anUpdateThatTakesTooLongIsGivenUp() throws {
        let program = Program()
        let started: JSON = ["id": "org.a.b", "answer": "started"]
        let service = program.service(["Update": [VarlinkReply(["answers": [started]], continues: true)]])
        defer { withExtendedLifetime(service) {} }
        let result = try program.run(["update", "--timeout", "100ms"])
        #expect(result.code == .timedOut)
        #expect(result.errors == "todayctl: gave up after 100ms; not finished: org.a.b\n")
    }

    @Test(arguments: [
        (["currency"], ExitCode.ok, "CHF\n"), (["days"], .ok, "30\n"), (["nothing"], .no, ""),
        ([], .ok, "currency = \"CHF\"\ndays = 30\n"),
    ])
    func defaultsAreUnwrapped(key: [String], code: ExitCode, output: String) throws {
        let program = Program()
        let values: JSON = ["currency": ["value": "CHF"], "days": ["value": 30]]
        let service = program.service(["GetDefaults": [VarlinkReply(["values": values])]])
        defer { withExtendedLifetime(service) {} }
        #expect(
            try program.run(["defaults", "read", "group.a"] + key) == .init(code: code, output: output, errors: ""))
    }

    @Test func jsonIsObeyedByNoTerminal() throws {
        let program = Program()
        let value: JSON = ["value": "a\u{1B}[2J\u{9B}31m\u{202E}b\u{2028}é\u{7F}"]
        let service = program.service(["GetDefaults": [VarlinkReply(["values": ["k": value]])]])
        defer { withExtendedLifetime(service) {} }
        let output = try program.run(["defaults", "read", "group.a", "--json"]).output
        #expect(output.contains(#""a\u001b[2J\u009b31m\u202eb\u2028é\u007f""#), "\(output)")
    }

    @Test func monitorPrintsEventsAsLines() throws {
        let program = Program()
        let event: JSON = ["time": 0, "kind": "finished", "id": "org.a.b", "text": "newData in 20 ms\u{1B}[2J"]
        let service = program.service([
            "Monitor": [VarlinkReply(["events": [event], "lost": 2])]
        ])
        defer { withExtendedLifetime(service) {} }
        let output = try program.run(["monitor"]).output
        #expect(output.contains("  finished  org.a.b  newData in 20 ms\u{FFFD}[2J\n"))
        #expect(output.contains("(2 events were not read in time)"))
    }

    @Test func followedViewPrintsEveryChange() throws {
        let program = Program()
        let service = program.service([
            "Show": [
                VarlinkReply(["items": [Wire.item("org.a.b", text: "one")], "removed": []], continues: true),
                VarlinkReply(["items": [Wire.item("org.a.b", text: "two")], "removed": []], continues: false),
            ]
        ])
        defer { withExtendedLifetime(service) {} }
        let output = try program.run(["watch"]).output
        #expect(output.contains("one\n\n") && output.contains("two\n\n"))
    }

    @Test func followedJSONIsOneObjectALine() throws {
        let program = Program()
        let first = VarlinkReply(["items": [Wire.item("org.a.b")], "removed": []], continues: true)
        let second = VarlinkReply(["items": [], "removed": ["org.a.b"]], continues: false)
        let service = program.service(["Show": [first, second]])
        defer { withExtendedLifetime(service) {} }
        let lines = try program.run(["show", "--follow", "--json"]).output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(
            try lines.map { try JSON.parse(Array($0.utf8)) } == [.object(first.parameters), .object(second.parameters)])
    }

    /// A program may have made its end of the pipe one that does not wait, and reads later than 64 KiB are written.
    @Test func aPipeThatDoesNotWaitGetsAllOfTheOutput() throws {
        let program = Program()
        let text = String(repeating: "x", count: 1_000)
        let items = (0..<300).map { Wire.item("org.a.b\($0)", text: text) }
        let service = program.service(["List": [VarlinkReply(["widgets": .array(items)])]])
        defer { withExtendedLifetime(service) {} }
        let (pipe, copy) = (program.directory("pipe"), program.directory("copy"))
        #expect(mkfifo(pipe, 0o600) == 0)
        let output = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try #require(output >= 0)
        let reader = try #require(popen("exec <'\(pipe)'; sleep 0.3; exec cat >'\(copy)'", "r"))
        let code = TodayControl.run(
            ["--socket", program.socket, "list", "--json"], environment: Environment { _ in nil }, output: output)
        close(output)
        pclose(reader)
        #expect(code == ExitCode.ok.rawValue)
        let list = try JSON.parse(Array(program.directory.read("copy").utf8))
        #expect(list["widgets"]?.arrayValue?.count == 300)
    }
}
