// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Formats

@Suite struct ANSITextTests {
    /// A text, in which `^` is the escape character, and its runs: text, colour and `!` for bold.
    static let texts: [(text: String, runs: String)] = [
        ("", ""), ("a", "a"), ("^[31ma", "a #cd0000"), ("a^[31mb^[0mc", "a|b #cd0000|c"), ("^[31ma^[mb", "a #cd0000|b"),
        ("^[1ma^[22mb", "a!|b"), ("^[1;31ma^[39mb", "a #cd0000!|b!"), ("^[31;1ma^[0;32mb", "a #cd0000!|b #00cd00"),
        ("^[30ma^[31mb^[32mc^[33md", "a #000000|b #cd0000|c #00cd00|d #cdcd00"),
        ("^[34ma^[35mb^[36mc^[37md", "a #0000ee|b #cd00cd|c #00cdcd|d #e5e5e5"),
        ("^[90ma^[91mb^[92mc^[93md", "a #7f7f7f|b #ff0000|c #00ff00|d #ffff00"),
        ("^[94ma^[95mb^[96mc^[97md", "a #5c5cff|b #ff00ff|c #00ffff|d #ffffff"),
        ("^[2;3;4;7;9ma^[23;24;27;28;29mb", "ab"), ("^[41;47;100ma^[49mb", "ab"),
        ("^[38;5;1ma^[38;5;9mb", "a #cd0000|b #ff0000"), ("^[38;5;16ma^[38;5;208mb", "a #000000|b #ff8700"),
        ("^[38;5;231ma^[38;5;232mb^[38;5;255mc", "a #ffffff|b #080808|c #eeeeee"),
        ("^[38;2;1;2;3ma", "a #010203"), ("^[38:5:208ma", "a #ff8700"), ("^[38:2:1:2:3ma", "a #010203"),
        ("^[38:2::1:2:3ma", "a #010203"), ("^[38;2;1;2;3;1ma", "a #010203!"), ("^[48;5;1;31ma", "a #cd0000"),
        ("^[48;2;1;2;3;1ma", "a!"), ("^[4:3;31ma", "a #cd0000"), ("^[;31ma", "a #cd0000"),
        ("^[38;5;256ma", "a"), ("^[38;2;1;2;300ma", "a"), ("^[38;5ma", "a"), ("^[38ma", "a"), ("^[38;9;1ma", "a!"),
        ("^[99999999999999999999ma", "a"), ("^[?25la", "a"), ("^[>1ma", "a"), ("^[31 ma", "a"), ("^[2Ja^[Hb", "ab"),
        ("^]0;title\u{7}a", "a"), ("^]8;;http://x^\\a", "a"), ("^Pq\u{9c}a", "a"), ("^(Ba", "a"), ("^Ma", "a"),
        ("\u{9b}31ma", "a #cd0000"), ("a^", "a"), ("a^[31", "a"), ("a^]0;never", "a"), ("^[31\nma", "\nma"),
        // A control character of eight bits begins a sequence, also within another one.
        ("a\u{9b}31mb", "a|b #cd0000"), ("^[3\u{9b}31ma", "a #cd0000"), ("^\u{9b}31ma", "a #cd0000"),
        ("^(\u{9b}31ma", "a #cd0000"), ("\u{9b}1\u{9b}31ma", "a #cd0000"), ("^]0;x\u{9b}31ma", "a #cd0000"),
        ("a\u{9d}0;title\u{9c}b", "ab"), ("^[31\u{9d}0;x\u{7}ma", "ma"), ("a\u{90}q\u{9c}b", "ab"), ("a\u{85}b", "ab"),
        ("^[3\u{fffd}1ma", "\u{fffd}1ma"), ("^([31ma", "31ma"),
        ("^[31m^[32ma", "a #00cd00"), ("a ^[31m ^[0mb", "a  b"), ("^[31ma^[31mb", "ab #cd0000"),
    ]

    @Test(arguments: texts.indices) func sequencesAreRead(place: Int) {
        let (text, runs) = Self.texts[place]
        let read = ANSIText.runs(of: text.replacing("^", with: "\u{1b}"))
        let words = read.map { $0.text + ($0.color.map { " " + $0.text } ?? "") + ($0.isBold ? "!" : "") }
        #expect(words.joined(separator: "|") == runs)
    }

    @Test func runsHaveALimit() {
        let text = (0..<1_000).map { "\u{1b}[38;5;\($0 % 200)m\($0)" }.joined()
        let runs = ANSIText.runs(of: text)
        #expect(runs.count == ANSIText.mostRuns)
        #expect(runs.map(\.text).joined() == (0..<1_000).map(String.init).joined())
    }
}
