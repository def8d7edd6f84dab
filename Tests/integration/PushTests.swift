// SPDX-License-Identifier: MIT
import Glibc
import Testing
import TodayModel

extension Integration {
    /// Pushed content, and the widget's own answer below it.
    @Suite struct PushTests {
        @Test func theOwnAnswerReturnsAfterAPush() throws {
            // The program succeeds once, and then fails.
            let once = "[ -e $TODAY_STATE_DIRECTORY/ran ] && exit 1; touch $TODAY_STATE_DIRECTORY/ran; echo own"
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", once))
            try daemon.follow("a") { $0.content?.text == "own" }
            #expect(try daemon.todayctl("push", "a", "--text", "pushed", "--ttl", "1h").status == 0)
            let status = try daemon.todayctl("status", "a").output
            #expect(
                status.contains("Its content was pushed by ") && status.contains(", for 59 min more: \"pushed\".\n"),
                "\(status)")
            #expect(try daemon.todayctl("push", "a", "--text", "again").status == 0)
            #expect(try daemon.item("a").content?.text == "again")
            #expect(try daemon.todayctl("push", "a", "--unset").status == 0)
            #expect(try daemon.item("a").content?.text == "own")
            #expect(
                try daemon.todayctl("status", "a").output.contains("Its content is its own last answer: \"own\".\n"))
            #expect(try daemon.todayctl("push", "a", "--text", "short", "--ttl", "1s").status == 0)
            try daemon.follow("a") { $0.content?.text == "own" }
        }

        @Test func aPushWithCreateWritesTheManifest() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", "echo a"))
            let directory = daemon.directory("widgets")
            let offered = try daemon.todayctl("push", "ci", "--text", "green")
            #expect(offered.status == 4)
            let text = ["[Widget]", "DisplayName=ci", "[Update]", "Protocol=push"]
            let lines = offered.errors.split(separator: "\n").map(String.init)
            #expect(lines.first == "todayctl: no widget 'ci'; 'todayctl list' shows all")
            #expect(lines.dropFirst(2) == text.map { "    \($0)" }[...], "\(offered.errors)")
            #expect(lines.count == 6 && lines[1].contains("\(directory)/local.ci.widget, which --create does:"))

            let made = try daemon.todayctl("push", "--create", "ci", "--text", "green")
            #expect(made.status == 0, "\(made.errors)")
            #expect(made.errors == "todayctl: wrote \(directory)/local.ci.widget\n")
            #expect(try daemon.todayctl("show", "local.ci").output.contains("    green\n"))
            // The widget exists now, so todayctl writes nothing.
            let again = try daemon.todayctl("push", "--create", "ci", "--text", "red")
            #expect(again.status == 0 && again.errors == "")
            let shown = try daemon.todayctl("show", "ci").output
            #expect(shown.hasPrefix("  ci ") && shown.contains("    red\n"), "\(shown)")
        }

        @Test func aPushOverwritesNoFile() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", "echo a"))
            // A dangling link makes no widget, and todayctl must not make its target.
            let target = daemon.directory("elsewhere")
            try daemon.directory.link("widgets/local.ci.widget", to: target)
            let result = try daemon.todayctl("push", "--create", "ci", "--text", "green")
            #expect(result.status != 0)
            #expect(access(target, F_OK) != 0)
            for word in ["a b", "../x", ""] {
                let wrong = try daemon.todayctl("push", "--create", word, "--text", "x")
                #expect(wrong.status == 2 && wrong.errors.contains("cannot be the name of a widget"), "\(wrong.errors)")
            }
            let empty = try daemon.todayctl("push", "--create", "--unset", "ci")
            #expect(empty.status == 2)
            // Invalid content makes no widget.
            let ugly = try daemon.todayctl("push", "--create", "new", "--text", "a\u{1b}[2Jb")
            #expect(ugly.status == 8 && !daemon.directory.exists("widgets/local.new.widget"))
        }

        @Test func aLockScreenNeedsTheExtensionPointInTheManifest() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", "echo a"))
            let refused = try daemon.todayctl("enable", "--on", "lock-screen", "a")
            #expect(refused.status != 0)
            #expect(
                refused.errors.contains(
                    "org.test.a is not for lock screens: ExtensionPoint= in its manifest or a drop-in has to name lock-screen"
                ))
            #expect(try daemon.todayctl("disable", "--from", "lock-screen", "a").status == 0)
        }
    }
}
