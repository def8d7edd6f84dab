// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing

/// Runs a program as another user, who has no rights.
private enum OtherUser {
    static let setpriv = BuiltPrograms.installed("setpriv")
    static let options = ["--reuid=65534", "--regid=65534", "--clear-groups"]

    /// Whether this process is root, and the other user can execute the programs.
    static let isPossible: Bool = {
        guard getuid() == 0, let setpriv else { return false }
        return (try? run(setpriv, options + ["\(BuiltPrograms.directory)/todayctl", "--version"]))?.status == 0
    }()
}

extension Integration {
    /// Exit statuses and messages of todayctl, with a daemon and without one.
    @Suite struct CommandTests {
        private func daemon() throws -> PrivateDaemon {
            var widgets = Widgets.all(
                Widgets.script("disk", "echo half full", widget: "AppGroups=group.org.test"),
                Widgets.script("frail", "echo reason >&2; exit 3"))
            widgets["org.other.disk.widget"] = Widgets.manifest("disk")
            widgets["org.other.load.widget"] = Widgets.manifest("disk")
            let daemon = try PrivateDaemon(widgets: widgets)
            try daemon.follow("disk") { $0.state == .ready }
            try daemon.follow("frail") { $0.state == .failing }
            return daemon
        }

        @Test func theExitStatusAnswersAQuestion() throws {
            let daemon = try daemon()
            let yes = try daemon.todayctl("get", "load", "has-content")
            #expect(yes.status == 0)
            #expect(yes.output == "true\n")
            #expect(try daemon.todayctl("set-has-content", "load", "false").status == 0)
            let no = try daemon.todayctl("get", "load", "has-content")
            #expect(no.status == 1)
            #expect(no.output == "false\n")
            let quiet = try daemon.todayctl("--quiet", "get", "load", "has-content")
            #expect(quiet.status == 1)
            #expect(quiet.output + quiet.errors == "")
        }

        struct Usage: CustomTestStringConvertible {
            let arguments: [String]
            let hint: String
            var testDescription: String { arguments.joined(separator: " ") }
        }

        static let mistakes = [
            Usage(arguments: ["--jsn"], hint: "--json"),
            Usage(arguments: ["lsit"], hint: "list"),
            Usage(arguments: ["get"], hint: "ID"),
            Usage(arguments: ["set-has-content", "disk", "maybe"], hint: "maybe"),
            Usage(arguments: ["list", "--point", "moon"], hint: "lock-screen"),
            Usage(arguments: ["--user", "--system", "list"], hint: "--system"),
            Usage(arguments: ["update", "--timeout", "soon"], hint: "soon"),
        ]

        @Test(arguments: mistakes) func wrongUsageIsReportedWithAHint(_ usage: Usage) throws {
            let result = try run("todayctl", usage.arguments)
            #expect(result.status == 2)
            #expect(result.output == "")
            #expect(result.errors.hasPrefix("todayctl"), "\(result.errors)")
            #expect(result.errors.contains(usage.hint), "\(result.errors)")
        }

        @Test func helpIsNoError() throws {
            for arguments in [["--help"], ["show", "--help"], ["--version"]] {
                let result = try run("todayctl", arguments)
                #expect(result.status == 0)
                #expect(result.errors == "")
                #expect(!result.output.isEmpty)
            }
        }

        @Test func withoutADaemonTheErrorNamesTheCommandToStartIt() throws {
            let directory = TemporaryDirectory()
            let environment = ["XDG_RUNTIME_DIR": directory.path]
            let user = try run("todayctl", ["--user", "list"], environment: environment)
            #expect(user.status == 3)
            #expect(user.errors == "todayctl: todayd is not running: systemctl --user start todayd.socket\n")
            let given = try run("todayctl", ["--socket", directory("s"), "list"], environment: environment)
            #expect(given.status == 3)
            #expect(given.errors.contains("todayd --socket \(directory("s"))"), "\(given.errors)")
            let daemon = try PrivateDaemon()
            try daemon.kill()
            let dead = try daemon.todayctl("list")
            #expect(dead.status == 3)
            #expect(dead.errors.contains("has ended"), "\(dead.errors)")
        }

        @Test func theEndOfAnIdentifierFindsAWidget() throws {
            let daemon = try daemon()
            #expect(try daemon.todayctl("get", "frail", "has-content").status == 0)
            #expect(try daemon.todayctl("get", "test.disk", "has-content").status == 0)
            let ambiguous = try daemon.todayctl("get", "disk", "has-content")
            #expect(ambiguous.status == 4)
            #expect(ambiguous.errors.contains("  org.other.disk\n  org.test.disk\n"), "\(ambiguous.errors)")
            let mistyped = try daemon.todayctl("show", "fail")
            #expect(mistyped.status == 4)
            #expect(mistyped.errors.contains("did you mean org.test.frail?"), "\(mistyped.errors)")
            let unknown = try daemon.todayctl("show", "completely.different.thing")
            #expect(unknown.status == 4)
            #expect(unknown.errors.contains("todayctl list"), "\(unknown.errors)")
        }

        @Test func updatesReportTheirResult() throws {
            let daemon = try daemon()
            let fine = try daemon.todayctl("update", "load")
            #expect(fine.status == 0)
            let failed = try daemon.todayctl("update", "frail")
            #expect(failed.status == 5)
            #expect(failed.output.contains("exited with status 3: reason"), "\(failed.output)")
            for (name, text) in Widgets.script("slow", #"exec tail -f "$0""#, update: "Timeout=1min") {
                try daemon.add(name, text)
            }
            try daemon.call("Reload")
            let late = try daemon.todayctl("update", "slow", "--timeout", "200ms")
            #expect(late.status == 6)
            #expect(late.errors.contains("org.test.slow"), "\(late.errors)")
            try daemon.call("SetHasContent", ["id": "org.other.load", "hasContent": false])
            let refused = try daemon.todayctl("update", "load")
            #expect(refused.status == 5)
            #expect(refused.output.contains("hidden"), "\(refused.output)")
        }

        /// A prompt of a shell waits for a command, also where todayd is stopped.
        @Test func aStoppedDaemonIsNotWaitedFor() throws {
            let daemon = try daemon()
            let program = try #require(daemon.program)
            program.signal(SIGSTOP)
            defer { program.signal(SIGCONT) }
            let began = ContinuousClock.now
            for command in [["show"], ["get", "load", "text"], ["update", "load"], ["show", "--output=tmux"]] {
                let result = try run("todayctl", ["--socket", daemon.socket, "--timeout", "200ms"] + command)
                #expect(result.status == 6 && result.output == "", "\(result)")
            }
            #expect(ContinuousClock.now - began < .seconds(20))
        }

        @Test(.enabled(if: OtherUser.isPossible, "needs root, and programs that others can reach"))
        func otherUsersMayReadTheSystemInstanceAndChangeNothing() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", "echo a"), instance: "system")
            try daemon.follow("a") { $0.state == .ready }
            chmod(daemon.directory.path, 0o755)
            let client = OtherUser.options + ["\(BuiltPrograms.directory)/todayctl", "--socket", daemon.socket]
            let setpriv = try #require(OtherUser.setpriv)
            let shown = try run(setpriv, client + ["show", "a"])
            #expect(shown.status == 0, "\(shown.errors)")
            for change in [
                ["set-has-content", "a", "false"], ["disable", "a"], ["move", "a", "first"], ["update"], ["reload"],
                ["push", "a", "--text", "x"], ["update", "a"],
            ] {
                let result = try run(setpriv, client + change)
                #expect(result.status == 7, "\(change): \(result.errors)")
                #expect(result.errors.contains("permission denied"), "\(result.errors)")
            }
            #expect(try daemon.item("a").content?.text == "a")
            #expect(try daemon.item("a").state == .ready)
        }

        @Test(.enabled(if: OtherUser.isPossible, "needs root, and programs that others can reach"))
        func otherUsersMayNotConnectToAUserInstance() throws {
            let daemon = try PrivateDaemon()
            chmod(daemon.directory.path, 0o755)
            let client = OtherUser.options + ["\(BuiltPrograms.directory)/todayctl", "--socket", daemon.socket, "list"]
            let result = try run(try #require(OtherUser.setpriv), client)
            #expect(result.status == 7)
            #expect(result.errors.contains("not allowed to connect"), "\(result.errors)")
        }
    }
}
