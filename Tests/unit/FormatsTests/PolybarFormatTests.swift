// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Formats

@Suite struct PolybarFormatTests {
    private let reading = DialectReading(dialect: .polybar)

    /// What a script prints, its text, and its colour.
    static let lines: [(output: String, text: String, color: String?)] = [
        ("62 %\n", "62 %", nil), ("  a  \n", "a", nil), ("", "", nil), ("\n", "", nil),
        ("%{F#f00}%{F-}\n", "", "#ff0000"),
        ("%{F#ff0000}hot%{F-} 12", "hot 12", "#ff0000"), ("a %{F#f00}b%{F-} %{F#0f0}c%{F-}", "a b c", "#ff0000"),
        ("%{F#80ff0000}a", "a", "#ff0000"), ("%{F#8f00}a", "a", "#ff0000"), ("%{F-}a", "a", nil), ("%{F}a", "a", nil),
        ("%{Fred}a", "a", nil), ("%{F#zz}a%{F#00f}b", "ab", "#0000ff"), ("%{B#f00}a%{B-}", "a", nil),
        ("%{T2 F#f00}a%{T-}", "a", "#ff0000"), ("%{T2}%{O10}%{u#f00}%{+u}a%{-u}%{R}%{l}%{c}%{r}", "a", nil),
        ("100% <b> & %{T3}ok", "100% <b> & ok", nil), ("%a {b} %%", "%a {b} %%", nil), ("%{}a%{ }b", "ab", nil),
        ("a\u{1b}[31mb", "ab", nil),
    ]

    @Test(arguments: lines.indices) func tagsAreNotText(index: Int) throws {
        let (output, text, color) = Self.lines[index]
        let read = try reading(output)
        #expect(read.content.text == text && read.content.color?.text == color, "\(output)")
        #expect(read.content.isEmpty == text.isEmpty && read.lines.isEmpty, "\(output) \(read.lines)")
    }

    private static let action = "line 1: the command of %{A: is not taken: a manifest has no commands for clicks"
    private static let open = "line 1: a %{ has no end, and what follows is text"

    static let notes: [(output: String, text: String, notes: [String])] = [
        ("%{A1:notify-send hi:}click%{A}", "click", [action]), ("%{A:x:}%{A3:y:}a%{A}%{A}", "a", [action]),
        (#"%{A1:echo "a b" } {c} \:d:F#f00}a"#, "a", [action]), ("%{A}a%{A1}b", "ab", []),
        (#"%{A1:a\:b} c:}x"#, "x", [action]),
        ("a %{F#f00", "a %{F#f00", [open]), ("%{A1:x}a %{T2}b", "%{A1:x}a %{T2}b", [open]),
        ("%{T2}a %{", "a %{", [open]),
        ("a\nb\nc", "a", ["line 2 and what follows are not shown: a module has one line"]), ("a\n\n \n", "a", []),
        ("\nb", "", ["line 2 and what follows are not shown: a module has one line"]),
    ]

    @Test(arguments: notes.indices) func whatIsNotTakenIsSaid(index: Int) throws {
        let (output, text, notes) = Self.notes[index]
        let read = try reading(output)
        #expect(read.content.text == text && read.lines == notes, "\(output)")
    }

    @Test func theColourAfterACommandCounts() throws {
        #expect(try reading("%{A1:a:F#00f}x").content.color?.text == "#0000ff")
        #expect(try reading("%{F#f00 F#00f}x").content.color?.text == "#ff0000")
    }
}
