// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing

/// Runs a program on a terminal.
private enum Terminal {
    /// The path of script(1), which gives a program a terminal. Nil where there are no pseudo-terminals, as in a bare
    /// chroot.
    static let script: String? = {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        close(terminal)
        return BuiltPrograms.installed("script")
    }()
}

extension Integration {
    /// The output of todayctl: for people, for programs, and into streams that close or fail.
    @Suite struct CommandOutputTests {
        private func daemon() throws -> PrivateDaemon {
            let content =
                #"{"text":"Größe 日本 🎉","icon":"💾","percentage":50,"severity":"warning","compact":{"type":"vstack","#
                + #""children":[{"type":"progress","value":0.5,"label":"Platte"},{"type":"chart","points":[1,2,3]}]}}"#
            let widgets = Widgets.script(
                "disk", "echo '\(content)'", update: "Interval=1h\nProtocol=json", widget: "AppGroups=group.org.test")
            let daemon = try PrivateDaemon(widgets: widgets)
            try daemon.follow("disk") { $0.state == .ready }
            return daemon
        }

        @Test func jsonHasTheParametersOfTheProtocol() throws {
            let daemon = try daemon()
            try daemon.todayctl("config", "--group", "group.org.test", "k=[1, 2]")
            let answers: [([String], (JSON) -> Bool)] = [
                (["list"], { $0["widgets"]?.arrayValue?.count == 1 }),
                (["show"], { $0["items"]?.arrayValue?.count == 1 }),
                (["show", "disk"], { $0["items"]?.arrayValue?.first?["content"]?["percentage"] == 50.0 }),
                (["status"], { $0["daemon"]?["storage"] == "ok" }),
                (["get", "disk", "has-content"], { $0 == true }),
                (["update", "disk"], { $0["id"] == "org.test.disk" }),
                (["config", "--group", "group.org.test"], { $0["k"] == [1, 2] }),
                (["move", "disk", "first"], { $0["position"] == 0 }),
                (["reload"], { $0["widgets"] == 1 }),
            ]
            for (arguments, isRight) in answers {
                let result = try run("todayctl", ["--socket", daemon.socket, "--json"] + arguments)
                #expect(result.status == 0, "\(result.errors)")
                // `update` prints one object a line; this is the last.
                let isLines = arguments[0] == "update"
                let text = isLines ? result.output.split(separator: "\n").last.map(String.init) ?? "" : result.output
                #expect(isRight(try JSON.parse(Array(text.utf8))), "\(arguments): \(result.output)")
            }
        }

        /// Commands that show the widget to people.
        private static let showingCommands = [["show"], ["list"], ["status"], ["status", "disk"], ["show", "disk"]]

        @Test(arguments: showingCommands) func theCLocaleIsPlainASCII(_ arguments: [String]) throws {
            let daemon = try daemon()
            let result = try run(
                "todayctl", ["--socket", daemon.socket] + arguments, environment: ["LC_ALL": "C"])
            #expect(result.status == 0)
            #expect(result.output.contains(arguments[0] == "show" ? "Test" : "org.test.disk"), "\(result.output)")
            #expect(result.output.utf8.allSatisfy { $0 < 0x80 }, "\(result.output)")
        }

        @Test(arguments: showingCommands) func aPipeGetsNoColours(_ arguments: [String]) throws {
            let daemon = try daemon()
            let result = try run(
                "todayctl", ["--socket", daemon.socket] + arguments, environment: ["TERM": "xterm-256color"])
            #expect(result.status == 0)
            #expect(!result.output.contains("\u{1b}"))
        }

        @Test(.enabled(if: Terminal.script != nil, "needs script(1) and pseudo-terminals"), arguments: [true, false])
        func aTerminalGetsColoursUnlessNoColorIsSet(hasNoColor: Bool) throws {
            let daemon = try daemon()
            var environment = ["TERM": "xterm-256color", "SHELL": "/bin/sh"]
            if hasNoColor { environment["NO_COLOR"] = "1" }
            let command = "'\(BuiltPrograms.directory)/todayctl' --socket '\(daemon.socket)' show"
            let result = try run(
                try #require(Terminal.script), ["--quiet", "--return", "--command", command, "/dev/null"],
                environment: environment)
            #expect(result.status == 0, "\(result.output)")
            #expect(result.output.contains("Platte"))
            #expect(result.output.contains("\u{1b}[") == !hasNoColor, "\(result.output)")
        }

        @Test(arguments: showingCommands + [["--json", "list"], ["--json", "status"]])
        func aClosedPipeEndsTodayctlBySIGPIPE(_ arguments: [String]) throws {
            let daemon = try daemon()
            // Descriptor 4 is a pipe without a reader, so the program ends by SIGPIPE, like other commands.
            try daemon.directory.makePipe("pipe")
            let words = arguments.joined(separator: " ")
            let script = """
                exec 3<>"$3" 4>"$3" 3<&-
                "$1/todayctl" --socket "$2" \(words) >&4
                """
            let result = try run(
                "/bin/sh", ["-c", script, "sh", BuiltPrograms.directory, daemon.socket, daemon.directory("pipe")])
            #expect(result.status == 128 + SIGPIPE)
            #expect(result.errors == "")
        }

        @Test func statusShowsStandardErrorOfASuccessfulRun() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", "echo fine; echo 'rather slow' >&2"))
            try daemon.follow("a") { $0.state == .ready }
            #expect(try daemon.status("a").history.first?.errorOutput == "rather slow")
            let status = try daemon.todayctl("status", "a").output
            #expect(status.contains("newData in ") && status.hasSuffix("│ rather slow\n"), "\(status)")
        }

        @Test func headGetsTheFirstLineWithoutAnError() throws {
            let daemon = try daemon()
            let script = #""$1/todayctl" --socket "$2" list --ids | head -n 1"#
            let result = try run("/bin/sh", ["-c", script, "sh", BuiltPrograms.directory, daemon.socket])
            #expect(result.output == "org.test.disk\n")
            #expect(result.errors == "")
        }

        @Test func aFullDiskIsReported() throws {
            let daemon = try daemon()
            let script = #""$1/todayctl" --socket "$2" list >/dev/full"#
            let result = try run("/bin/sh", ["-c", script, "sh", BuiltPrograms.directory, daemon.socket])
            #expect(result.status == 8)
            #expect(result.errors.contains("No space left on device"), "\(result.errors)")
        }
    }
}
