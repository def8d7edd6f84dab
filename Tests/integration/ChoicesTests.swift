// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

extension Integration {
    /// The user's choices, and the has-content flag of an app.
    @Suite struct ChoicesTests {
        private static func counter(_ name: String) -> [String: String] {
            Widgets.script(name, "echo run >> runs; wc -l < runs", update: "Interval=1s")
        }

        @Test func aHiddenWidgetIsNotLaunchedUntilItHasContentAgain() throws {
            let daemon = try PrivateDaemon(widgets: Self.counter("a"))
            try daemon.follow("a") { $0.state == .ready }
            try daemon.call("SetHasContent", ["id": "org.test.a", "hasContent": false])
            #expect(try daemon.item("a").state == .hidden)
            #expect(try daemon.items().isEmpty)
            #expect(try daemon.update("a").answer == .refused)
            let runs = try daemon.status("a").activity.runs
            // Another widget runs three times meanwhile, and the hidden one does not.
            for (name, text) in Self.counter("b").sorted(by: { $0.key < $1.key }) { try daemon.add(name, text) }
            try daemon.call("Reload")
            try daemon.follow("b") { $0.content?.text == "3" }
            #expect(try daemon.status("a").activity.runs == runs)
            try daemon.call("SetHasContent", ["id": "org.test.a", "hasContent": true])
            try daemon.follow("a") { $0.content?.text == "\(runs + 1)" }
        }

        @Test func acknowledgedChangesSurviveAKill() throws {
            let widgets = Widgets.all(
                Widgets.script("a", "echo a"), Widgets.script("b", "echo b"), Widgets.script("c", "echo c"))
            let daemon = try PrivateDaemon(widgets: widgets)
            for name in ["a", "b", "c"] { try daemon.follow(name) { $0.state == .ready } }
            try daemon.call("Move", ["id": "org.test.c", "to": "first"])
            try daemon.call("SetHasContent", ["id": "org.test.b", "hasContent": false])
            try daemon.kill()
            try daemon.start()
            #expect(try daemon.items().map(\.id.text) == ["org.test.c", "org.test.a"])
            #expect(try daemon.call("HasContent", ["id": "org.test.b"])["hasContent"] == false)
            #expect(try daemon.item("c").content?.text == "c")
        }

        @Test func theDisplayModeGoesUpToWhatTheWidgetSupports() throws {
            let widgets = Widgets.all(
                Widgets.script("large", "echo $TODAY_DISPLAY_MODE", widget: "LargestDisplayMode=expanded"),
                Widgets.script("small", "echo x"))
            let daemon = try PrivateDaemon(widgets: widgets)
            try daemon.call("SetDisplayMode", ["id": "org.test.large", "mode": "expanded"])
            // The widget runs again for the new mode.
            try daemon.follow("large") { $0.content?.text == "expanded" }
            let refused = try daemon.todayctl("expand", "small")
            #expect(refused.status != 0)
            #expect(refused.errors.contains("compact"))
        }
    }
}
