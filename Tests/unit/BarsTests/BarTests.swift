// SPDX-License-Identifier: MIT

import ClientTestSupport
import JSON
import Rendering
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import Bars
@testable import Commands
@testable import Link

/// `todayctl bar`: what a bar shows, and when.
@Suite struct BarTests {
    private static let now = WallTime(microseconds: 1_800_000_000_000_000)

    private static func presentation(_ now: WallTime = Self.now) -> Presentation {
        var presentation = Presentation(width: 60, now: now)
        presentation.isLasting = true
        return presentation
    }

    private static func reply(_ texts: [String: String], removed: [String] = []) -> JSONObject {
        let items = texts.sorted { $0.key < $1.key }.enumerated().map { place, entry -> JSON in
            var item = Wire.item(entry.key, position: place, text: entry.value).objectValue ?? [:]
            item["taken"] = .int((now - .minutes(3)).microseconds)
            return .object(item)
        }
        return ["items": .array(items), "removed": JSON(removed)]
    }

    private func texts(_ state: BarState, _ now: WallTime = Self.now) -> [String]? {
        state.segments(Self.presentation(now))?.map(\.text)
    }

    @Test func itFollowsTheView() throws {
        var state = BarState(areNamed: false)
        #expect(texts(state) == nil, "before the first reply it is silent")
        try state.apply(Self.reply(["org.a.a": "one", "org.a.b": "two"]))
        #expect(texts(state) == ["one", "two"])
        try state.apply(Self.reply(["org.a.a": "three"], removed: ["org.a.b"]))
        #expect(texts(state) == ["three"])
    }

    /// A module of Waybar that shows one widget is dimmed by its class.
    @Test func aBarThatDimsNeedsNoSignForOneWidget() throws {
        for (widgets, expected) in [
            (["org.a.a": "one"], ["one"]), (["org.a.a": "one", "org.a.b": "two"], ["one", "two", "⚠"]),
        ] {
            var state = BarState(areNamed: true, dims: true)
            try state.apply(Self.reply(widgets))
            state.lose(at: Self.now)
            #expect(texts(state) == expected)
        }
    }

    @Test(arguments: [("1s", 1), ("2s", 2), ("1min", 60)]) func turnsTakeASecondOrMore(text: String, seconds: Int64)
        throws
    {
        let bar = try Bar(Bar.command.parse(["waybar", "--turn", text]))
        #expect(bar.turnInterval == .seconds(seconds))
    }

    @Test func withoutATodaydAllIsStale() throws {
        var state = BarState(areNamed: false)
        state.lose(at: Self.now)
        #expect(texts(state) == ["todayd ⚠"] && state.isLost)
        try state.apply(Self.reply(["org.a.a": "one"]))
        #expect(texts(state) == ["one"] && !state.isLost)
        #expect(state.nextChange(after: Self.now) == nil, "nothing wakes it while all is fresh")
        state.lose(at: Self.now)
        #expect(texts(state) == ["one", "⚠"], "one sign for all of them")
        let segments = try #require(state.segments(Self.presentation()))
        #expect(segments[0].classes == ["ready", "stale"] && segments[0].color == .meaning(.secondary))
        #expect(segments[0].tooltip.hasPrefix("org.a.a · stale, 3 min\n"))
        #expect(segments[1].tooltip.contains("todayd has not answered since"))
        #expect(state.nextChange(after: Self.now) == .minutes(1))
        // The first reply of the next connection has everything.
        try state.apply(Self.reply(["org.a.b": "two"]))
        #expect(texts(state) == ["two"])
    }

    /// todayd says until when content is fresh; it may hang afterwards.
    @Test func contentBecomesStaleWithoutAWord() throws {
        var state = BarState(areNamed: false)
        var item = Wire.item("org.a.a", position: 0, text: "one").objectValue ?? [:]
        item["taken"] = .int((Self.now - .minutes(3)).microseconds)
        item["freshUntil"] = .int((Self.now + .minutes(1)).microseconds)
        try state.apply(["items": [.object(item)], "removed": []])
        #expect(texts(state) == ["one"] && state.nextChange(after: Self.now) == .seconds(61))
        #expect(texts(state, Self.now + .seconds(59)) == ["one"])
        #expect(texts(state, Self.now + .minutes(1)) == ["one (stale, 4 min)"])
        #expect(state.nextChange(after: Self.now + .minutes(1)) == .minutes(1), "its age is shown")
    }

    @Test func onlyAnAgeThatIsShownWakesIt() throws {
        var state = BarState(areNamed: false)
        var stale = Wire.item("org.a.a", text: "x").objectValue ?? [:]
        stale["stale"] = true
        stale["taken"] = .int((Self.now - .seconds(90)).microseconds)
        try state.apply(["items": [.object(stale)], "removed": []])
        #expect(state.nextChange(after: Self.now) == .seconds(30))
        stale["state"] = "hidden"
        stale["visible"] = false
        try state.apply(["items": [.object(stale)], "removed": []])
        #expect(state.nextChange(after: Self.now) == nil)
    }

    @Test func summariesTurn() throws {
        var state = BarState(areNamed: false)
        func pages(_ text: String, _ id: String) -> JSON {
            var item = Wire.item(id, text: text).objectValue ?? [:]
            item["content"] = ["text": .string(text), "pages": ["2", "3"]]
            return .object(item)
        }
        try state.apply(["items": [Wire.item("org.a.c", text: "x")], "removed": []])
        #expect(!state.hasPages)
        try state.apply(["items": [pages("1", "org.a.a"), pages("1", "org.a.b")], "removed": ["org.a.c"]])
        let id = try #require(WidgetID("org.a.b"))
        #expect(state.hasPages && state.item(id)?.content?.text == "1")
        state.turn(PageTurn(id, isForward: true))
        #expect(texts(state) == ["1", "2"])
        // A turn of what is not shown is for other bars.
        let later = try #require(WidgetID("org.a.later"))
        state.turn(PageTurn(later, isForward: true))
        try state.apply(["items": [pages("1", "org.a.later")], "removed": []])
        #expect(texts(state) == ["1", "2", "1"])
        try state.apply(["items": [], "removed": ["org.a.later"]])
        state.turn()
        #expect(texts(state) == ["2", "3"])
        for _ in 0..<3 { state.turn(PageTurn(id, isForward: false)) }
        #expect(texts(state) == ["2", "3"])
    }

    @Test func itTriesAgainLessAndLessOften() {
        var reconnection = Reconnection()
        var now = AwakeTime(microseconds: 1_000)
        #expect(reconnection.due == nil)
        var pauses: [Int64] = []
        for _ in 0..<9 {
            reconnection.failed(at: now)
            let due = reconnection.due ?? now
            pauses.append((due - now).microseconds / 1_000)
            now = due
        }
        #expect(pauses == [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000])
        reconnection.succeeded()
        #expect(reconnection.due == nil)
        reconnection.failed(at: now)
        #expect(reconnection.due == now + .milliseconds(250))
    }

    // MARK: The command

    @Test(
        arguments: [
            (["bar", "waybar", "disk"], ["id": "disk"]), (["bar", "key", "a", "b"], ["ids": ["a", "b"]]),
            (["bar", "key"], ["point": "status_bar"]), (["bar", "key", "--point", "today"], ["point": "today"]),
        ] as [([String], JSONObject)])
    func itIsOneCall(line: [String], parameters: JSONObject) throws {
        #expect(try Bar(TodayControl.command.parse(line)).call.parameters == parameters)
    }

    @Test func genmonStartsItEachTime() throws {
        let program = Program()
        program.serve(["Show": [VarlinkReply(Self.reply(["org.a.a": "one"]), continues: true)]])
        #expect(try program.run(["bar", "genmon"]).output.hasPrefix("<txt>one</txt>\n<tool>"))
    }

    @Test func anUnknownWidgetEndsIt() throws {
        let program = Program()
        // One call on each connection: while the bar's is open, another one asks for complaints about manifests.
        program.serve(connections: 2) { peer in
            if peer.receive() != nil { peer.send(VarlinkReply(Wire.noSuchWidget("dsk"))) }
        }
        let result = try program.run(["bar", "waybar", "dsk"])
        #expect(result.code == .noSuchWidget && result.output == "")
    }

    @Test(arguments: ["0s", "500ms", "x", "-5s"]) func pagesTurnInSeconds(time: String) throws {
        let result = try Program().run(["bar", "key", "--turn=\(time)"])
        #expect(result.code == .usage && result.errors.contains("--turn: invalid duration '\(time)'"))
    }

    @Test func whatItCannotDoIsSaid() throws {
        let json = try Program().run(["--json", "bar", "waybar"])
        #expect(json.code == .usage && json.errors.contains("'todayctl bar json' prints JSON"))
        let many = try Program().run(["bar", "--print-config", "waybar"] + (0...100).map { "w\($0)" })
        #expect(many.code == .usage && many.errors.contains("at most 100 widgets can be named, and these are 101"))
        let most = try TodayControl.command.parse(["bar", "waybar"] + (1...100).map { "w\($0)" })
        #expect(try Bar(most).ids.count == 100)
    }

    // MARK: Configurations

    private func configuration(_ line: [String]) throws -> String {
        let bar = try Bar(TodayControl.command.parse(["bar", "--print-config"] + line))
        let items = try bar.ids.map { id in
            Item(id: try #require(WidgetID("org.a.\(id)")), name: id, points: [], position: 0, state: .ready)
        }
        return BarConfiguration(bar, items).text
    }

    @Test func waybarGetsAModuleForEachWidget() throws {
        let text = try configuration(["waybar", "disk", "load", "--system"])
        for part in [
            "with \"custom/today-org-a-disk\", \"custom/today-org-a-load\" in a list",
            "\"exec\": \"todayctl --system bar waybar org.a.disk\"",
            "\"on-click-middle\": \"todayctl --system click org.a.load middle\"",
            "\"on-click\": \"todayctl --system click org.a.load left\"",
            "\"on-click-right\": \"todayctl --system click org.a.load right\"",
            "\"on-scroll-up\": \"todayctl --system click org.a.load up\"",
            "\"on-scroll-down\": \"todayctl --system click org.a.load down\"",
            ".today { padding: 0 8px; }", ".today.stale { opacity: 0.6; }",
        ] { #expect(text.contains(part), "\(part) in \(text)") }
        #expect(try configuration(["waybar"]).contains("\"exec\": \"todayctl bar waybar\""))
    }

    @Test(
        arguments: [("38 %", 4), ("No mail", nil), ("12345678901234567890", 20), ("123456789012345678901", nil)]
            as [(String, Int?)])
    func aModuleOfWaybarKeepsTheRoomOfANumber(text: String, length: Int?) throws {
        let bar = try Bar(TodayControl.command.parse(["bar", "waybar", "a"]))
        var item = Item(id: try #require(WidgetID("org.a.b")), name: "b", points: [], position: 0, state: .ready)
        item.content = Content(text: text)
        #expect(BarConfiguration(bar, [item]).module(item)["min-length"]?.intValue == length.map { Int64($0) })
        item.face[.label] = "AB"
        let labelled = length.map { $0 + 3 }.flatMap { $0 <= 20 ? Int64($0) : nil }
        #expect(BarConfiguration(bar, [item]).module(item)["min-length"]?.intValue == labelled)
        item.face[.width] = "9"
        #expect(BarConfiguration(bar, [item]).module(item)["min-length"] == 9)
    }

    @Test(arguments: BarKind.allCases) func aConfigurationStartsTheBar(kind: BarKind) throws {
        let text = try configuration([kind.rawValue, "disk", "--socket", "/run/my socket"])
        let command = "todayctl --socket '/run/my socket' bar \(kind.rawValue) org.a.disk"
        let line =
            switch kind {
            case .waybar: "  \"exec\": \"\(command)\","
            case .i3bar: "    status_command \(command)"
            case .polybar: "exec = \(command)"
            case .tmux: "set -g status-right \"#(\(command))\""
            case .yambar: "    args: [-c, \"exec \(command)\"]"
            case .genmon, .key, .json: command
            }
        #expect(text.split(separator: "\n").contains(Substring(line)), "\(text)")
        let menu = "todayctl --socket '/run/my socket' menu org.a.disk"
        #expect(text.contains(menu) == [.tmux, .yambar].contains(kind))
    }

    /// What a button does stands in the command that the bar starts for it.
    @Test func chosenDeedsAreInTheCommandsOfClicks() throws {
        let arguments = ["polybar", "disk", "-c", "left=update", "-c", "middle=none", "-c", "right=next"]
        let bar = try Bar(TodayControl.command.parse(["bar"] + arguments))
        let id = try #require(WidgetID("org.a.b"))
        let commands = (1...4).map { bar.clickCommand(id, $0) }
        #expect(
            commands == [
                "todayctl click --do update org.a.b left", nil, "todayctl click --do next org.a.b right",
                "todayctl click org.a.b up",
            ])
        #expect(
            try configuration(arguments).contains(
                "bar polybar --click 1=update --click 2=none --click 3=next org.a.disk"))
        let waybar = try configuration(["waybar", "disk", "-c", "left=update", "-c", "middle=none"])
        #expect(waybar.contains("\"exec\": \"todayctl bar waybar org.a.disk\""))
        #expect(
            waybar.contains("\"on-click\": \"todayctl click --do update org.a.disk left\"")
                && !waybar.contains("middle"))
        let bars = [Bar.configuration(for: .tmux), try configuration(["tmux", "--point", "today"])]
        #expect(bars[0].contains("display-popup -E -w 60 \"todayctl menu --point status-bar\""))
        #expect(bars[1].contains("\"todayctl menu --point today\""))
        let result = try Program().run(["bar", "tmux", "-c", "left=update"])
        #expect(result.code == .usage && result.errors.contains("--click: there are no clicks in tmux"))
    }
}
