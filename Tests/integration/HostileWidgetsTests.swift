// SPDX-License-Identifier: MIT
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// Widgets that misbehave: the failure has a reason, the last good content stays, and no process is left.
    @Suite struct HostileWidgetsTests {
        struct Case: CustomTestStringConvertible {
            let name: String
            let body: String
            let update: String
            /// A part of the reason; nil where the run succeeds.
            let failure: String?
            var testDescription: String { name }

            init(_ name: String, _ body: String, _ update: String = "", failure: String?) {
                self.name = name
                self.body = body
                self.update = update
                self.failure = failure
            }
        }

        /// `tail -n0 -f "$0"` is a harmless process that stays until it is killed. Its arguments have the name of the test's
        /// directory, so that the test can find it.
        static let cases = [
            Case(
                "hangs", #"echo a; exec tail -n0 -f "$0""#, "Timeout=300ms",
                failure: "timed out after 300 ms (Timeout=300ms)"),
            Case(
                "ignores TERM", #"trap '' TERM; tail -n0 -f "$0"; tail -n0 -f "$0""#, "Timeout=200ms",
                failure: "timed out after 200 ms (Timeout=200ms)"),
            Case("stops itself", "kill -STOP $$", "Timeout=200ms", failure: "timed out after 200 ms (Timeout=200ms)"),
            Case(
                "hangs with a crowd",
                #"for i in 1 2 3 4 5; do (setsid tail -n0 -f "$0" &) ; done; exec tail -n0 -f "$0""#,
                "Timeout=300ms", failure: "timed out after 300 ms (Timeout=300ms)"),
            Case("forks away with its pipes", #"setsid -f tail -n0 -f "$0"; echo changed"#, failure: nil),
            Case("forks away twice", #"(setsid sh -c '(tail -n0 -f "$0" &)' "$0" &); echo changed"#, failure: nil),
            Case("forks away and hides", #"env -i setsid -f tail -n0 -f "$0"; echo changed"#, failure: nil),
            Case("leaves a child", #"tail -n0 -f "$0" & echo changed"#, failure: nil),
            Case(
                "prints without end", "exec yes", failure: "printed more than 1 MiB (OutputMax=1M)"),
            Case(
                "prints 1 GB", "exec head -c 1G /dev/zero", failure: "printed more than 1 MiB (OutputMax=1M)"),
            Case("complains without end", "head -c 64M /dev/zero >&2; exit 1", failure: "exited with status 1"),
            Case("prints nothing", ":", failure: "printed nothing"),
            Case("prints half a line", "printf changed", failure: nil),
            Case("prints a very long line", "head -c 5000 /dev/zero | tr '\\0' x", failure: "longer than 1024 bytes"),
            Case("prints what is not UTF-8", #"printf 'a\nb\377\376'"#, failure: "not UTF-8: byte 0xff at line 2"),
            Case("prints NUL", #"printf 'a\000b'"#, failure: "control character U+0000"),
            Case("prints escape sequences", #"printf '\033[2Jgone'"#, failure: "terminal escape sequence"),
            Case("turns text around", #"printf 'a\342\200\256b'"#, failure: "text direction override U+202E"),
            Case("is not there", "exec /nonexistent/program", failure: "exited with status 127"),
            Case("fails", "echo why >&2; exit 3", failure: "exited with status 3: why"),
            Case("is killed", "kill -KILL $$", failure: "killed by SIGKILL"),
            Case("crashes", "kill -SEGV $$", failure: "killed by SIGSEGV"),
            Case(
                "eats memory", "dd if=/dev/zero of=/dev/null bs=512M count=1", "[Limits]\nMemoryMax=64M",
                failure: "out of memory (MemoryMax=64M)"),
            Case("closes its output early", "exec >&- 2>&-; exit 0", failure: "printed nothing"),
            Case(
                "closes its output and works on", #"echo a; exec sleep 1000 >&- 2>&-"#, "Timeout=300ms",
                failure: "timed out after 300 ms (Timeout=300ms)"),
            Case("waits for input", "read x; echo changed", failure: nil),
            Case("kills everything it may", "kill -TERM 0; exec tail -n0 -f \"$0\"", failure: "killed by SIGTERM"),
        ]

        @Test(arguments: cases) func theFailureHasItsReasonAndNoProcessIsLeft(_ hostile: Case) async throws {
            let body = "[ -e ../../bad ] || { echo fine; exit; }\n\(hostile.body)"
            let widgets = Widgets.all(
                Widgets.script("good", "echo good"),
                Widgets.script("bad", body, update: "Interval=1h\n\(hostile.update)"))
            let daemon = try PrivateDaemon(widgets: widgets)
            try daemon.follow("bad") { $0.content?.text == "fine" }
            try daemon.follow("good") { $0.state == .ready }
            try daemon.directory.write("", to: "state/bad")

            let answer = try daemon.update("bad")
            // The daemon also ends processes that hide from their run, but the run does not wait for their end.
            try await eventually("the end of all its processes") {
                Processes.mentioning(daemon.directory.path) == [daemon.pid]
            }
            let item = try daemon.item("bad")
            if let failure = hostile.failure {
                #expect(answer.answer == .failed)
                #expect(answer.reason?.contains(failure) == true, "\(answer.reason ?? "no reason")")
                #expect(item.state == .failing)
                #expect(item.content?.text == "fine")
                #expect(item.failure == answer.reason)
                #expect(try daemon.status("bad").history.first?.failure == answer.reason)
            } else {
                #expect(answer.answer == .newData, "\(answer.reason ?? "")")
                #expect(item.state == .ready)
                #expect(item.content?.text == "changed")
            }
            #expect(try daemon.update("good").answer == .noData)
            #expect(try daemon.item("good").content?.text == "good")
        }

        @Test func escapeSequencesInStandardErrorReachNoTerminal() throws {
            let escape = #"printf '\033]0;owned\007\033[2J\033[31mred\r\b\n' >&2; exit 1"#
            let daemon = try PrivateDaemon(widgets: Widgets.script("loud", escape))
            try daemon.follow("loud") { $0.state == .failing }
            for arguments in [["show"], ["status"], ["status", "loud"], ["list"], ["update", "loud"]] {
                let result = try run("todayctl", ["--socket", daemon.socket] + arguments)
                let said = result.output + result.errors
                #expect(
                    said.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7f }, "\(said)")
            }
            try daemon.stop()
            #expect(!daemon.log.contains("\u{1b}"))
        }

        @Test func aWidgetThatIsRemovedWhileItRunsIsEnded() throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.script(
                    "going", #"[ -e ../../bad ] || { echo a; exit; }; echo b; exec tail -n0 -f "$0""#))
            try daemon.follow("going") { $0.state == .ready }
            try daemon.directory.write("", to: "state/bad")
            var last: UpdateAnswer?
            try daemon.connect().stream("org.todayd.Today.Update", ["id": "org.test.going"]) { reply in
                last = try UpdateAnswer(.init(root: .object(reply)).required("answers").array()[0])
                if last?.answer == .started { try daemon.remove("org.test.going.widget") }
                return true
            }
            #expect(last?.isFinal == true)
            #expect(last?.reason?.contains("manifest was removed") == true, "\(String(describing: last))")
            #expect(try daemon.items().isEmpty)
            #expect(Processes.mentioning(daemon.directory.path) == [daemon.pid])
        }

        @Test func noProcessIsLeftWhenTheDaemonStops() async throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.script(
                    "stuck", #"trap '' TERM; (setsid tail -n0 -f "$0" &); tail -n0 -f "$0"; tail -n0 -f "$0""#))
            // The daemon, the shell and two tails.
            try await eventually("stuck widget") { Processes.mentioning(daemon.directory.path).count == 4 }
            #expect(try daemon.stop() == 0)
            #expect(Processes.mentioning(daemon.directory.path).isEmpty)
        }
    }
}
