// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Rendering

/// The height and the width of a card, and what is cut.
@Suite struct CardSizeTests {
    /// The drawn lines, the preferred rows, the offered rows, and the lines below the title.
    static let heights: [(drawn: Int, preferred: Int?, offered: Int, body: [String])] = [
        (3, nil, 4, ["1", "2", "3"]), (4, nil, 4, ["1", "2", "3", "4"]),
        (6, nil, 4, ["1", "2", "3", "+ 3 more lines"]),
        (2, 4, 4, ["1", "2", "", ""]), (2, 2, 4, ["1", "2"]), (2, 3, 16, ["1", "2", ""]),
        (2, 9, 4, ["1", "2", "", ""]), (6, 3, 4, ["1", "2", "+ 4 more lines"]),
        (6, 9, 4, ["1", "2", "3", "+ 3 more lines"]),
        (6, 9, 8, ["1", "2", "3", "4", "5", "6", "", ""]), (3, 1, 4, ["1…"]), (1, 1, 4, ["1"]), (3, nil, 1, ["1…"]),
    ]

    @Test(arguments: heights) func aCardHasThePreferredHeightWithinTheOfferedOne(
        drawn: Int, preferred: Int?, offered: Int, body: [String]
    ) throws {
        let lines = (1...drawn).map { View.text(.init("\($0)")) }
        for mode in DisplayMode.allCases {
            var content = Content(text: "x")
            content.compact = .stack(.init(.vertical, lines))
            // The preference for the other mode has no effect.
            (content.compactRows, content.expandedRows) = mode == .compact ? (preferred, 7) : (7, preferred)
            let item = try Samples.item("org.example.tall", "Tall", mode: mode, content: content) {
                $0.size = Size(columns: 60, rows: offered)
            }
            let card = Card(item, Samples.presentation(60)).lines(width: 60).dropFirst()
            #expect(card.map { $0.text() } == body.map { $0.isEmpty ? "" : "    \($0)" })
        }
    }

    /// The drawn lines, the preferred rows, and the offered rows of a card that is shown whole.
    static let wholes: [(drawn: Int, preferred: Int?, offered: Int)] = [
        (6, nil, 4), (6, 3, 4), (3, 1, 4), (2, 4, 4), (40, nil, 16),
    ]

    @Test(arguments: wholes) func aWholeCardHasAllRows(drawn: Int, preferred: Int?, offered: Int) throws {
        var content = Content(text: (1...drawn).map(String.init).joined(separator: "\n"))
        content.compact = .text(.init(content.text))
        content.expandedRows = preferred
        let item = try Samples.item("org.example.tall", "Tall", state: .failing, content: content) {
            $0.size = Size(columns: 20, rows: offered)
            $0.failure = String(repeating: "a long reason ", count: 12)
        }
        let page = TodayPage([item], Samples.presentation(60), .init(whole: true)).lines.map { $0.text() }
        #expect(!page.contains { $0.contains("more line") })
        #expect(page.contains("    \(drawn)"))
        let card = Card(item, Samples.presentation(60), extent: .whole).lines(width: 60).map { $0.text() }
        let body = try #require(card.firstIndex(of: "    1"))
        #expect(card[body..<body + drawn] == ArraySlice((1...drawn).map { "    \($0)" }))
        #expect(card[(body + drawn)...].joined().split(separator: "long").count == 13, "the whole reason, right below")
    }

    @Test func aCutCardNamesTheCommandThatPrintsTheRest() throws {
        let item = try Samples.item("org.example.tall", "Tall", content: Content(text: "1")) {
            $0.content?.compact = .text(.init("1\n2\n3\n4\n5"))
            $0.size = Size(columns: 60, rows: 3)
        }
        let whole = "    + 3 more lines: todayctl show org.example.tall"
        for (width, line) in [
            (60, whole), (whole.count, whole), (whole.count - 1, "    + 3 more lines"), (30, "    + 3 more lines"),
        ] {
            #expect(TodayPage([item], Samples.presentation(width)).lines.last?.text() == line)
        }
    }

    /// A long failure can end with a remedy, so its last row names the command that prints all of it.
    @Test func aCutFailureNamesTheCommandThatPrintsTheRest() throws {
        let item = try Samples.item("org.example.tall", "Tall", state: .invalid, content: nil) {
            $0.failure = (1...40).map { "word\($0)" }.joined(separator: " ")
        }
        let lines = TodayPage([item], Samples.presentation(60)).lines.map { $0.text() }
        #expect(lines.count == 4)
        #expect(lines[2].hasPrefix("  word") && !lines[2].hasSuffix("…"))
        #expect(lines[3] == "  + 3 more lines: todayctl show org.example.tall")
        let card = Card(item, Samples.presentation(60)).lines(width: 60).map { $0.text() }
        #expect(card.count == 4 && card[3].hasSuffix("…"))
    }

    /// Monospaced text keeps its columns.
    @Test func aWholeCardWrapsLongLines() throws {
        var content = Content(text: "x")
        var wide = View.Text("abcdefghijklmnopqrstuvwxyz 0123456789")
        wide.style = .monospace
        var outline = View.Item(title: "a title that needs more")
        outline.action = "go"
        content.compact = .stack(
            .init(
                .vertical, [.text(wide), .button(.init(title: "press the long button", action: "go")), .item(outline)]))
        let item = try Samples.item("org.example.wide", "Wide", mode: .compact, content: content) {
            $0.size = Size(columns: 18, rows: 8)
        }
        let whole = Card(item, Samples.presentation(80), extent: .whole).lines(width: 20).map { $0.text() }
        #expect(
            whole.dropFirst() == [
                "    abcdefghijklmnop", "    qrstuvwxyz 01234", "    56789", "    [press the long", "    button]",
                "    • a title that", "      needs more",
            ])
        let cut = Card(item, Samples.presentation(80)).lines(width: 20).map { $0.text() }
        #expect(
            cut.dropFirst() == ["    abcdefghijklmno…", "    [press the long…", "    • a title that …"])
    }

    private static func progress(_ label: String?, _ text: String? = nil) -> View {
        var progress = View.Progress(value: 0.5)
        (progress.label, progress.text) = (label, text)
        return .progress(progress)
    }

    private static let longViews: [(View, [String])] = {
        var picture = View.Image(.symbol("no-such-symbol"))
        picture.alternative = "a picture of it"
        var chart = View.Chart(points: [])
        chart.label = "a chart of much"
        return [
            (.link(.init(title: "a link that is long", url: "https://x")), ["a link that is", "long"]),
            (.image(picture), ["[a picture of", "it]"]), (progress("bar"), ["bar ━━╸──  50%"]),
            (progress("a long label of a bar"), ["a long label", "of a bar", "━━━━╸────  50%"]),
            (progress("bar", "a text that is long"), ["bar", "a text that is", "long"]),
            (progress(nil, "a text that is long"), ["a text that is", "long"]),
            (.chart(chart), ["a chart of", "much", "no data"]),
            (.item(.init(title: "a title as long", children: [.divider])), ["• a title as", "  long ›"]),
        ]
    }()

    /// Links, pictures, bars, charts and closed outlines wrap their text.
    @Test(arguments: 0..<8) func aWholeCardCutsNoView(place: Int) {
        let (view, expected) = Self.longViews[place]
        let layout = ViewLayout(presentation: Samples.presentation(14), mode: .compact, isWhole: true)
        #expect(layout.lines(view, width: 14).map { $0.text() } == expected)
        let cut = ViewLayout(presentation: Samples.presentation(14), mode: .compact).lines(view, width: 14)
        #expect(cut.allSatisfy { $0.width <= 14 } && cut.count <= expected.count)
    }

    @Test func anEmptyLastLineSeparatesCards() throws {
        var content = Content(text: "half")
        content.insets = Insets(bottom: 1)
        let items = try ["a", "b", "c"].map { name in
            try Samples.item("org.example.\(name)", name, content: content) { $0.largestMode = .expanded }
        }
        let lines = TodayPage(items, Samples.presentation(40)).lines.map { $0.text() }
        #expect(lines.map { String($0.prefix(3)) } == ["  a", "  h", "", "  b", "  h", "", "  c", "  h"])
        let named = TodayPage([items[0]], Samples.presentation(40), .init(commands: true)).lines.map { $0.text() }
        #expect(named.count == 3 && named[2].hasPrefix("  Less"))
    }

    /// A bottom margin is not a line that a reader misses.
    @Test func blankRowsAreNotCounted() throws {
        var content = Content(text: "x")
        content.expanded = .text(.init("1\n2\n3"))
        content.insets = Insets(bottom: 5)
        let item = try Samples.item("org.example.tall", "Tall", content: content) {
            $0.size = Size(columns: 60, rows: 4)
        }
        let lines = Card(item, Samples.presentation(60)).lines(width: 60).map { $0.text() }
        #expect(lines.dropFirst() == ["  1", "  2", "  3", ""])
    }

    @Test func insetsAndTheBarOfAPercentageCount() throws {
        var content = Content(text: "half")
        content.percentage = 50
        content.insets = Insets(top: 1, bottom: 1)
        content.expandedRows = 6
        let item = try Samples.item("org.example.half", "Half", content: content)
        let lines = Card(item, Samples.presentation(30)).lines(width: 30).map { $0.text() }
        #expect(lines.count == 7)
        #expect(lines[2] == "  half" && lines[3].hasSuffix("50%") && lines[6].isEmpty)
    }

    /// The offered columns, the columns of the terminal, the width of a page, and the number of cards beside each other. What
    /// todayd.conf says is kept; otherwise columns fill the page.
    static let widths: [(offered: Int, terminal: Int, page: Int, beside: Int)] = [
        (60, 80, 72, 1), (60, 62, 62, 1), (60, 40, 40, 1), (60, 89, 72, 1), (60, 90, 90, 2), (60, 120, 120, 2),
        (60, 160, 160, 3),
        (30, 80, 66, 2), (100, 80, 80, 1), (100, 120, 102, 1), (100, 205, 102, 1), (100, 206, 206, 2),
    ]

    @Test(arguments: widths) func columnsFillThePage(offered: Int, terminal: Int, page: Int, beside: Int)
        throws
    {
        let text = String(repeating: "x", count: 300)
        let items = try (1...3).map { number in
            try Samples.item("org.example.w\(number)", "W\(number)", content: Content(text: text)) {
                $0.size = Size(columns: offered, rows: 4)
            }
        }
        let lines = TodayPage(items, Samples.presentation(terminal)).lines
        #expect(lines.map(\.width).max() == page)
        #expect(lines[0].text().filter { $0 == "W" }.count == beside)
        #expect(lines.allSatisfy { $0.width <= terminal })
    }
}
