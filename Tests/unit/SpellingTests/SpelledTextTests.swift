// SPDX-License-Identifier: MIT
import Spelling
import Testing

@Suite struct CombiningMarksTests {
    private static func a(_ marks: String, _ count: Int) -> String { "a\(String(repeating: marks, count: count))" }

    static let table: [(text: String, isTooMany: Bool)] = [
        ("", false), ("plain", false), ("\u{301}", false),
        (a("\u{301}", 30), false), (a("\u{301}", 31), true), (a("\u{315}\u{300}", 16), true),
        (String(repeating: a("\u{301}", 30), count: 100), false),
        // No marks by their class, but what they decompose into is.
        (a("\u{f73}", 31), true),
        // Arabic with vowel signs, Hangul, Devanagari, emoji: all as people write them.
        ("\u{0628}\u{0650}\u{0633}\u{0652}\u{0645}\u{0650} 한국어 हिन्दी 👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿", false),
    ]

    @Test(arguments: table) func marksAreCounted(_ row: (text: String, isTooMany: Bool)) {
        #expect(row.text.hasTooManyMarks == row.isTooMany)
    }
}

@Suite struct SpelledTextTests {
    @Test(arguments: [
        ("", "", true), ("disk", "disk", true), ("disk", "disc", false), ("disk", "disks", false),
        ("\u{e9}", "e\u{301}", false),
        ("a text that is not in place", "a text that is not in place", true),
        ("a text that is not in place", "a text that is not in plate", false),
    ])
    func aTextIsSpelledAsAnother(text: String, other: String, isSame: Bool) {
        #expect(text.isSpelled(as: other) == isSame && other.isSpelled(as: text) == isSame)
    }

    @Test func spellingsOfOneLetterAreDifferent() {
        let texts = Set(["\u{e9}", "e\u{301}", "\u{e9}"].map(SpelledText.init))
        #expect(texts.count == 2)
        #expect(SpelledText("e\u{301}") < SpelledText("\u{e9}"))
    }

    @Test(
        arguments: [
            ("", 0, ""), ("abc", 3, "abc"), ("abc", 2, "ab…"), ("äöü", 6, "äöü"), ("äöü", 5, "äö…"), ("äöü", 1, "…"),
            ("😀😀", 7, "😀…"), ("e\u{301}\u{301}", 3, "e\u{301}…"),
        ])
    func textIsShortenedByBytes(text: String, bytes: Int, short: String) {
        #expect(SpelledText(text.shortened(to: bytes)) == SpelledText(short))
    }
}
