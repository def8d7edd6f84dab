// SPDX-License-Identifier: MIT
import Testing
import TodayModel

extension Integration {
    /// Content from outside, and what comes back when it is over.
    @Suite struct PushTests {
        @Test func whatAWidgetHasGivenItselfComesBack() throws {
            // A program that gives something once, and fails from then on.
            let once = "[ -e $TODAY_STATE_DIRECTORY/ran ] && exit 1; touch $TODAY_STATE_DIRECTORY/ran; echo own"
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", once))
            try daemon.follow("a") { $0.content?.text == "own" }
            #expect(try daemon.todayctl("push", "a", "--text", "pushed", "--ttl", "1h").status == 0)
            let status = try daemon.todayctl("status", "a").output
            #expect(
                status.contains("  Shows       what was pushed by ") && status.contains(", for 59 min more\n"),
                "\(status)")
            #expect(try daemon.todayctl("push", "a", "--text", "again").status == 0)
            #expect(try daemon.item("a").content?.text == "again")
            #expect(try daemon.todayctl("push", "a", "--clear").status == 0)
            #expect(try daemon.item("a").content?.text == "own")
            #expect(try daemon.todayctl("status", "a").output.contains("  Shows       the widget's last answer\n"))
            #expect(try daemon.todayctl("push", "a", "--text", "short", "--ttl", "1s").status == 0)
            try daemon.follow("a") { $0.content?.text == "own" }
        }

        @Test func aLockScreenIsForThoseWhoseManifestsSaySo() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", "echo a"))
            let refused = try daemon.todayctl("lock-screen", "a", "allow")
            #expect(refused.status != 0)
            #expect(refused.errors.contains("org.test.a is not for lock screens: its ExtensionPoint= does not say so"))
            #expect(try daemon.todayctl("lock-screen", "a", "deny").status == 0)
        }
    }
}
