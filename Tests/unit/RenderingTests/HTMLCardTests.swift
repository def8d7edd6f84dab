// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Rendering

/// Cards for a browser.
@Suite struct HTMLCardTests {
    private func html(_ view: View, schemes: [String] = [], mode: DisplayMode = .expanded) -> String {
        guard let id = WidgetID("org.a.b") else { preconditionFailure("no identifier") }
        var item = Item(id: id, name: "B", points: [.today], position: 0, state: .ready, mode: mode)
        item.urlSchemes = schemes
        return HTMLViews(item: item).html(view)
    }

    @Test func thePageLooksAsInItsGoldenFile() throws {
        try expectGolden("page-html", HTMLPage(try Samples.all(), now: Samples.now).html)
    }

    /// The drawn rows that a widget asks for, those that it is offered, and what the card asks of a browser.
    @Test(arguments: [
        (nil, 4, Insets?.none, #"class="body" style="--rows:4""#),
        (3, 4, Insets(), #"class="body sized" style="--rows:3;padding:0 0 0 0""#),
        (
            9, 4, Insets(top: 1, right: 3),
            #"class="body sized" style="--rows:4;padding:calc(1 * var(--row)) calc(3 * var(--column)) 0 0""#
        ),
        (
            nil, 4, Insets(left: 5, bottom: 2),
            #"class="body" style="--rows:4;padding:0 0 calc(2 * var(--row)) calc(3 * var(--column))""#
        ),
    ])
    func aCardHasHeightAndMarginsOfItsContent(rows: Int?, offered: Int, insets: Insets?, html: String) throws {
        var content = Content(text: "text that is too long for a tile")
        (content.compactRows, content.insets) = (rows, insets)
        let item = try Samples.item("org.a.b", "B", mode: .compact, content: content) {
            $0.size = Size(columns: 60, rows: offered)
        }
        #expect(HTMLCard(item, now: Samples.now).html.contains("<div \(html)>"))
    }

    @Test func exactColoursAreTheirOwn() {
        let blue = Color.rgb(red: 66, green: 145, blue: 211)
        var text = View.Text("x")
        text.color = blue
        var chart = View.Chart(points: [1, 2])
        chart.color = blue
        var progress = View.Progress(value: 1)
        progress.tint = blue
        for view in [View.text(text), .chart(chart), .progress(progress)] {
            #expect(html(view).contains(#" style="color:#4291d3""#))
        }
        text.color = .meaning(.good)
        #expect(html(.text(text)).hasPrefix(#"<p class="good-text" dir"#))
    }

    @Test func paddingIsAStyleOfItsArea() {
        var area = View.Stack(.vertical, [])
        area.insets = Insets(left: 2, bottom: 1)
        #expect(
            html(.stack(area)).hasPrefix(
                #"<div class="view" style="padding:0 0 calc(1 * var(--row)) calc(2 * var(--column))">"#))
    }

    @Test func aChartHasDatesAndWordsForAScript() {
        var chart = View.Chart(points: [1, .nan, 87_955.81])
        chart.dates = [1, 2, 3].map { WallTime(microseconds: $0 * 86_400_000_000) }
        chart.texts = ["$1", "?", "$87,955.81"]
        let html = HTMLChart(chart, hasValues: true).html
        #expect(html.contains("data-values=\"$1\n$87,955.81\" data-dates=\"86400000 259200000\""))
        #expect(HTMLChart(View.Chart(points: [1, 2]), hasValues: true).html.contains("data-values=\"1\n2\">"))
    }

    @Test func textIsNeverMarkup() throws {
        let text = BarOutputTests.nasty + "</p><script>\u{1}\u{85}"
        var item = View.Item(title: text)
        (item.badge, item.tooltip, item.children) = (text, text, [.text(View.Text(text))])
        var progress = View.Progress(value: 0.5)
        (progress.label, progress.text) = (text, text)
        var chart = View.Chart(points: [1, 2])
        chart.label = text
        var image = View.Image(.symbol("x-unknown-name"))
        image.alternative = text
        let views: [View] = [
            .text(View.Text(text)), .item(item), .progress(progress), .chart(chart), .image(image),
            .button(View.Button(title: text, action: text)), .link(View.Link(title: text, url: "https://a/\"><b>")),
        ]
        for view in views {
            let html = html(view)
            #expect(!html.contains("<script") && !html.contains("<b>") && !html.contains("\u{1}"), "\(html)")
            // Each attribute ends where it should: an even number of quotes.
            #expect(html.split(separator: "\"", omittingEmptySubsequences: false).count % 2 == 1, "\(html)")
        }
    }

    @Test(arguments: [
        ("https://example.org/?a=1&b=2", true), ("mailto:a@b.c", true), ("javascript:alert(1)", false),
        ("JavaScript:alert(1)", false), ("data:text/html,x", false), ("file:///etc/passwd", false), ("app:x", true),
        ("relative", false), ("", false), ("http://undeclared.example", false),
    ])
    func onlyHarmlessLinksCanBeOpened(url: String, isLink: Bool) {
        let html = html(
            .link(View.Link(title: "x", url: url)), schemes: ["app", "https", "mailto", "javascript", "data"])
        #expect(html.contains("<a href=") == isLink, "\(html)")
    }

    @Test(
        arguments: [
            [], [1], [3, 3, 3], [.nan, .infinity], [1e308, -1e308, 0], [1, .nan, 2], [-0.001, 0.001],
            [0, .leastNonzeroMagnitude], [-.leastNonzeroMagnitude, .leastNonzeroMagnitude],
            [.greatestFiniteMagnitude, -.greatestFiniteMagnitude],
        ] as [[Double]])
    func chartsDrawAnyNumbers(points: [Double]) {
        let html = html(.chart(View.Chart(points: points)))
        #expect(html.isEmpty == !points.contains(where: \.isFinite))
        #expect(!html.lowercased().contains("nan") && !html.contains("inf"), "\(html)")
    }

    private static let tiny = Double.leastNonzeroMagnitude
    private static let numbers: [Double?] = [nil, 0, tiny, -tiny, 1e308, -1e308, .nan, .infinity]

    @Test func chartsDrawAnyRange() throws {
        for low in Self.numbers {
            for high in Self.numbers {
                for baseline in Self.numbers {
                    var chart = View.Chart(points: [0, Self.tiny, 0])
                    (chart.minimum, chart.maximum, chart.baseline) = (low, high, baseline)
                    let html = html(.chart(chart))
                    #expect(html.contains("<polyline points=\"0.00,"), "\(chart)")
                    #expect(!html.lowercased().contains("nan") && !html.contains("inf"), "\(chart)")
                }
            }
        }
    }

    @Test func aChartSaysWhatItShows() {
        var chart = View.Chart(points: [1, 5, 3])
        chart.label = "Load"
        #expect(html(.chart(chart)).contains("aria-label=\"Load: 3 values from 1 to 5, now 3\""))
        #expect(html(.chart(chart)).contains("points=\"0.00,30.00 50.00,0.00 100.00,15.00\""))
    }

    @Test func aChartOfTwoPointsHasAnArea() {
        for (points, hasArea) in [([1.0], false), ([1, 2], true)] {
            #expect(html(.chart(View.Chart(points: points))).contains("<polygon") == hasArea)
        }
    }

    /// What marks a row done is a circle in front of it.
    @Test func onlyTheFirstOfARowIsACircle() {
        let (done, text) = (View.button(View.Button(title: "Done", action: "done")), View.text(View.Text("Milk")))
        for (axis, views, isCircle) in [
            (View.Stack.Axis.horizontal, [done, text], true), (.horizontal, [text, done], false),
            (.vertical, [done, text], false),
        ] {
            #expect(html(.stack(View.Stack(axis, views))).contains("class=\"circle\"") == isCircle)
        }
    }

    @Test func aPercentSignStaysWithItsNumber() {
        for (text, prose) in [
            ("38 % <", "38\u{a0}% &lt;"), ("a % 3", "a % 3"), ("3 x %", "3 x %"), ("<b>", "&lt;b&gt;"),
        ] {
            #expect(Markup.prose(text) == prose)
        }
    }

    @Test func anEarlierFailureIsNoTroubleNow() throws {
        for (state, isSaid) in [(WidgetState.ready, false), (.failing, true)] {
            let item = try Samples.item("org.a.b", "B", state: state, content: Content(text: "x")) {
                $0.failure = "timed out"
            }
            #expect(HTMLCard(item, now: Samples.now).html.contains("timed out") == isSaid)
        }
    }

    /// A bar takes the whole width below its label; what stands beside it comes before its value.
    @Test func aGridOfBarsHasNoColumns() {
        func text(_ text: String) -> View { .text(View.Text(text)) }
        let bar = View.progress(View.Progress(value: 0.25))
        let meters = html(.grid(View.Grid(columns: 3, [text("/"), bar, text("74G free"), text("/home"), bar])))
        #expect(!meters.contains("<table") && meters.split(separator: "<p class=\"meter\">").count == 2)
        #expect(meters.contains("<span dir=\"auto\">/</span> <span>74G free · 25%</span> <progress"))
        #expect(meters.contains("<span dir=\"auto\">/home</span> <span>25%</span> <progress"))
        var red = View.Text("91%")
        red.color = .rgb(red: 255, green: 0, blue: 0)
        var labelled = View.Progress(value: 1)
        labelled.label = "own"
        for row in [
            [text("a"), text("b")], [bar, text("a")], [.text(red), bar], [text("a"), bar, .text(red)],
            [text("a"), .progress(labelled)], [text("a"), bar, bar], [bar],
        ] {
            #expect(html(.grid(View.Grid(columns: row.count, row))).contains("<table"))
        }
        #expect(html(.grid(View.Grid(columns: 2, [text("a"), bar, text("b"), text("c")]))).contains("<table"))
    }

    @Test func aBarWithoutLabelIsOneLine() {
        #expect(html(.progress(View.Progress(value: 0.5))).hasPrefix("<p class=\"meter bare\"><progress"))
    }

    @Test func aGridIsATable() {
        let cells = ["a", "b", "c"].map { View.text(View.Text($0)) }
        let html = html(.grid(View.Grid(columns: 2, cells)))
        #expect(
            html.split(separator: "<tr>").count == 3 && html.split(separator: "<td").count == 4
                && html.split(separator: "</td>").count == 4 && html.split(separator: "<td class=\"label\">").count == 3
        )
        for (text, isLabel) in [("twelve bytes", true), ("thirteen byte", false)] {
            let row = [View.text(View.Text(text)), cells[0]]
            #expect(self.html(.grid(View.Grid(columns: 2, row))).contains("\"label\"") == isLabel)
        }
        #expect(!self.html(.grid(View.Grid(columns: 0, cells))).isEmpty)
    }

    @Test func whatIsClosedAndDisabledIsSo() {
        var item = View.Item(title: "x", children: [.text(View.Text("y"))])
        item.action = "go"
        #expect(html(.item(item)).contains("<details><summary>"))
        #expect(html(.item(item)).contains("data-action=\"go\""))
        item.isDisabled = true
        #expect(!html(.item(item)).contains("data-action"))
        item.isAlternate = true
        #expect(html(.item(item)).isEmpty)
    }
}
