// SPDX-License-Identifier: MIT

import ClientTestSupport
import Platform
import Testing
import TodayModel

@testable import Commands
@testable import Console
@testable import Link
@testable import Watch

/// What is told of commands that run beside a view.
@Suite struct WatchDeedTests {
    private static let outputs: [(output: String, succeeded: Bool, said: String)] = [
        ("", true, ""), ("", false, ""), ("org.a.b: new content\n", true, "org.a.b: new content"),
        ("noise\norg.a.b: nothing new\n", true, "org.a.b: nothing new"),
        ("todayctl: no widget 'x'\n", false, "no widget 'x'"),
        ("noise\ntodayctl: cannot open y: xdg-open exited\n", false, "cannot open y: xdg-open exited"),
        ("todayctl: 'x' could be any:\n  1: a\n  2: b\n", false, "'x' could be any:   1: a   2: b"),
        ("todayctl: a note\ntodayctl: the reason\n", false, "the reason"),
        ("killed\nby something\n", false, "killed by something"),
    ]

    @Test(arguments: outputs.indices) func theReasonOfTodayctlIsTold(index: Int) {
        let (output, succeeded, said) = Self.outputs[index]
        #expect(WatchLoop.said(Array(output.utf8), succeeded: succeeded) == said)
    }

    /// A deed is a call to todayd, or a command that todayctl understands.
    private static let deeds: [(deed: @Sendable (WidgetID) -> WatchDeed, call: ServiceCall?)] = [
        ({ .press($0, action: "-x") }, ServiceCall("PerformAction", ["id": "org.a.b", "action": "-x"])),
        (
            { .open($0, url: "https://a.example") },
            ServiceCall("OpenURL", ["id": "org.a.b", "url": "https://a.example"])
        ),
        ({ .update($0) }, ServiceCall("Update", ["id": "org.a.b"])), ({ _ in .update(nil) }, ServiceCall("Update")),
        ({ .mode($0, .expanded) }, ServiceCall("SetDisplayMode", ["id": "org.a.b", "mode": "expanded"])),
        ({ .edit($0, .begin) }, ServiceCall("SetEditing", ["id": "org.a.b", "editing": true])),
        ({ .edit($0, .cancel) }, ServiceCall("SetEditing", ["id": "org.a.b", "editing": false, "cancel": true])),
        ({ .hide($0, .today) }, ServiceCall("Disable", ["id": "org.a.b", "point": "today"])),
        ({ .show($0, by: .enable) }, ServiceCall("Enable", ["id": "org.a.b"])),
        ({ .show($0, by: .setHasContent) }, ServiceCall("SetHasContent", ["id": "org.a.b", "hasContent": true])),
        ({ .show($0, by: .showOnLockScreen) }, ServiceCall("Enable", ["id": "org.a.b", "point": "lock_screen"])),
        (
            { .move($0, place: .after, other: $0) },
            ServiceCall("Move", ["id": "org.a.b", "to": "after", "other": "org.a.b"])
        ),
        ({ .perform($0, "-x") }, nil), ({ .performHere($0, "x") }, nil),
    ]

    @Test func deedsAreCallsOrCommands() throws {
        let id = try WatchSamples.id("b")
        for (make, call) in Self.deeds {
            let deed = make(id)
            #expect(deed.call() == call)
            var locked = call
            if ["PerformAction", "OpenURL"].contains(call?.member) { locked?.parameters["locked"] = true }
            #expect(deed.call(isLocked: true) == locked)
            if call != nil { continue }
            for isLocked in [false, true] {
                let parsed = try TodayControl.command.parse(
                    ["--user", "--color=never"] + deed.words(isLocked: isLocked))
                #expect(parsed.path == ["perform"] && parsed.positional("ID") == id.text)
                #expect(parsed.has("locked") == isLocked)
            }
        }
    }
}
