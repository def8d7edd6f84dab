// SPDX-License-Identifier: MIT

import ClientTestSupport
import JSON
import Rendering
import Synchronization
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import Bars
@testable import Commands

/// Clicks on widgets in bars: what they mean, and how bars tell of them.
@Suite struct ClickTests {
    private static func item(
        _ content: Content?, mode: DisplayMode = .compact, largest: DisplayMode = .expanded
    ) throws -> Item {
        var item = Item(
            id: try #require(WidgetID("org.a.b")), name: "B", points: [.today], position: 0, state: .ready, mode: mode,
            largestMode: largest)
        item.content = content
        return item
    }

    private static func content(_ views: [View]) -> Content {
        var content = Content(text: "x")
        content.compact = .stack(View.Stack(.vertical, views))
        return content
    }

    private static let button = View.button(.init(title: "Done", action: "done"))
    private static let link = View.link(.init(title: "Open", url: "https://a.example"))

    // MARK: Effects

    @Test func theOnlyTargetIsTouched() throws {
        let target = Numbering.Target(title: "Done", action: "done")
        #expect(ClickEffect(.press, button: 1, of: try Self.item(Self.content([Self.button]))) == .touch(target))
        // Two of the same effect are one.
        let twice = try Self.item(Self.content([Self.button, Self.button]))
        #expect(ClickEffect(.press, button: 1, of: twice) == .touch(target))
        let several = Self.content([Self.button, Self.link])
        #expect(ClickEffect(.press, button: 1, of: try Self.item(several)) == .menu)
        #expect(ClickEffect(.press, button: 1, of: try Self.item(nil)) == .mode(.expanded))
        // A plugin with one item has it in its menu only.
        var plugin = Content(text: "x")
        plugin.expanded = .stack(View.Stack(.vertical, [Self.button]))
        #expect(ClickEffect(.press, button: 1, of: try Self.item(plugin)) == .touch(target))
        #expect(ClickEffect(.press, button: 1, of: try Self.item(plugin, largest: .compact)) == .nothing)
    }

    /// Click= of a widget is what the left button does, unless the user of the bar says otherwise.
    @Test func aWidgetChoosesItsClick() throws {
        var item = try Self.item(Self.content([Self.button]))
        #expect(ClickChoices.standard.deed(for: 1, of: item) == .press)
        item.face[.click] = "menu"
        #expect(
            ClickChoices.standard.deed(for: 1, of: item) == .menu
                && ClickChoices.standard.deed(for: 2, of: item) == .update)
        #expect(try ClickChoices(["left=update"]).deed(for: 1, of: item) == .update)
        item.content?.takesClicks = true
        #expect(
            ClickChoices.standard.deed(for: 1, of: item) == .menu && ClickChoices.standard.deed(for: 3, of: item) == nil
        )
        #expect(ClickEffect(.menu, button: 1, of: item) == .menu && ClickEffect.toggled(item) == .mode(.expanded))
        #expect(Face.Key.deeds.allSatisfy { ClickDeed(rawValue: $0) != nil })
    }

    @Test func theOtherDeeds() throws {
        let item = try Self.item(Self.content([Self.button]))
        #expect(ClickEffect(.update, button: 1, of: item) == .update)
        #expect(ClickEffect(.toggle, button: 1, of: item) == .mode(.expanded))
        #expect(ClickEffect(.toggle, button: 1, of: try Self.item(nil, mode: .expanded)) == .mode(.compact))
        #expect(ClickEffect(ClickDeed.none, button: 1, of: item) == .nothing)
        #expect(ClickEffect(.next, button: 1, of: item) == .page(PageTurn(item.id, isForward: true)))
        #expect(ClickEffect(.previous, button: 1, of: item) == .page(PageTurn(item.id, isForward: false)))
        #expect(ClickEffect(nil, button: 9, of: item) == .action("click-9"))
        #expect(ClickEffect(nil, button: 10, of: item) == .nothing)
    }

    // MARK: Choices

    @Test func buttonsMeanWhatHostsOfWidgetsDo() throws {
        let item = try Self.item(Self.content([]))
        let deeds = (0...9).map { ClickChoices.standard.deed(for: $0, of: item) }
        #expect(
            deeds == [.none, .press, .update, .toggle, .previous, .next, .none, .none, .none, .none] as [ClickDeed])
        var content = Self.content([])
        content.takesClicks = true
        let own = try Self.item(content)
        #expect((1...9).allSatisfy { ClickChoices.standard.deed(for: $0, of: own) == nil })
        let choices = try ClickChoices(["right=update", "2=none", "up=press", "3=next"])
        #expect(choices.deed(for: 3, of: own) == .next && choices.deed(for: 2, of: item) == ClickDeed.none)
        #expect(choices.deed(for: 1, of: own) == nil && choices.deed(for: 1, of: item) == .press)
        #expect(choices.words == ["2=none", "3=next", "4=press"])
        #expect(try ClickChoices(choices.words) == choices)
    }

    @Test(arguments: [
        ("left", "is not BUTTON=DEED"), ("=press", "is not BUTTON=DEED"), ("0=press", "is not BUTTON=DEED"),
        ("10=press", "is not BUTTON=DEED"), ("left=pres", "there is no 'pres', but press, menu, update"),
        ("left=", "there is no '', but press"), ("", "is not BUTTON=DEED"),
    ])
    func wrongChoicesAreSaid(word: String, reason: String) throws {
        do throws(ClickChoices.Mistake) {
            _ = try ClickChoices([word])
            Issue.record("is accepted")
        } catch {
            #expect(error.reason.contains(reason))
        }
        let result = try Program().run(["bar", "i3bar", "--click", word])
        #expect(result.code == .usage && result.errors.contains("--click: '\(word)'"))
    }

    // MARK: The stream of i3bar

    private static let click = #"{"name":"todayd","instance":"org.a.b","button":3,"modifiers":["Shift"],"x":1,"y":2}"#

    private func read(_ text: String, piece: Int = .max) -> [ClickStream.Received] {
        var stream = ClickStream()
        var rest = Array(text.utf8)[...]
        var clicks: [ClickStream.Received] = []
        while !rest.isEmpty {
            clicks += stream.read(rest.prefix(piece))
            rest = rest.dropFirst(piece)
        }
        return clicks
    }

    @Test(arguments: [1, 2, 7, 64, 4_096]) func clicksOfBothBarsAreRead(piece: Int) throws {
        let click = ClickStream.Received(widget: try #require(WidgetID("org.a.b")), button: 3)
        // swaybar puts commas in front, i3bar behind.
        for text in ["[\n\(Self.click)\n,\(Self.click)\n", "[\n\(Self.click),\n\(Self.click),\n"] {
            #expect(read(text, piece: piece) == [click, click])
        }
    }

    @Test(arguments: [
        "", "[", "]]]}}}", "null", "[1,2]", #"{"button":1}"#, #"{"name":"todayd","instance":"a b","button":1}"#,
        #"{"name":"other","instance":"org.a.b","button":1}"#, #"{"name":"todayd","instance":"org.a.b","button":"1"}"#,
        #"{"name":"todayd","instance":"org.a.b"}"#, #""{\"name\":\"todayd\"}""#, "{{{{{{", "\u{0}\u{ff}{\u{1}}",
        #"{"a":"\u0000\"}{"}"#, "{\"a\": \"not closed",
    ])
    func whatIsNoClickIsSkipped(text: String) throws {
        #expect(read(text).isEmpty)
        #expect(read("\(text)\n\(Self.click)\n").count == 1, "\(text)")
    }

    @Test(arguments: [(ClickStream.mostBytes, 1), (ClickStream.mostBytes + 1, 0)])
    func aLineHasALongestLength(length: Int, clicks: Int) {
        let line = Self.click + String(repeating: " ", count: length - Self.click.utf8.count)
        #expect(read(line + "\n").count == clicks)
    }

    /// Bars say where the click was in some ten more members.
    @Test(arguments: [(96, 1, 1), (97, 1, 0), (0, 7, 1), (0, 8, 0)])
    func aClickIsSmall(members: Int, depth: Int, clicks: Int) {
        let more = (0..<members).map { ",\"m\($0)\":1" }.joined()
        let deep =
            depth == 1 ? "" : ",\"x\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(read("{\"name\":\"todayd\",\"instance\":\"org.a.b\",\"button\":1\(more)\(deep)}\n").count == clicks)
    }

    @Test func anEndlessLineTakesNoMemory() {
        var stream = ClickStream()
        let part = [UInt8](repeating: UInt8(ascii: "1"), count: 100_000)
        #expect(stream.read(Array("{\"a\":".utf8)).isEmpty)
        for _ in 0..<50 { #expect(stream.read(part).isEmpty) }
        #expect(stream.read(Array("}\n\(Self.click)\n".utf8)).count == 1)
    }

    // MARK: The command

    /// The calls of the command after it has looked at the widget.
    private func calls(_ arguments: [String], _ item: Item) throws -> (code: Int32?, calls: [String]) {
        let program = Program()
        let made = Mutex<[String]>([])
        program.serve(connections: 10) { peer in
            let answer: JSON = ["id": "org.a.b", "answer": "newData"]
            while let call = peer.receive() {
                if call.memberName != "Show" {
                    made.withLock { $0.append("\(call.memberName) \(JSON.object(call.parameters).text)") }
                }
                switch call.memberName {
                case "Show": peer.send(VarlinkReply(["items": .array([item.json]), "removed": []]))
                case "Update": peer.send(VarlinkReply(["answers": .array([answer])]))
                case "PerformAction": peer.send(VarlinkReply(["answer": answer]))
                default: peer.send(VarlinkReply())
                }
            }
        }
        let result = try program.run(["click", "b"] + arguments)
        if arguments.contains("--json"), result.code == .ok {
            #expect(try JSON.parse(Array(result.output.utf8)).objectValue != nil)
        }
        return (result.code?.rawValue, made.withLock { $0 })
    }

    @Test func theCommandDoesWhatTheButtonMeans() throws {
        let item = try Self.item(Self.content([Self.button]))
        let press = #"PerformAction {"id":"org.a.b","action":"done"}"#
        let update = #"Update {"id":"org.a.b"}"#
        let expand = #"SetDisplayMode {"id":"org.a.b","mode":"expanded"}"#
        let expected: [([String], Int32, [String])] = [
            ([], 0, [press]), (["left"], 0, [press]), (["middle"], 0, [update]), (["right"], 0, [expand]),
            (["right", "--json"], 0, [expand]), (["middle", "--json"], 0, [update]),
            (["up"], 1, []),
            (["up", "--do", "update"], 0, [update]), (["sideways"], 2, []), (["--do", "none"], 1, []),
        ]
        for (arguments, code, made) in expected {
            let result = try calls(arguments, item)
            #expect(result.code == code && result.calls == made, "\(arguments): \(result)")
        }
    }
}
