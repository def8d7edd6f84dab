// SPDX-License-Identifier: MIT

import Files
import Platform
import Rendering
import TestSupport
import Testing
import TodayModel

@testable import Bars

/// The menu of a widget: its lines, and what a choice does.
@Suite struct WidgetMenuTests {
    private func menu(_ views: [View], mode: DisplayMode = .compact) throws -> WidgetMenu {
        var item = Item(
            id: try #require(WidgetID("a.b")), name: "Mail", points: [.today], position: 0, state: .ready, mode: mode,
            largestMode: .expanded)
        var content = Content(text: "3")
        content.expanded = .stack(View.Stack(.vertical, views))
        item.content = content
        return WidgetMenu(item)
    }

    private static func item(_ title: String, action: String? = nil, children: [View] = []) -> View.Item {
        var item = View.Item(title: title, children: children)
        item.action = action
        return item
    }

    private static let views: [View] = {
        var disabled = item("Heading")
        disabled.isDisabled = true
        var alternate = item("Hidden", action: "h")
        alternate.isAlternate = true
        var marked = item("Loud", action: "loud")
        (marked.isChecked, marked.badge) = (true, "on")
        var area = View.Stack(.horizontal, [.text(View.Text("Tap me"))])
        area.action = "tap"
        return [
            .text(View.Text("not a thing")), .button(.init(title: "Read", action: "read")),
            .link(.init(title: "Site", url: "https://a.example")), .item(disabled), .item(alternate), .item(marked),
            .item(item("Read", action: "again")), .stack(area),
            .item(item("More", children: [.item(item("Deep", action: "deep")), .item(item("Leaf"))])),
            .item(item("Both", action: "both", children: [.item(item("Child", action: "child"))])),
            .item(item("nothing to do")),
        ]
    }()

    @Test func aMenuOfAllWidgetsNeedsNoName() throws {
        #expect(try Menu.command.parse([]).positionals("ID").isEmpty)
        #expect(try Menu.command.parse(["a", "b"]).positionals("ID") == ["a", "b"])
    }

    @Test func itHasWhatCanBeChosen() throws {
        #expect(
            try menu(Self.views).entries.map(\.line) == [
                "Read", "Site", "✓ Loud  on", "Read (2)", "Tap me", "More ›", "Both ›", "↻ Update",
            ])
    }

    @Test func buttonsOfOneTitleAreToldApartByTheirRows() throws {
        func row(_ task: String) -> View {
            .stack(.init(.horizontal, [.button(.init(title: "done", action: "done \(task)")), .text(.init(task))]))
        }
        let menu = try menu([row("Call Ada"), .text(.init("between")), row("Call Bob")])
        #expect(menu.entries.map(\.line) == ["done  Call Ada", "done  Call Bob", "↻ Update"])
        #expect(menu.entries[1].target?.action == "done Call Bob")
    }

    @Test func noTwoLinesAreEqual() throws {
        let titles = ["Read", "Read", "Read (2)", "Read"]
        let menu = try menu(titles.enumerated().map { .button(.init(title: $1, action: "\($0)")) })
        #expect(menu.entries.map(\.line) == ["Read", "Read (2)", "Read (2) (2)", "Read (3)", "↻ Update"])
        #expect(menu.entries.prefix(4).map { $0.target?.action } == ["0", "1", "2", "3"])
    }

    private static let choices: [(answers: [String], action: String?, asked: Int)] = [
        (["Read"], "read", 1), (["Read (2)"], "again", 1), (["More ›", "Deep"], "deep", 2),
        (["Both ›", "Both"], "both", 2), (["Both ›", "Child"], "child", 2), (["Tap me"], "tap", 1), ([], nil, 1),
        (["What I typed"], nil, 1), (["More ›"], nil, 2),
    ]

    @Test(arguments: choices.indices) func aChoiceIsATarget(index: Int) throws {
        let (answers, action, count) = Self.choices[index]
        var asked: [String] = []
        let target = try menu(Self.views).choose { name, _ in
            asked.append(name)
            return asked.count <= answers.count ? answers[asked.count - 1] : nil
        }
        #expect(target?.action == action && asked.count == count && asked[0] == "Mail")
    }

    @Test func linksAndUpdates() throws {
        #expect(try menu(Self.views).choose { _, _ in "Site" }?.url == "https://a.example")
        #expect(try menu([]).choose { _, lines in lines.last }?.updates == true)
    }

    @Test func ofSeveralWidgetsOneIsChosenFirst() throws {
        let items = try ["a.one", "a.two", "a.three"].map { text in
            var item = Item(
                id: try #require(WidgetID(text)), name: text == "a.three" ? "Other" : "Mail", points: [.today],
                position: 0, state: .ready, mode: .compact, largestMode: .compact)
            item.content = text == "a.three" ? nil : Content(text: "3 new\u{1b}")
            return item
        }
        var lines: [String] = []
        let chosen = try WidgetMenu.choose(among: items) {
            lines = $1
            return $1[1]
        }
        #expect(lines == ["Mail  3 new", "Mail  3 new (2)", "Other"] && chosen?.id.text == "a.two")
        #expect(try WidgetMenu.choose(among: items) { _, _ in "typed" } == nil)
        #expect(try WidgetMenu.choose(among: items) { _, _ in nil } == nil)
    }

    // MARK: The program

    private func environment(_ variables: [String: String], installed: [String]) throws -> (
        EnvironmentVariables, TemporaryDirectory
    ) {
        let directory = TemporaryDirectory()
        for name in installed {
            try directory.write("#!/bin/sh\nprintf '%s|' \"$@\" > \"$0.args\"\n/bin/sed -n 2p\n", to: name, mode: 0o755)
        }
        return (EnvironmentVariables(variables.merging(["PATH": directory.path]) { $1 }), directory)
    }

    @Test func theFirstThatIsInstalledIsAsked() throws {
        let names = ["rofi", "dmenu", "wofi", "fuzzel"]
        let found: [([String: String], [String], String?)] = [
            (["WAYLAND_DISPLAY": "w"], names, "fuzzel"), (["DISPLAY": ":0"], names, "rofi"), ([:], names, nil),
            (["DISPLAY": ":0"], ["dmenu"], "dmenu"), (["WAYLAND_DISPLAY": "w"], ["dmenu"], nil),
            (["DISPLAY": ":0", "WAYLAND_DISPLAY": "w"], ["rofi", "wofi"], "wofi"), (["DISPLAY": ":0"], [], nil),
        ]
        for (variables, installed, name) in found {
            let (environment, directory) = try environment(variables, installed: installed)
            #expect(MenuPicker(environment)?.path == name.map { "\(directory.path)/\($0)" })
        }
    }

    @Test func itReadsLinesAndPrintsOne() throws {
        let (environment, directory) = try environment(
            ["WAYLAND_DISPLAY": "w", "DISPLAY": ":0"], installed: ["fuzzel"])
        let picker = try #require(MenuPicker(environment))
        #expect(try picker.ask("Mail", ["one", "zwei è", "three"]) == "zwei è")
        let arguments = FileContents(at: directory("fuzzel.args"), limit: 1_000)
        #expect(arguments == .bytes(Array("--dmenu|--prompt|Mail |".utf8)))
        #expect(try picker.ask("Mail", ["one"]) == nil, "it printed nothing")
        #expect(try picker.ask("Mail", (0..<20_000).map { "line \($0)" }) == "line 1", "a pipe takes no more")
        #expect(try MenuPicker(named: "/bin/false", in: environment).ask("x", ["a", "b"]) == nil)
        #expect(try MenuPicker(named: "\(directory.path)/fuzzel", in: environment) == picker)
        #expect(throws: (any Error).self) { try MenuPicker(named: "nowhere", in: environment) }
    }
}
