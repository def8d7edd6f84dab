// SPDX-License-Identifier: MIT
import JSON
import QueryService
import Reactor
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import SnapshotStore
@testable import TodayDaemon

/// Which changes clients may make, and which refusals they get.
@Suite struct DaemonRequestsTests: DaemonDeciding {
    init() { TestLoop.start() }

    private static let broken = (name: "org.test.broken.widget", text: "[Update]\nProtocol=none\n")
    private static let complaint: String = {
        let known = ContentProtocol.allCases.map(\.rawValue).joined(separator: ", ")
        return "org.test.broken.widget:2: Protocol=: \"none\" is unknown; known are \(known)"
    }()

    /// A machine with one invalid manifest, whose valid widgets have answered.
    @LoopActor private func machine(_ manifests: [(name: String, text: String)]) async throws -> SimulatedMachine {
        let machine = try SimulatedMachine(manifests + [Self.broken])
        await machine.settle()
        await machine.finishAll()
        return machine
    }

    // MARK: Choices

    @Test @LoopActor func onlyWidgetsForLockScreensAreAllowedThere() async throws {
        let (name, text) = Self.manifest("b", "json")
        let machine = try await machine([
            Self.manifest("a", "json"),
            (name, text.replacing("[Widget]", with: "[Widget]\nExtensionPoint=today lock-screen")),
        ])
        let reason =
            "org.test.a is not for lock screens: ExtensionPoint= in its manifest or a drop-in has to name lock-screen"
        #expect(await machine.change(.choice(try widget("a"), .shown(.lockScreen, true))) == .refused(reason))
        #expect(await machine.change(.choice(try widget("a"), .shown(.lockScreen, false))) == nil)
        #expect(try machine.item(widget("a"))?.places == [.today])
        #expect(await machine.change(.choice(try widget("b"), .shown(.lockScreen, true))) == nil)
        #expect(try machine.item(widget("b"))?.places.contains(.lockScreen) == true)
        #expect(await machine.change(.choice(try widget("b"), .shown(.lockScreen, false))) == nil)
        #expect(try machine.item(widget("b"))?.places.contains(.lockScreen) == false)
        // A widget with an invalid manifest may have any extension point once the manifest is repaired.
        #expect(await machine.change(.choice(try widget("broken"), .shown(.lockScreen, true))) == nil)
    }

    @Test @LoopActor func aModeThatTheWidgetLacksIsRefused() async throws {
        let machine = try await machine([
            Self.manifest("a", "json", largest: "compact"), Self.manifest("b", "json"),
        ])
        #expect(
            await machine.change(.choice(try widget("a"), .displayMode(.expanded)))
                == .refused(
                    "org.test.a has only the compact display mode: LargestDisplayMode=expanded in its manifest allows the other"
                ))
        #expect(await machine.change(.choice(try widget("a"), .displayMode(.compact))) == nil)
        #expect(await machine.change(.choice(try widget("b"), .displayMode(.expanded))) == nil)
        #expect(try machine.item(widget("b"))?.mode == .expanded)
        #expect(await machine.change(.choice(try widget("b"), .displayMode(.compact))) == nil)
        #expect(try machine.item(widget("b"))?.mode == .compact)
        #expect(
            await machine.change(.choice(try widget("broken"), .displayMode(.compact)))
                == .refused("the manifest of org.test.broken is not valid: \(Self.complaint)"))
    }

    @Test @LoopActor func aPushToAnInvalidManifestIsRefused() async throws {
        let machine = try await machine([Self.manifest("a", "json")])
        #expect(
            await machine.push(Content(text: "x"), to: try widget("broken"))
                == .refused("the manifest of org.test.broken is not valid: \(Self.complaint)"))
        #expect(try machine.daemon.store.layers(of: widget("broken")).pushed == nil)
        #expect(await machine.push(Content(text: "x"), to: try widget()) == nil)
    }

    /// A change that the store refuses is refused; one that it cannot write is not stored.
    @Test @LoopActor func aRefusalSaysWhetherTheStoreFailed() async throws {
        let machine = try await machine([Self.manifest("a", "json")])
        let tooLong = String(repeating: "k", count: 257)
        let refusal = await machine.change(.defaults(group: "group.g", key: tooLong, value: 1, writer: nil))
        #expect(refusal == .refused("the key is longer than 256 bytes"))
        machine.daemon.store.close()
        for request: Change in [.choice(try widget(), .enabled(true)), .takeBack(try widget())] {
            #expect(await machine.change(request) == .notStored("the daemon is ending"))
        }
    }

    // MARK: Order

    /// Widgets a to e, of which b and d are hidden.
    private static let moves: [(id: String, to: String, other: String, order: String)] = [
        ("c", "up", "", "cabde"), ("c", "down", "", "abdec"), ("a", "down", "", "bcade"), ("e", "up", "", "abecd"),
        ("a", "up", "", "abcde"), ("b", "up", "", "bacde"), ("e", "first", "", "eabcd"), ("a", "last", "", "bcdea"),
        ("e", "before", "b", "aebcd"), ("a", "after", "d", "bcdae"),
    ]

    /// `up` and `down` pass the next visible widget; other moves count all widgets.
    @Test(arguments: moves)
    @LoopActor func upAndDownPassTheNextVisibleWidget(
        _ row: (id: String, to: String, other: String, order: String)
    ) async throws {
        let machine = try SimulatedMachine(["a", "b", "c", "d", "e"].map { Self.manifest($0, "json") })
        await machine.settle()
        await machine.finishAll()
        for hidden in ["b", "d"] { await machine.change(.choice(try widget(hidden), .hasContent(false))) }
        // From then on, each widget has a rank.
        let last = try widget("e")
        await machine.move(last, to: .last)
        let other = try row.other.isEmpty ? nil : widget(row.other)
        let placement: Placement =
            switch (row.to, other) {
            case ("up", _): .up
            case ("down", _): .down
            case ("first", _): .first
            case ("before", let other?): .before(other)
            case ("after", let other?): .after(other)
            default: .last
            }
        let id = try widget(row.id)
        await machine.move(id, to: placement)
        let order = machine.daemon.catalog.widgets().map { $0.text.replacing("org.test.", with: "") }.joined()
        #expect(order == row.order)
        let place = row.order.firstIndex(of: Character(row.id))?.utf16Offset(in: row.order)
        #expect(machine.daemon.catalog.position(of: id) == place)
        #expect(machine.item(id)?.position == place)
    }

    // MARK: Runs

    @Test @LoopActor func anUpdateOfAnInvalidManifestIsRefused() async throws {
        let machine = try await machine([Self.manifest("a", "json")])
        let answer = machine.daemon.update(try widget("broken"), listener: nil).first
        #expect(answer?.answer == .refused)
        #expect(answer?.reason == "the manifest of org.test.broken is not valid: \(Self.complaint)")
        #expect(try machine.daemon.update(widget(), listener: nil).first?.answer == .started)
    }

    @Test @LoopActor func anUpdateOfAllRunsThoseThatMayRun() async throws {
        let machine = try SimulatedMachine(
            ["a", "b", "c"].map { Self.manifest($0, "json") } + [
                ("org.test.d.widget", "[Widget]\n[Update]\nProtocol=push\n"), ("org.test.e.widget", "[Update]\nNo=1\n"),
            ])
        await machine.settle()
        for run in machine.runner.running.keys { await machine.finish(run, .newData(Content(text: "own"))) }
        await machine.change(.choice(try widget("b"), .hasContent(false)))
        await machine.change(.choice(try widget("c"), .enabled(false)))
        let answers = machine.daemon.update(nil, listener: nil)
        #expect(try answers.map(\.id) == [widget("a")])
        #expect(try machine.daemon.update(widget("b"), listener: nil).map(\.answer) == [.refused])
    }

    private static func buttons(_ count: Int) -> Content {
        var content = Content(text: "own")
        content.compact = .stack(
            .init(.vertical, (1...count).map { .button(.init(title: "\($0)", action: "act \($0)")) }))
        return content
    }

    private static let objections: [(buttons: Int, objection: String)] = [
        (0, ""), (1, #"; there is "act 1""#), (2, #"; there are "act 1", "act 2""#),
        (9, "; there are " + (1...8).map { "\"act \($0)\"" }.joined(separator: ", ")),
    ]

    @Test(arguments: objections)
    @LoopActor func anActionThatIsNotShownIsRefusedWithThoseThatAre(
        _ row: (buttons: Int, objection: String)
    ) async throws {
        let content = row.buttons == 0 ? Content(text: "own") : Self.buttons(row.buttons)
        let machine = try await machine(answers: .newData(content))
        let reason = #"nothing that org.test.a shows now has the action "none""# + row.objection
        #expect(await machine.perform(.action("none"), of: try widget()) == .failure(.refused(reason)))
        #expect(machine.runner.running.isEmpty)
    }

    @Test @LoopActor func aRefusalOfEditingSaysWhy() async throws {
        let (name, text) = Self.manifest("b", "json")
        let machine = try await machine([
            Self.manifest("a", "json"), (name, text.replacing("AllowsEditing=yes\n", with: "")),
        ])
        let notEdited =
            "org.test.a is not being edited; editing ends by itself 5min after the last touch"
        let rows: [(id: String, interaction: Interaction, reason: String)] = [
            ("a", .endEditing(isCancelled: false), notEdited),
            ("b", .beginEditing, "org.test.b has nothing to edit: its manifest says no AllowsEditing=yes"),
            ("broken", .beginEditing, "the manifest of org.test.broken is not valid: \(Self.complaint)"),
        ]
        for row in rows {
            #expect(await machine.perform(row.interaction, of: try widget(row.id)) == .failure(.refused(row.reason)))
        }
        #expect(machine.daemon.store.drafts.isEmpty)
    }

    /// What a plugin says stands in its name, its tags and its drop-ins, and it has no manifest.
    @Test @LoopActor func aRefusalOfAPluginSpeaksOfNoManifest() async throws {
        let machine = try await machine([Self.manifest("a", "json")])
        try machine.directory.script("#!/bin/sh\n", to: "plugins/cpu.5m.sh")
        try machine.directory.write("#!/bin/sh\n", to: "plugins/off.5m.sh")
        let dropIn = "[Widget]\nLargestDisplayMode=compact\nAllowsCommands=no\n"
        try machine.directory.write(dropIn, to: "widgets/plugin.cpu.widget.d/a.conf")
        machine.daemon.registry.reload()
        let cpu = try #require(WidgetID("plugin.cpu"))
        let off = try #require(WidgetID("plugin.off"))
        #expect(
            await machine.change(.choice(cpu, .displayMode(.expanded)))
                == .refused(
                    "plugin.cpu has only the compact display mode: LargestDisplayMode=expanded in a drop-in allows the other"
                ))
        let catalog = machine.daemon.catalog
        #expect(
            throws: Refusal.refused("plugin.cpu has AllowsCommands=no in a drop-in, so its commands are not executed")
        ) { try catalog.launch(of: ["x"], of: cpu) }
        #expect(
            catalog.refusal(of: .beginEditing, for: cpu)
                == .refused("plugin.cpu has nothing to edit: it is a plugin"))
        #expect(
            catalog.reasonForInvalidity(of: off)
                == "the plugin of plugin.off is not valid: off.5m.sh: is not executable (chmod +x)")
        #expect(catalog.status(of: cpu)?.dropIns == [machine.directory("widgets/plugin.cpu.widget.d/a.conf")])
    }

    /// A button does not begin editing, but it counts as a touch while the user edits.
    @Test @LoopActor func anActionProlongsEditingButBeginsNone() async throws {
        let machine = try await machine(answers: .newData(Self.button))
        await machine.perform(.action("press"), of: try widget())
        #expect(try machine.item(widget())?.isEdited == false)
        try await finish(machine, .newData(Self.button))
        await machine.perform(.beginEditing, of: try widget())
        try await finish(machine, .newData(Self.button))
        for _ in 0..<3 {
            await machine.pass(.minutes(4))
            await machine.perform(.action("press"), of: try widget())
            #expect(try machine.item(widget())?.isEdited == true)
            await machine.finishAll(.newData(Self.button))
        }
    }

    /// The user has ended editing: hosts do not show the editor any more, whatever the widget does.
    @Test @LoopActor func hostsStopShowingTheEditorAtOnce() async throws {
        let machine = try await machine("varlink")
        try await edit(machine)
        try await update(machine)
        await machine.perform(.endEditing(isCancelled: false), of: try widget())
        #expect(try machine.item(widget())?.isEdited == false)
        #expect(try machine.item(widget())?.content?.text == "own")
        try await finish(machine, .noData)
        let end = try await finish(machine, .noData)
        #expect(end.interaction == .endEditing(isCancelled: false))
        #expect(!end.isEditing)
    }
}
