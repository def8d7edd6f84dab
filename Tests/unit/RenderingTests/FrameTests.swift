// SPDX-License-Identifier: MIT

import TestSupport
import Testing
import TodayModel

@testable import Rendering

/// What is written to a terminal so that it shows a frame.
@Suite struct FrameTests {
    private static let presentation = Presentation(width: 10, now: WallTime(microseconds: 0))

    private static func frame(_ texts: [String], _ columns: Int = 10, _ rows: Int = 3) -> Frame {
        Frame(texts.map { presentation.line($0) }, Size(columns: columns, rows: rows), presentation)
    }

    private static let cases: [(old: [String]?, new: [String], text: String)] = [
        (nil, ["a", "b"], "\u{1B}[1Ha\u{1B}[K\u{1B}[2Hb\u{1B}[K\u{1B}[3H\u{1B}[K"),
        (["a", "b"], ["a", "b"], ""),
        (["a", "b"], ["a", "c"], "\u{1B}[2Hc\u{1B}[K"),
        (["a", "b"], ["a"], "\u{1B}[2H\u{1B}[K"),
        ([], ["", "", "x"], "\u{1B}[3Hx\u{1B}[K"),
        // A full row is cleared before it is written.
        (["a"], ["0123456789"], "\u{1B}[1H\u{1B}[K0123456789"),
        (["0123456789"], ["01234567  "], "\u{1B}[1H\u{1B}[K01234567"),
    ]

    @Test(arguments: cases.indices) func onlyRowsThatDifferAreWritten(index: Int) {
        let (old, new, text) = Self.cases[index]
        #expect(Self.frame(new).text(after: old.map { Self.frame($0) }, .none) == text)
    }

    @Test func anotherSizeIsWrittenWhole() {
        let text = Self.frame(["a", "b"], 10, 2).text(after: Self.frame(["a", "b"], 10, 3), .none)
        #expect(text == "\u{1B}[1Ha\u{1B}[K\u{1B}[2Hb\u{1B}[K")
    }

    @Test func aColourIsADifference() {
        let size = Size(columns: 5, rows: 1)
        let plain = Frame([Self.presentation.line("a")], size, Self.presentation)
        let bold = Frame([Self.presentation.line("a", .bold)], size, Self.presentation)
        #expect(bold.text(after: plain, .sixteen) == "\u{1B}[1H\u{1B}[1ma\u{1B}[0m\u{1B}[K")
    }

    @Test(arguments: [(1, 1), (2, 3), (20, 3), (500, 200)]) func aFrameFits(columns: Int, rows: Int) {
        let wide = String(repeating: "🙂x", count: 400)
        let frame = Self.frame([String](repeating: wide, count: 300), columns, rows)
        #expect(frame.rows.count == rows && frame.rows.allSatisfy { $0.width <= columns })
    }

    @Test func theFirstLinesCountTheOthers() {
        let lines = (0..<5).map { Self.presentation.line("\($0)") }
        let size = Size(columns: 60, rows: 3)
        let frame = Frame.beginning(lines, size, Self.presentation, command: "todayctl show")
        #expect(frame.rows.map { $0.text() } == ["0", "1", "+ 3 more lines; 'todayctl show' prints them"])
        let all = Frame.beginning(lines, Size(columns: 60, rows: 5), Self.presentation, command: "x")
        #expect(all.rows.map { $0.text() } == ["0", "1", "2", "3", "4"])
        // The command is left out where it would be cut.
        let narrow = [(34, "+ 3 more lines: todayctl show"), (20, "+ 3 more lines"), (5, "")]
        for (columns, last) in narrow {
            let frame = Frame.beginning(
                lines, Size(columns: columns, rows: 3), Self.presentation, command: "todayctl show")
            #expect(frame.rows.last?.text() == last)
        }
        #expect(Frame.beginning(lines, Size(columns: 60, rows: 1), Self.presentation, command: "x").rows.count == 1)
    }

    /// A terminal that is written to shows the frame, whatever it has shown before.
    @Test func aTerminalShowsTheFrame() {
        var numbers = SeededNumbers(seed: 7)
        var old: Frame?
        var screen = Screen()
        for _ in 0..<500 {
            let texts = (0..<3).map { _ in
                String(
                    (0..<Int.random(in: 0...10, using: &numbers)).map { _ in "ab ".randomElement(using: &numbers) ?? "a"
                    })
            }
            let new = Self.frame(texts)
            screen.obey(new.text(after: old, .none))
            #expect(screen.rows.map { $0.text() } == new.rows.map { $0.text() })
            old = new
        }
    }
}

/// A terminal of ten columns that does not wrap lines.
private struct Screen {
    private var cells = [[Character]](repeating: [Character](repeating: "#", count: 10), count: 3)
    private var row = 0
    private var column = 0

    var rows: [StyledLine] { cells.map { StyledLine(Printable(String($0), .ascii)) } }

    mutating func obey(_ text: String) {
        for piece in text.split(separator: "\u{1B}[") {
            if piece.hasPrefix("K") {
                for index in column..<10 { cells[row][index] = " " }
                write(piece.dropFirst())
            } else if let end = piece.firstIndex(of: "H"), let number = Int(piece[..<end]) {
                (row, column) = (number - 1, 0)
                write(piece[piece.index(after: end)...])
            }
        }
    }

    private mutating func write(_ text: Substring) {
        for character in text {
            cells[row][column] = character
            column = min(column + 1, 9)
        }
    }
}
