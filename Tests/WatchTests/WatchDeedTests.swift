// SPDX-License-Identifier: MIT

import ClientTestSupport
import Platform
import Testing

@testable import Commands
@testable import Console
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

    @Test func deedsAreCommands() throws {
        // Each is one that todayctl understands.
        let (id, other) = (try WatchSamples.id("b"), try WatchSamples.id("c"))
        let deeds: [WatchDeed] = [
            .perform(id, "-x"), .performHere(id, "x"), .open(id, url: "https://a.example"), .update(id), .update(nil),
            .mode(id, .expanded), .mode(id, .compact), .edit(id, .begin), .edit(id, .done),
            .edit(id, .cancel), .disable(id),
            .show(id, by: .enable), .show(id, by: .setHasContent), .move(id, place: .before, other: other),
            .move(id, place: .after, other: other),
        ]
        for deed in deeds {
            let words = ["--user"] + (deed.isQuiet ? ["--quiet"] : []) + ["--color=never"] + deed.words
            let parsed = try TodayControl.command.parse(words)
            let type = try #require(TodayControl.commands.first { $0.command.name == parsed.path.first })
            _ = try type.init(parsed)
            #expect(parsed.positional("ID") == (deed == .update(nil) ? nil : id.text))
        }
    }
}
