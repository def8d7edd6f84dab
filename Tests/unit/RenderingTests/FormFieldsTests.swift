// SPDX-License-Identifier: MIT

import JSON
import Testing
import TodayModel

@testable import Rendering

/// What each form says besides the text.
@Suite struct FormFieldsTests {
    private func item(_ id: String = "org.a.b", _ text: String = "62 % used", _ change: (inout Item) -> Void = { _ in })
        throws -> Item
    {
        try Samples.item(id, "B", mode: .compact, age: .minutes(12), content: Content(text: text), change: change)
    }

    private func output(_ form: OutputForm, _ items: [Item]) -> String { OutputFormTests.text(form, items) }

    @Test func severalWidgetsAreOneLineOrOneEach() throws {
        let items = [
            try item("org.a.one", "one"), try item("org.a.no", "") { $0.state = .hidden },
            try item("org.a.two", "two") { $0.content?.severity = .warning },
        ]
        #expect(output(.polybar, items) == "one · %{F#ffc457}two%{F-}\n")
        #expect(output(.tmux, items) == "one · #[push-default fg=#ffc457]two#[default pop-default]\n")
        #expect(output(.i3blocks, items) == "one · two\none · two\n#ffc457\n")
        #expect(
            output(.genmon, items).hasPrefix("<txt>one · <span foreground=\"#ffc457\">two</span></txt>\n<tool>B\none"))
        let waybar = output(.waybar, items).split(separator: "\n")
        #expect(waybar.count == 3 && waybar[1].contains("\"text\":\"\""))
        #expect(try JSON.parse(Array(output(.i3bar, items).utf8)).arrayValue?.count == 3)
        let yambar = try YambarReader(output(.yambar, items)).tags
        #expect(yambar["text"] == "one · two" && yambar["org.a.one.text"] == "one" && yambar["org.a.no.text"] == "")
        #expect(yambar["org.a.two.severity"] == "warning" && yambar["short"] == nil)
        let page = try MarkupReader(output(.html, items))
        #expect(page.texts(of: "title") == ["Today"] && page.elements.filter { $0.name == "article" }.count == 3)
    }

    /// From the most urgent; each has a colour of its own.
    @Test func theMostUrgentGivesABlockItsColour() throws {
        func item(_ id: String, _ severity: Severity = .normal, color: String? = nil, _ state: WidgetState = .ready)
            throws -> Item
        {
            try self.item(id) {
                $0.state = state
                $0.content?.severity = severity
                $0.content?.color = color.flatMap { Color($0) }
            }
        }
        var stale = try item("org.a.stale", .good)
        stale.stale = true
        let order = [
            try item("org.a.critical", .critical, color: "#010203"), try item("org.a.failing", .good, .failing),
            try item("org.a.warning", .warning), stale, try item("org.a.info", .info), try item("org.a.good", .good),
            try item("org.a.own", color: "#040506"), try item("org.a.second", color: "#070809"),
        ]
        let colors = ["#010203", "#ff6b6b", "#ffc457", "#a0a0a0", "#6cb6ff", "#7fd17f", "#040506", "#070809"]
        for (place, color) in colors.enumerated() {
            let rest = Array(order[place...])
            #expect(output(.i3blocks, rest).hasSuffix("\n\(color)\n"), "\(rest[0].id)")
            if place < 6 { #expect(output(.i3blocks, rest.reversed()).hasSuffix("\n\(color)\n")) }
        }
    }

    @Test func shortTextsHaveTheirPlace() throws {
        let short = try item { $0.content?.short = "62" }
        #expect(output(.i3blocks, [short]) == "62 % used\n62\n")
        #expect(output(.i3blocks, [short, try item()]) == "62 % used · 62 % used\n62 · 62 % used\n")
        #expect(try YambarReader(output(.yambar, [short])).tags["short"] == "62")
        #expect(try YambarReader(output(.yambar, [try item()])).tags["short"] == "62 % used")
    }

    private static let percentages: [(shown: Double, whole: Int, bar: Int)] = [
        (62.4, 62, 62), (62.5, 63, 63), (0, 0, 0), (130.7, 131, 100), (-3, -3, 0), (1e300, 1_000_000, 100),
    ]

    @Test(arguments: percentages.indices) func percentagesAreWholeWhereTheReaderWantsIt(index: Int) throws {
        let (shown, whole, bar) = Self.percentages[index]
        let item = try item { $0.content?.percentage = shown }
        #expect(try JSON.parse(Array(output(.waybar, [item]).utf8))["percentage"] == JSON(whole))
        #expect(try GenmonReader(output(.genmon, [item])).bar == bar)
        let yambar = try YambarReader(output(.yambar, [item]))
        #expect(yambar.tags["percentage"] == "\(bar)" && yambar.types["percentage"] == "range:0-100")
        let prometheus = try PrometheusReader(output(.prometheus, [item]))
        #expect(prometheus.values("today_widget_percentage", widget: "org.a.b") == [shown])
    }

    @Test func onlyOneWidgetHasABar() throws {
        let half = try item { $0.content?.percentage = 50 }
        #expect(try GenmonReader(output(.genmon, [half, try item("org.a.c")])).bar == nil)
        #expect(try GenmonReader(output(.genmon, [half, try item("org.a.c") { $0.state = .hidden }])).bar == 50)
    }

    @Test func yambarTellsStatesFromTexts() throws {
        let failing = try YambarReader(output(.yambar, [try item { $0.state = .failing }]))
        #expect(failing.tags["failing"] == "true" && failing.tags["stale"] == "false" && failing.tags["age"] == "720")
        #expect(failing.tags["state"] == "failing" && failing.tags["color"] == "#ff6b6b")
        #expect(failing.types["age"] == "int" && failing.tags["percentage"] == nil)
        let stale = try YambarReader(output(.yambar, [try item { $0.stale = true }]))
        #expect(stale.tags["failing"] == "false" && stale.tags["stale"] == "true" && stale.tags["color"] == "#a0a0a0")
        #expect(try YambarReader(output(.yambar, [try item { $0.taken = nil }])).tags["age"] == nil)
    }

    @Test func prometheusHasStatesAndNumbers() throws {
        let widget = try item {
            $0.state = .failing
            $0.content?.severity = .warning
            $0.content?.metrics = [Metric("load \"1\"", 0.25), Metric("x\\", 1e-7), Metric("y", 3)].compactMap { $0 }
        }
        let read = try PrometheusReader(output(.prometheus, [widget, try item("org.a.c")]))
        #expect(Set(read.types.values) == ["gauge"])
        let metrics = read.samples.filter { $0.name == "today_widget_metric" }
        #expect(metrics.map { $0.labels["metric"] } == ["load \"1\"", "x\\", "y"])
        #expect(metrics.map(\.value) == [0.25, 1e-7, 3])
        for (name, label, value) in [("state", "state", "failing"), ("severity", "severity", "warning")] {
            let ones = read.samples.filter {
                $0.name == "today_widget_\(name)" && $0.labels["widget"] == "org.a.b" && $0.value == 1
            }
            #expect(ones.map { $0.labels[label] } == [value])
        }
        #expect(read.values("today_widget_state", widget: "org.a.c").count == WidgetState.allCases.count)
        #expect(PrometheusForm.escaped("a\nb") == "a\\nb")
        // Names that differ in a mark nobody sees are two series.
        let marked = try item { $0.content?.metrics = [Metric("a", 1), Metric("a\u{200e}", 2)].compactMap { $0 } }
        #expect(try PrometheusReader(output(.prometheus, [marked])).samples.filter { $0.value == 2 }.count == 1)
    }

    @Test func anImageNeedsNothingElse() throws {
        let read = try MarkupReader(output(.svg, try FormSamples.all()))
        let names = Set(read.elements.map(\.name))
        #expect(names == ["svg", "title", "desc", "style", "g", "rect", "text", "tspan"])
        let root = try #require(read.elements.last)
        #expect(root.name == "svg" && root.attributes["role"] == "img")
        #expect(root.attributes["aria-labelledby"] == "title description")
        #expect(read.texts(of: "title") == ["Today"])
        let description = try #require(read.texts(of: "desc").first)
        #expect(
            description.contains("\nFailing: all 100%# (failing, 5 d)\n")
                && description.hasSuffix("Hidden: hidden, now"))
        let classes = read.elements.filter { $0.name == "g" }.map { $0.attributes["class"] }
        #expect(classes.contains("card failing critical") && classes.contains("card ready normal stale"))
        #expect(!read.text.contains("url(") && !read.text.contains("@import"))
    }

    /// Cards are below each other, and their lines within them.
    @Test func anImageIsAsLargeAsItsCards() throws {
        let read = try MarkupReader(
            output(
                .svg,
                try ["org.a.b", "org.a.c"].map { id in
                    var item = try item(id)
                    item.content?.compact = .stack(View.Stack(.vertical, [.divider]))
                    return item
                }))
        let root = try #require(read.elements.last)
        let pages = read.elements.filter { $0.attributes["class"] == "page" }
        func number(_ element: MarkupReader.Element, _ name: String) -> Int {
            element.attributes[name].flatMap { Int($0) } ?? -1
        }
        #expect(pages.count == 2 && number(pages[0], "y") == 0)
        #expect(number(pages[1], "y") > number(pages[0], "height"))
        #expect(number(root, "height") == number(pages[1], "y") + number(pages[1], "height") + 2)
        #expect(pages.allSatisfy { number($0, "width") + 2 == number(root, "width") })
        let lines = read.elements.filter { $0.name == "text" }
        #expect(lines.count == 4 && number(lines[0], "y") < number(lines[1], "y"))
        #expect(number(lines[1], "y") < number(pages[0], "height"))
        #expect(number(lines[2], "y") > number(pages[1], "y"))
        let right = number(pages[0], "width") - 12
        for piece in read.elements where piece.name == "tspan" {
            #expect(number(piece, "x") >= 12 && number(piece, "x") + number(piece, "textLength") <= right)
        }
    }
}
