// SPDX-License-Identifier: MIT

import ClientTestSupport
import JSON
import Rendering
import TestSupport
import Testing
import Varlink

@testable import Commands
@testable import Link

@Suite struct ShowTests {
    @Test func showPrintsTheView() throws {
        let program = Program()
        program.serve([
            "Show": [VarlinkReply(["items": [Wire.item("org.a.b", text: "all is well")], "removed": []])]
        ])
        let result = try program.run(["show", "--width", "40"])
        #expect(result.code == .ok)
        #expect(result.output.split(separator: "\n").count == 1, "a line of text is a row")
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
        #expect(try program.run([command, "--numbers"]).output.contains("    [1: Remove]"))
    }

    // MARK: Forms

    private static func reply(_ items: JSON...) -> [String: [VarlinkReply]] {
        ["Show": [VarlinkReply(["items": .array(items), "removed": []])]]
    }

    @Test(arguments: OutputForm.allCases) func everyFormIsPrinted(form: OutputForm) throws {
        let program = Program()
        program.serve(Self.reply(Wire.item("org.a.b", text: "all is <well>")))
        let result = try program.run(["show", "--output", form.rawValue])
        #expect(result.code == .ok && result.errors.isEmpty && result.output.hasSuffix("\n"))
        let text = result.output.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
        #expect(text.contains("all is <well>") == (form != .prometheus), "\(text)")
    }

    @Test func jsonIsTheSameInBothSpellings() throws {
        let program = Program()
        program.serve(Self.reply(["id": "from the future"]))
        let output = try program.run(["show", "--output=json"]).output
        let other = try program.run(["show", "--json"]).output
        #expect(!output.isEmpty && output == other)
    }

    @Test func programsGetUTF8InEveryLocale() throws {
        let program = Program()
        program.environment = ["LANG": "C"]
        program.serve(Self.reply(Wire.item("org.a.b", text: "24 °C")))
        #expect(try program.run(["show", "--output=polybar"]).output == "24 °C\n")
        #expect(try program.run(["show", "--output=plain"]).output.contains("24 degC"))
    }

    private static let statuses: [(OutputForm, String, String, Int32)] = [
        (.nagios, "ready", "critical", 2), (.nagios, "ready", "warning", 1), (.nagios, "ready", "normal", 0),
        (.nagios, "failing", "good", 3), (.i3blocks, "ready", "critical", 33), (.i3blocks, "ready", "warning", 0),
        (.tmux, "ready", "critical", 0), (.terminal, "failing", "critical", 0),
    ]

    @Test(arguments: statuses.indices) func theExitStatusIsThatOfTheForm(index: Int) throws {
        let (form, state, severity, status) = Self.statuses[index]
        let program = Program()
        program.serve(Self.reply(Wire.item("org.a.b", state: state) { $0["severity"] = .string(severity) }))
        #expect(try program.run(["show", "--output=\(form.rawValue)"]).code == ExitCode(rawValue: status))
    }

    @Test func aMonitorReadsOfErrorsOnStandardOutput() throws {
        let program = Program()
        let result = try program.run(["show", "--output=nagios"])
        #expect(result.code == ExitCode(rawValue: 3) && result.output.hasPrefix("UNKNOWN: todayd is not running"))
        #expect(result.errors.isEmpty && result.output.split(separator: "\n").count == 1)
        let other = try program.run(["show", "--output=i3blocks"])
        #expect(other.code == .unreachable && other.output.isEmpty && other.errors.contains("todayd is not running"))
    }

    @Test func widgetsAreInTheOrderThatIsWanted() throws {
        let program = Program()
        let important: JSON = ["score": 0.5]
        program.serve(
            Self.reply(
                Wire.item("org.a.one", text: "one"),
                Wire.item("org.a.two", position: 1, text: "two") { $0["relevance"] = important }))
        #expect(try program.run(["show", "-o", "polybar"]).output == "one · two\n")
        #expect(try program.run(["show", "-o", "polybar", "--sort=relevance"]).output == "two · one\n")
    }

    @Test(arguments: [["--json"], ["--follow"], ["--quiet"]])
    func aFormIsNotCombined(option: [String]) throws {
        let result = try Program().run(["show", "--output=svg"] + option)
        #expect(result.code == .usage && result.errors.contains("--output"))
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
        #expect(output.contains("  org.a.clock [editing]") && output.contains("    [Remove]"))
        #expect(output.contains("Done: todayctl edit --done org.a.clock\n") == hasCommands)
    }
}
