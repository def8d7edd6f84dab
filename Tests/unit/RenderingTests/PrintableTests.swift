// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Rendering

/// Text and styles as a terminal gets them.
@Suite struct PrintableTests {
    @Test(arguments: [
        ("plain", "plain"), ("\u{1B}[31mred\u{1B}[0m", "\u{FFFD}[31mred\u{FFFD}[0m"), ("a\u{07}b", "a\u{FFFD}b"),
        ("\u{9B}2J", "\u{FFFD}2J"), ("\u{1B}]0;title\u{07}", "\u{FFFD}]0;title\u{FFFD}"), ("a\rb\nc\td", "a b c d"),
        ("safe\u{202E}gpj.exe", "safegpj.exe"), ("\u{2066}x\u{2069}\u{200F}y", "xy"), ("a\u{2028}b", "a b"),
        ("\u{301}a", "a"), ("a\u{7F}", "a\u{FFFD}"), ("\u{FEFF}bom", "bom"), ("日本\u{0}", "日本\u{FFFD}"),
        ("a\r\nb", "a  b"), ("a\u{07}\u{301}b", "a\u{FFFD}b"),
    ])
    func controlsDoNotGetThrough(text: String, cleaned: String) {
        let printable = Printable(text, .unicode)
        #expect(printable.text == cleaned)
        #expect(printable.width == DisplayWidth.of(cleaned))
    }

    @Test(arguments: [
        ("Zürich", "Zurich"), ("Zu\u{308}rich", "Zurich"), ("“ok” – fine…", "\"ok\" - fine..."), ("24 °C", "24 degC"),
        ("日本", "??"), ("💾 x", "x"), ("5 €", "5 EUR"), ("Łódź", "Lodz"), ("\u{1B}[1m", "?[1m"), ("a\u{A0}b", "a b"),
        ("ſ¡¬®ÿ", "s!-(R)y"), ("a 💾 x", "a x"), (" 💾b", " b"), (" a💾 x", " a x"),
    ])
    func asciiSpellsWhatItCan(text: String, spelled: String) {
        #expect(Printable(text, .ascii).text == spelled)
    }

    @Test func marksDoNotPileUp() {
        let text = "a" + String(repeating: "\u{301}", count: 1_000)
        #expect(Printable(text, .unicode).text.unicodeScalars.count == 9)
    }

    @Test func everyScalarIsHarmlessInBothCharsets() {
        for value in UInt32(0)...0x2FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "a\(scalar)b"
            let unicode = Printable(text, .unicode)
            let controls = unicode.text.unicodeScalars.contains {
                $0.properties.generalCategory == .control || (0x202A...0x202E).contains($0.value)
                    || (0x2066...0x2069).contains($0.value)
            }
            if controls || Printable(text, .ascii).text.utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) {
                Issue.record("U+\(String(value, radix: 16)) gets through")
            }
        }
    }

    @Test(
        arguments: [
            ("one two three", 7, ["one two", "three"]), ("one two three", 5, ["one", "two", "three"]),
            ("abcdefgh", 3, ["abc", "def", "gh"]), ("日本語です", 5, ["日本", "語で", "す"]), ("ab 日本", 4, ["ab", "日本"]),
            ("日", 1, ["日"]), (" abcdef", 3, [" ab", "cde", "f"]), ("a  b", 2, ["a", "b"]), ("fits", 4, ["fits"]),
            ("x 👩‍👩‍👧‍👦y", 3, ["x", "👩‍👩‍👧‍👦y"]),
        ] as [(String, Int, [String])])
    func textWrapsByCells(text: String, width: Int, lines: [String]) {
        #expect(Printable(text, .unicode).wrapped(width).map(\.text) == lines)
    }

    /// Text of ASCII is broken by its bytes, and must be as other text of the same widths is.
    @Test func asciiWrapsAsOtherLettersDo() {
        for pattern in 0..<1 << 9 {
            let text = String((0..<9).map { pattern >> $0 & 1 == 1 ? "x" : " " })
            let other = String(text.map { $0 == "x" ? "é" : $0 })
            for width in 0...5 {
                let lines = Printable(other, .unicode).wrapped(width).map {
                    String($0.text.map { $0 == "é" ? "x" : $0 })
                }
                #expect(Printable(text, .unicode).wrapped(width).map(\.text) == lines, "'\(text)' at \(width)")
            }
        }
    }

    @Test(arguments: [
        ("a\nb\r\n\nc", ["a", "b", "", "c"]), ("", [""]), ("a\r\n", ["a", ""]), ("a\r\r\nb\r", ["a ", "b "]),
    ])
    func linesEndWithALineFeed(text: String, lines: [String]) {
        #expect(Printable.lines(of: text, .unicode).map(\.text) == lines)
    }

    @Test func tabsGoToTheNextStop() {
        #expect(Printable.lines(of: "a\t\tb", .unicode).map(\.text) == ["a               b"])
        #expect(Printable.lines(of: "a\tb\n\tc\n日本\td", .unicode).map(\.text) == ["a       b", "        c", "日本    d"])
    }

    @Test(arguments: [
        ("hello world", 8, "hello w…"), ("日本語", 4, "日…"), ("abc", 3, "abc"), ("abc", 1, "…"), ("abc", 0, ""),
    ])
    func truncationKeepsTheWidth(text: String, width: Int, expected: String) {
        let presentation = Samples.presentation(80)
        #expect(presentation.truncated(presentation.line(text), width).text() == expected)
    }

    @Test(
        arguments: [
            (Style.plain, ColorDepth.direct, ""), (.bold, .none, ""), (.bold, .sixteen, "\u{1B}[1m"),
            (.meaning(.critical), .sixteen, "\u{1B}[31m"),
            (.init(color: .rgb(red: 255, green: 0, blue: 0)), .sixteen, "\u{1B}[31m"),
            (.init(color: .rgb(red: 255, green: 0, blue: 0)), .indexed, "\u{1B}[38;5;196m"),
            (.init(color: .rgb(red: 1, green: 2, blue: 3)), .direct, "\u{1B}[38;2;1;2;3m"),
            (.init(color: .rgb(red: 122, green: 90, blue: 90)), .sixteen, ""),
            (.init(color: .rgb(red: 123, green: 90, blue: 90)), .sixteen, "\u{1B}[31m"),
        ] as [(Style, ColorDepth, String)])
    func styleBecomesWhatTheTerminalHas(style: Style, depth: ColorDepth, sequence: String) {
        #expect(style.escapeSequence(depth) == sequence)
    }

    @Test func anIndentationHasSeveralSpans() {
        var line = StyledLine()
        for text in ["  ", "  x", "  y"] { line.append(Printable(text, .ascii)) }
        #expect(line.indentation == 4)
    }

    // MARK: Width in cells

    @Test(arguments: [
        ("", 0), ("a", 1), ("Zürich", 6), ("Zu\u{308}rich", 6), ("日本語", 6), ("ﾊﾝｶｸ", 4), ("한국어", 6),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("e\u{301}\u{302}\u{303}", 1), ("💾", 2), ("👋🏽", 2), ("👩‍👩‍👧‍👦", 2), ("🏳️‍🌈", 2),
        ("☀", 1), ("☀\u{FE0F}", 2), ("☀\u{FE0E}", 1), ("⚠️", 2), ("1\u{FE0F}\u{20E3}", 2), ("🇨🇭", 2), ("🇨🇭🇩🇪", 4),
        ("🇨", 1), ("\u{200B}", 0), ("a\u{200D}b", 2), ("\u{AD}", 1), ("नमस्ते", 4), ("สวัสดี", 4), ("（）", 4), ("█▌", 2),
        ("⣿⠁", 2), ("₿", 1), ("…", 1), ("𠀀", 2), ("\u{E0001}", 0), ("a\u{FE0F}", 1), ("⛅", 2), ("🪫", 2), ("Ａ", 2),
        ("\u{3099}", 0), ("─", 1), ("°", 1), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2),
    ])
    func widthIsInCells(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test(arguments: [WidthTable.zero, WidthTable.wide])
    func rangesAreInOrderAndApart(table: [UInt32]) {
        #expect(table.count % 2 == 0)
        for index in table.indices.dropFirst() {
            let (previous, next) = (table[index - 1], table[index])
            #expect(index % 2 == 1 ? previous <= next : previous + 1 < next)
        }
    }

    @Test func noCodePointIsBothWideAndZero() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let width = DisplayWidth.of(scalar)
            if width == 2, scalar.properties.generalCategory == .nonspacingMark {
                Issue.record("U+\(String(value, radix: 16)) is a mark and wide")
            }
        }
    }
}
