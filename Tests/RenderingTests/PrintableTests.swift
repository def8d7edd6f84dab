// SPDX-License-Identifier: MIT

import Testing

@testable import Rendering

@Suite struct PrintableTests {
    @Test(arguments: [
        ("plain", "plain"), ("\u{1B}[31mred\u{1B}[0m", "\u{FFFD}[31mred\u{FFFD}[0m"), ("a\u{07}b", "a\u{FFFD}b"),
        ("\u{9B}2J", "\u{FFFD}2J"), ("\u{1B}]0;title\u{07}", "\u{FFFD}]0;title\u{FFFD}"), ("a\rb\nc\td", "a b c d"),
        ("safe\u{202E}gpj.exe", "safegpj.exe"), ("\u{2066}x\u{2069}\u{200F}y", "xy"), ("a\u{2028}b", "a b"),
        ("\u{301}a", "a"), ("a\u{7F}", "a\u{FFFD}"), ("\u{FEFF}bom", "bom"), ("日本\u{0}", "日本\u{FFFD}"),
        ("a\r\nb", "a  b"),
    ])
    func controlsDoNotGetThrough(text: String, cleaned: String) {
        let printable = Printable(text, .unicode)
        #expect(printable.text == cleaned)
        #expect(printable.width == DisplayWidth.of(cleaned))
    }

    @Test(arguments: [
        ("Zürich", "Zurich"), ("Zu\u{308}rich", "Zurich"), ("“ok” – fine…", "\"ok\" - fine..."), ("24 °C", "24 degC"),
        ("日本", "??"), ("💾 x", "? x"), ("5 €", "5 EUR"), ("Łódź", "Lodz"), ("\u{1B}[1m", "?[1m"), ("a\u{A0}b", "a b"),
        ("ſ¡¬®ÿ", "s!-(R)y"),
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
            ("日", 1, ["日"]), ("a  b", 2, ["a", "b"]), ("fits", 4, ["fits"]), ("x 👩‍👩‍👧‍👦y", 3, ["x", "👩‍👩‍👧‍👦y"]),
        ] as [(String, Int, [String])])
    func textWrapsByCells(text: String, width: Int, lines: [String]) {
        #expect(Printable(text, .unicode).wrapped(width).map(\.text) == lines)
    }

    @Test func tabsGoToTheNextStop() {
        #expect(Printable.lines(of: "a\tb\n\tc\n日本\td", .unicode).map(\.text) == ["a       b", "        c", "日本    d"])
    }

    @Test(arguments: [
        ("hello world", 8, "hello w…"), ("日本語", 4, "日…"), ("abc", 3, "abc"), ("abc", 1, "…"), ("abc", 0, ""),
    ])
    func truncationKeepsTheWidth(text: String, width: Int, expected: String) {
        let presentation = Samples.presentation(80)
        #expect(presentation.truncated(presentation.line(text), width).text() == expected)
    }
}
