// SPDX-License-Identifier: MIT

import JSON
import Testing
import TodayModel

@testable import Rendering

/// What bars get of a widget.
@Suite struct BarOutputTests {
    static let nasty = #"a & b < c > d "e" 'f' %{g} #[h] \i 🍄 é"#

    private func segment(_ change: (inout Content) -> Void = { _ in }, item: (inout Item) -> Void = { _ in }) throws
        -> BarSegment
    {
        var content = Content(text: Self.nasty)
        change(&content)
        let item = try Samples.item("org.a.b", "B", mode: .compact, content: content, change: item)
        return BarSegment(item, Samples.presentation(60))
    }

    /// Written apart from the code that escapes.
    private func unescaped(_ markup: String) -> String {
        var text = ""
        for (place, part) in markup.split(separator: "&", omittingEmptySubsequences: false).enumerated() {
            guard place > 0, let end = part.firstIndex(of: ";") else {
                text += part
                continue
            }
            let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "#39": "'"]
            text += (entities[String(part[..<end])] ?? "?") + part[part.index(after: end)...]
        }
        return text
    }

    @Test func textArrivesAsItself() throws {
        let segment = try segment { $0.tooltip = Self.nasty }
        let waybar = segment.waybar
        for key in ["text", "tooltip"] {
            let markup = try #require(waybar[key]?.stringValue)
            #expect(!markup.contains("<") && !markup.contains(">"))
            #expect(unescaped(markup).hasSuffix(Self.nasty))
        }
        #expect(waybar["text"]?.stringValue.map(unescaped) == Self.nasty)
        let block = segment.i3bar
        #expect(block["full_text"]?.stringValue == Self.nasty && block["markup"] == "none")
        #expect(unescaped(Markup.escaped(Self.nasty)) == Self.nasty)
        #expect(try JSON.parse(Array(waybar.text.utf8)) == waybar)
    }

    @Test func whatIsNotFreshIsMarked() throws {
        let past = Samples.now - .minutes(12)
        let stale = try segment {
            $0.text = "x"
        } item: {
            ($0.stale, $0.taken) = (true, past)
        }
        #expect(stale.text == "x (stale, 12 min)" && stale.classes == ["ready", "stale"])
        let failing = try segment {
            ($0.text, $0.severity) = ("x", .warning)
        } item: {
            ($0.state, $0.taken) = (.failing, past)
        }
        #expect(failing.text == "x (failing, 12 min)" && failing.classes == ["failing", "warning"])
        let waiting = try segment { _ in
        } item: {
            ($0.state, $0.content, $0.taken) = (.waiting, nil, nil)
        }
        #expect(waiting.text == "B (waiting)" && waiting.classes == ["waiting"])
        let hidden = try segment { _ in
        } item: {
            $0.state = .hidden
        }
        #expect(hidden.text == "" && hidden.tooltip == "" && hidden.classes == ["hidden"])
    }

    @Test func theProgramsOwnWordsReachTheStyleSheet() throws {
        let fresh = try segment {
            ($0.text, $0.severity, $0.classes, $0.variant) = ("x", .warning, ["vpn", "warning", "a\"b"], "half")
        }
        #expect(fresh.waybar["class"] == ["today", "ready", "warning", "vpn", "a\"b"])
        #expect(fresh.waybar["alt"] == "half")
        let stale = try segment {
            ($0.text, $0.classes, $0.variant) = ("x", ["vpn"], "half")
        } item: {
            $0.stale = true
        }
        #expect(stale.waybar["class"] == ["today", "ready", "stale", "vpn"])
        #expect(stale.waybar["alt"] == "half")
        let hidden = try segment {
            ($0.text, $0.classes, $0.variant) = ("x", ["vpn"], "half")
        } item: {
            $0.state = .hidden
        }
        #expect(hidden.waybar["class"] == ["today", "hidden"])
        #expect(hidden.waybar["alt"] == "hidden")
        // A module whose format is only an icon shows that icon for content without text.
        let empty = try segment {
            ($0.text, $0.isEmpty, $0.classes, $0.variant) = ("", true, ["none"], "none")
            ($0.percentage, $0.tooltip) = (40, "No messages")
        } item: {
            $0.state = .empty
        }
        #expect(
            empty.waybar == [
                "text": "", "alt": "none", "tooltip": "B\nNo messages", "class": ["today", "empty", "none"],
                "percentage": 40,
            ])
        #expect(
            try segment {
                $0.tooltip = "x"
            } item: {
                $0.state = .hidden
            }.tooltip == "")
    }

    @Test func fieldsHaveTheirPlaces() throws {
        let segment = try segment {
            ($0.text, $0.short, $0.icon, $0.percentage, $0.severity) = ("62 % used", "62", "💾", 62.4, .critical)
        }
        let waybar = segment.waybar
        #expect(waybar["text"] == "💾 62 % used" && waybar["alt"] == "ready" && waybar["percentage"] == 62)
        #expect(waybar["class"]?.arrayValue == ["today", "ready", "critical"])
        let block = segment.i3bar
        #expect(block["full_text"] == "💾 62 % used" && block["short_text"] == "💾 62" && block["urgent"] == true)
        #expect(block["color"] == "#ff6b6b" && block["instance"] == "org.a.b" && block["name"] == "todayd")
    }

    @Test func anExactColourIsKept() throws {
        let block = try segment { $0.color = Color("#42a1d3") }.i3bar
        #expect(block["color"] == "#42a1d3" && block["urgent"] == nil)
        // In Waybar the style sheet has the colours of states and severities, but cannot have that of a program.
        func waybar(_ content: (inout Content) -> Void, _ item: (inout Item) -> Void = { _ in }) throws -> JSON? {
            try segment(
                {
                    ($0.text, $0.color) = ("a<", Color("#42a1d3"))
                    content(&$0)
                }, item: item
            ).waybar["text"]
        }
        let coloured: JSON = "<span foreground=\"#42a1d3\">a&lt;</span>"
        #expect(try waybar { _ in } == coloured)
        #expect(try waybar { $0.severity = .critical } == coloured)
        #expect(try waybar { $0.color = .meaning(.good) } == "a&lt;")
        #expect(try waybar { ($0.color, $0.severity) = (nil, .warning) } == "a&lt;")
        #expect(try waybar({ $0.color = nil }, { $0.face[.color] = "#42a1d3" }) == "a&lt;")
        #expect(try waybar({ _ in }, { $0.stale = true })?.stringValue?.hasPrefix("a&lt;") == true)
        #expect(try segment().i3bar["color"] == nil)
    }

    @Test func samplesAreOneLineEach() throws {
        for item in try Samples.all() {
            let segment = BarSegment(item, Samples.presentation(60))
            #expect(!segment.text.contains("\n") && segment.text.isEmpty == !item.isVisible)
            #expect(!segment.waybar.text.contains("\n"))
        }
    }
}
