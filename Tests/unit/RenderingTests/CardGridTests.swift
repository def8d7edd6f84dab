// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Rendering

/// Where cards stand on a page, and what a click on one means.
@Suite struct CardGridTests {
    private static let presentation = Samples.presentation(40)

    private static func card(_ rows: Int, _ name: String) -> [StyledLine] {
        (0..<rows).map { presentation.line("\(name)\($0)") }
    }

    @Test func theShortestColumnGetsTheNextCard() throws {
        var item = try Samples.item("org.example.a", "A", content: Content(text: "x"))
        item.size = Size(columns: 10, rows: 5)
        let columns = CardColumns(for: [item, item, item, item], in: 30)
        #expect(columns.count == 2 && columns.width == 12)
        let cards = [Self.card(3, "a"), Self.card(1, "b"), Self.card(2, "c"), Self.card(1, "d")]
        let grid = CardGrid(cards, in: columns)
        #expect(grid.places.map(\.column) == [0, 1, 1, 0])
        #expect(grid.places.map(\.rows) == [0..<3, 0..<1, 2..<4, 4..<5])
        #expect(grid.height == 5)
        #expect(
            grid.lines.map { $0.text() } == ["a0            b0", "a1", "a2            c0", "              c1", "d0"])
        // A part of the page is the same rows.
        for first in 0..<5 { #expect(grid.lines(first..<first + 3) == Array(grid.lines[first..<min(first + 3, 5)])) }
        #expect(grid.lines(7..<9).isEmpty)
        let cells = [(0, 0), (11, 2), (12, 0), (14, 0), (14, 1), (14, 2), (25, 3), (26, 3), (0, 3), (0, 4)]
        #expect(cells.map { grid.card(at: $0.0, row: $0.1) } == [0, 0, nil, 1, nil, 2, 2, nil, nil, 3])
    }

    /// Cards of one row stand together as a table.
    @Test func rowsNeedNoEmptyLine() {
        func places(_ heights: [Int]) -> [Range<Int>] {
            let cards = heights.map { Self.card($0, "a") }
            return CardGrid(cards, in: CardColumns(oneFor: [], in: 20)).places.map(\.rows)
        }
        #expect(places([1, 1, 1]) == [0..<1, 1..<2, 2..<3])
        #expect(places([1, 2, 1]) == [0..<1, 2..<4, 5..<6])
    }

    @Test func rowsOfAnEditedViewAreClose() {
        let columns = CardColumns(oneFor: [], in: 20)
        let grid = CardGrid([Self.card(1, "a"), Self.card(1, "b")], in: columns, areSeparated: false)
        #expect(grid.lines.map { $0.text() } == ["a0", "b0"])
    }

    // MARK: Controls

    private static let controls: [(change: @Sendable (inout Item) -> Void, offered: [CardControl])] = [
        ({ _ in }, []), ({ $0.largestMode = .expanded }, [.more]),
        ({ ($0.mode, $0.largestMode) = (.expanded, .expanded) }, [.less]), ({ $0.allowsEditing = true }, [.info]),
        ({ ($0.allowsEditing, $0.isEdited) = (true, true) }, [.done, .cancel]),
        ({ ($0.largestMode, $0.allowsEditing) = (.expanded, true) }, [.more, .info]),
        ({ ($0.state, $0.largestMode) = (.hidden, .expanded) }, [.hidden]), ({ $0.state = .disabled }, [.hidden]),
        ({ ($0.state, $0.allowsEditing) = (.invalid, true) }, []), ({ $0.state = .masked }, []),
        ({ ($0.state, $0.largestMode) = (.empty, .expanded) }, [.more]),
    ]

    @Test(arguments: controls.indices) func aWidgetOffers(index: Int) throws {
        var item = try Samples.item("org.example.a", "A", mode: .compact, content: Content(text: "x")) {
            ($0.largestMode, $0.allowsEditing) = (.compact, false)
        }
        Self.controls[index].change(&item)
        #expect(CardControl.offered(by: item) == Self.controls[index].offered)
    }

    @Test func controlsStandAtTheEndOfTheTitle() throws {
        let item = try Samples.item(
            "org.example.a", "A long name of a widget", age: .hours(2), content: Content(text: "x"))
        var card = Card(item, Self.presentation)
        card.controls = [.more, .info]
        let title = try #require(card.lines(width: 40).first)
        #expect(title.text() == "  A long name of a wid…  2 h  More  Info")
        let found = (0..<42).map { card.control(at: $0, width: 40) }
        #expect(found[30..<34].allSatisfy { $0 == .more } && found[36..<40].allSatisfy { $0 == .info })
        #expect(found.count { $0 != nil } == 8)
        // Where there is no room they are left out.
        #expect(card.lines(width: 29).first?.text().hasSuffix("2 h") == true)
        #expect((0..<42).allSatisfy { card.control(at: $0, width: 29) == nil })
        #expect(card.lines(width: 30).first?.text().hasSuffix("More  Info") == true)
    }

    @Test func aSelectedCardIsMarkedWithoutColours() throws {
        let item = try Samples.item("org.example.a", "A", content: Content(text: "x"))
        for (charset, mark) in [(Charset.unicode, "█ "), (.ascii, "> ")] {
            var card = Card(item, Samples.presentation(40, charset))
            let plain = card.lines(width: 40)
            card.isSelected = true
            #expect(card.lines(width: 40).allSatisfy { $0.text().hasPrefix(mark) })
            #expect(plain.allSatisfy { !$0.text().hasPrefix(mark) })
            card.isTitleOnly = true
            #expect(card.lines(width: 40).count == 1)
        }
    }
}
