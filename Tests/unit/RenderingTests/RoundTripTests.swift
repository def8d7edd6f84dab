// SPDX-License-Identifier: MIT

import JSON
import TestSupport
import Testing
import TodayModel

@testable import Rendering

/// A text goes into a form, the reader of the form takes it out, and it is the same text.
@Suite struct RoundTripTests {
    /// Pieces of which texts are made. Most are signs of a form.
    private static let pieces: [String] = [
        "&", "<", ">", "#", "##", "#[", "]", "%", "%{", "{", "}", "\"", "'", "''", "\\", "\\n", "|", "=", ";", ",", ":",
        "$(x)",
        "`", "&amp;", "</txt>", "<b>", "]]>", "-->", "%{F-}", "#[fg=red]", "#{x}", "#(id)", "#S", "%{A1:x:}", "\\u0041",
        "a",
        "b c", " ", "\u{7}", "\u{1B}[31m", "\u{0}", "\u{9B}", "\n", "\r\n", "\t", "\u{2028}", "\u{202E}", "\u{200F}",
        "\u{FFFE}",
        "é", "e\u{301}", "🍄", "👩‍👩‍👧‍👦", "🇨🇭", "שלום", "空", "text|string|x", "\u{301}",
    ]

    private static func texts(seed: UInt64) -> [String] {
        var numbers = SeededNumbers(seed: seed)
        var texts: [String] = [FormSamples.signs, FormSamples.controls, FormSamples.directions]
        for _ in 0..<400 {
            var text = "t"
            for _ in 0..<Int.random(in: 1...8, using: &numbers) {
                text += pieces[Int.random(in: pieces.indices, using: &numbers)]
            }
            texts.append(text)
        }
        return texts
    }

    private static func item(_ text: String, _ change: (inout Item) -> Void = { _ in }) throws -> Item {
        try Samples.item("org.a.b", text, mode: .compact, content: Content(text: text)) {
            $0.size = Size(columns: 400, rows: 4)
            change(&$0)
        }
    }

    /// What is left of a text where lines and control characters have no place.
    private static func clean(_ text: String) -> String { Printable(text, .unicode).text }

    private static func output(_ form: OutputForm, _ items: [Item]) -> String {
        form.text(of: Shown(items, json: ""), Samples.presentation(500))
    }

    /// Runs over all texts, with a widget in a colour and one without. Texts are equal by their bytes.
    private func expectSame(
        _ form: OutputForm, _ sourceLocation: SourceLocation = #_sourceLocation, read: (String) throws -> String
    ) throws {
        for text in Self.texts(seed: 7) {
            for color in [nil, Color("#ff00aa")] {
                let output = Self.output(form, [try Self.item(text) { $0.content?.color = color }])
                let found = try read(output)
                #expect(
                    Array(found.utf8) == Array(Self.clean(text).utf8), "\(form): \(output.debugDescription)",
                    sourceLocation: sourceLocation)
            }
        }
    }

    private func line(_ output: String) throws -> String {
        try #require(output.hasSuffix("\n") && output.utf8.filter { $0 == 10 }.count == 1, "\(output)")
        return String(output.dropLast())
    }

    @Test func waybar() throws {
        try expectSame(.waybar) { output in
            let object = try JSON.parse(Array(try line(output).utf8))
            return try MarkupReader(try #require(object["text"]?.stringValue)).text
        }
    }

    @Test func i3bar() throws {
        try expectSame(.i3bar) { output in
            let blocks = try #require(try JSON.parse(Array(try line(output).utf8)).arrayValue)
            #expect(blocks.count == 1 && blocks[0]["markup"] == "none")
            return try #require(blocks[0]["full_text"]?.stringValue)
        }
    }

    @Test func i3blocks() throws {
        try expectSame(.i3blocks) { output in
            let lines = output.unicodeScalars.split(separator: "\n").map { String(String.UnicodeScalarView($0)) }
            #expect((2...3).contains(lines.count) && lines[0] == lines[1])
            #expect(lines.count == 2 || lines[2] == "#ff00aa")
            return lines[0]
        }
    }

    @Test func polybar() throws {
        try expectSame(.polybar) { output in
            let read = try PolybarReader(try line(output))
            #expect(read.colors.isEmpty || read.colors == ["#ff00aa"])
            return read.text
        }
    }

    @Test func tmux() throws {
        try expectSame(.tmux) { output in
            let read = try TmuxReader(try line(output))
            #expect(read.styles.isEmpty || read.styles == ["push-default fg=#ff00aa", "default pop-default"])
            return read.text
        }
    }

    @Test func genmon() throws {
        try expectSame(.genmon) { output in
            let read = try GenmonReader(output)
            #expect(read.text.elements.allSatisfy { $0.name == "span" && $0.attributes == ["foreground": "#ff00aa"] })
            return read.text.text
        }
    }

    @Test func yambar() throws {
        try expectSame(.yambar) { try #require(try YambarReader($0).tags["text"]) }
    }

    @Test func nagios() throws {
        for text in Self.texts(seed: 3) {
            let read = try NagiosReader(Self.output(.nagios, [try Self.item(text)]))
            // A bar would begin the numbers.
            let clean = String(String.UnicodeScalarView(Self.clean(text).unicodeScalars.map { $0 == "|" ? "¦" : $0 }))
            #expect(Array(read.first.utf8) == Array("OK: \(clean): \(clean)".utf8))
            #expect(read.values == ["age": "0s"])
        }
    }

    /// It has names, and no texts.
    @Test func prometheus() throws {
        for text in Self.texts(seed: 4) {
            let read = try PrometheusReader(Self.output(.prometheus, [try Self.item(text)]))
            let expected = String(
                String.UnicodeScalarView(
                    text.unicodeScalars.map { scalar in
                        let isDisplayControl =
                            scalar != "\n" && (scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value))
                            || scalar == "\u{202E}"
                        return isDisplayControl ? "\u{FFFD}" : scalar
                    }))
            for sample in read.samples {
                #expect(Array((sample.labels["name"] ?? "").utf8) == Array(expected.utf8))
            }
        }
    }

    @Test func html() throws {
        for text in Self.texts(seed: 5) {
            let read = try MarkupReader(Self.output(.html, [try Self.item(text)]))
            let expected = String(
                String.UnicodeScalarView(
                    text.unicodeScalars.map { scalar in
                        if scalar == "\u{FFFE}" { return "\u{FFFD}" }
                        let isControl = scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value)
                        return isControl && scalar != "\n" ? " " : scalar
                    }))
            #expect(read.texts(of: "h2").map { Array($0.utf8) } == [Array(expected.utf8)])
            let paragraphs = read.elements.filter { $0.name == "p" && $0.attributes["dir"] == "auto" }
            // A space between a number and % does not break.
            #expect(
                paragraphs.map { Array($0.text.replacing("\u{a0}%", with: " %").utf8) }
                    == [Array(expected.replacing("\u{a0}%", with: " %").utf8)])
        }
    }

    @Test func svg() throws {
        for text in Self.texts(seed: 6) {
            let image = Self.output(.svg, [try Self.item(text)])
            let read = try MarkupReader(image)
            let clean = Self.clean(text)
            #expect(read.texts(of: "title").map { Array($0.utf8) } == [Array(clean.utf8)])
            #expect(read.texts(of: "desc").map { Array($0.utf8) } == [Array("\(clean): \(clean)".utf8)])
        }
    }

    @Test func plain() throws {
        // Lines stay lines here, and tabs go to their stops.
        for text in Self.texts(seed: 8) where !text.utf8.contains(10) && !text.utf8.contains(9) {
            var item = try Self.item(text)
            item.content?.compact = .stack(View.Stack(.vertical, [.text(View.Text(text)), .spacer]))
            let lines = Self.output(.plain, [item]).split(separator: "\n")
            var expected = Self.clean(text)
            while expected.last == " " { expected.removeLast() }
            #expect(lines.count == 2 && Array(lines[1].utf8) == Array("    \(expected)".utf8), "\(lines)")
        }
    }
}
