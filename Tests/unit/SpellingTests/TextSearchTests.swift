// SPDX-License-Identifier: MIT

import Spelling
import Testing

@Suite struct TextSearchTests {
    /// A text, what is looked for, and the bytes of the first place.
    static let places: [(String, String, Range<Int>?)] = [
        ("https://a://b", "://", 5..<8), ("aab", "ab", 1..<3), ("aaab", "aab", 1..<4), ("ab", "abc", nil),
        ("", "a", nil),
        ("ab", "", 0..<0), ("ä🙂b", "🙂", 2..<6), ("a\r\n\r\nb", "\r\n\r\n", 1..<5), ("a\r\n\r\nb", "\n\r", 2..<4),
        // A letter with a mark after it is one character.
        ("xe\u{301}", "e", 1..<2),
    ]

    @Test(arguments: places.indices) func theFirstPlaceIsFound(_ index: Int) {
        let (text, sought, bytes) = Self.places[index]
        func places(_ range: Range<String.Index>?, _ text: some StringProtocol) -> Range<Int>? {
            range.map { range in
                let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
                return start..<start + text.utf8.distance(from: range.lowerBound, to: range.upperBound)
            }
        }
        #expect(places(text.range(of: sought), text) == bytes)
        let part = "<\(text)>".dropFirst().dropLast()
        #expect(places(part.range(of: sought), part) == bytes, "of a part of a text")
        #expect(text.includes(sought) == (bytes != nil))
    }

    @Test func partsStandBetweenSeparators() {
        #expect("a%%b%%%%c%%".split(at: "%%") == ["a", "b", "", "c", ""])
        #expect("".split(at: "%%") == [""] && "%".split(at: "%%") == ["%"])
    }

    @Test func whatIsReplacedIsNotLookedAtAgain() {
        #expect("aXbX".replacing("X", by: "XX") == "aXXbXX")
        #expect("50%".dropFirst().replacing("%", by: "%%") == "0%%")
        #expect("none".replacing("X", by: "") == "none")
    }
}
