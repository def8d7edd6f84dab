// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Rendering

/// The Today view, with the commands for each widget.
@Suite struct TodayPageTests {
    @Test(arguments: [36, 80, 130, 200])
    func pageLooksAsInItsGoldenFile(width: Int) throws {
        let presentation = Samples.presentation(width)
        let page = TodayPage(try Samples.all(), presentation)
        try expectGolden("page-\(width)", presentation.text(page.lines))
    }

    @Test func asciiPageHasNothingElse() throws {
        let presentation = Samples.presentation(80, .ascii)
        let text = presentation.text(TodayPage(try Samples.all(), presentation).lines)
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        try expectGolden("page-80-ascii", text)
    }

    @Test func coloursAreEscapeSequencesAndNothingElseChanges() throws {
        let plain = Samples.presentation(80)
        let coloured = Samples.presentation(80, .unicode, .sixteen)
        let items = try Samples.all()
        let text = coloured.text(TodayPage(items, coloured).lines)
        try expectGolden("page-80-colours", text.replacing("\u{1B}", with: "<ESC>"))
        let stripped = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.split(separator: "\u{1B}", omittingEmptySubsequences: false).enumerated().map { index, piece in
                index == 0 ? piece : piece[piece.index(after: piece.firstIndex(of: "m") ?? piece.startIndex)...]
            }.joined()
        }.joined(separator: "\n")
        #expect(stripped == plain.text(TodayPage(items, plain).lines))
    }

    @Test(arguments: [10, 11, 20, 36, 59, 60, 80, 119, 120, 121, 180, 250], [Charset.unicode, .ascii])
    func noLineIsWiderThanTheTerminal(width: Int, charset: Charset) throws {
        let presentation = Samples.presentation(width, charset)
        var items = try Samples.all()
        for index in items.indices where index % 2 == 0 { items[index].mode = .compact }
        for line in TodayPage(items, presentation).lines {
            #expect(line.width <= width, "\(line.text())")
            #expect(line.width >= DisplayWidth.of(line.text()))
        }
    }

    @Test func aPlaceholderNeverLooksFresh() throws {
        let item = try Samples.item(
            "org.example.a", "A", state: .waiting, mode: .compact, age: nil, content: Samples.placeholder
        ) { $0.source = .placeholder }
        let lines = Card(item, Samples.presentation(40, .unicode, .sixteen)).lines(width: 40)
        #expect(lines[0].text().hasSuffix(" no answer yet"))
        #expect(lines[1].text(.sixteen).contains("\u{1B}[2m--"))
    }

    @Test func theTitleOfAnEditedWidgetSaysSo() throws {
        let item = try Samples.item("org.example.a", "A", age: .hours(2), content: Samples.editor) {
            $0.isEdited = true
            $0.stale = true
        }
        let title = try #require(Card(item, Samples.presentation(40)).lines(width: 40).first).text()
        #expect(title.hasPrefix("  A [editing]") && title.hasSuffix("  stale · 2 h"))
    }

    @Test func percentageAloneBecomesABar() throws {
        var content = Content(text: "Battery")
        content.percentage = 50
        let item = try Samples.item("org.example.battery", "Battery", content: content)
        let lines = Card(item, Samples.presentation(30)).lines(width: 30)
        #expect(lines.map { $0.text() }.last == "    ━━━━━━━━━━╸──────────  50%")
    }

    @Test func oldContentLooksOld() throws {
        let content = Content(text: "old news")
        let stale = try Samples.item("org.example.a", "A", age: .hours(2), content: content) { $0.stale = true }
        let failing = try Samples.item("org.example.b", "B", state: .failing, age: .hours(2), content: content) {
            $0.failure = "timed out after 10 s"
        }
        let hidden = try Samples.item("org.example.c", "C", state: .hidden, age: .zero, content: content)
        for (item, mark) in [(stale, "stale · 2 h"), (failing, "failing · 2 h"), (hidden, "hidden")] {
            let lines = Card(item, Samples.presentation(40)).lines(width: 40).map { $0.text() }
            #expect(lines[0].hasSuffix(mark))
        }
        let lines = Card(failing, Samples.presentation(40)).lines(width: 40).map { $0.text() }
        #expect(lines[1...] == ["    old news", "  timed out after 10 s"])
        #expect(lines.joined().split(separator: "failing").count == 2, "once")
    }

    // MARK: Commands for a widget

    @Test func commandsBelowTheCardAreNeverCut() throws {
        let item = try Samples.item("org.example.clock", "Clock", mode: .compact, content: Content(text: "noon")) {
            $0.largestMode = .expanded
            ($0.allowsEditing, $0.isEdited) = (true, true)
        }
        func hints(_ width: Int) -> [String] {
            let extras = TodayPage.Extras(commands: true)
            let lines = TodayPage([item], Samples.presentation(width), extras).lines.map { $0.text() }
            return Array(lines.dropFirst(2))
        }
        let (more, done) = (
            "  More: todayctl expand org.example.clock", "  Done: todayctl edit --done org.example.clock"
        )
        #expect(hints(62) == [more, done])
        #expect(
            hints(30) == [
                "  More: todayctl expand", "  org.example.clock", "  Done: todayctl edit --done", "  org.example.clock",
            ])
        var wide = item
        wide.size = Size(columns: 100, rows: 4)
        let lines = TodayPage([wide], Samples.presentation(100), .init(commands: true)).lines
        #expect(lines.last?.text() == "\(more)   \(done.dropFirst(2))")
        #expect(TodayPage([item], Samples.presentation(62)).lines.count == 2)
    }
}
