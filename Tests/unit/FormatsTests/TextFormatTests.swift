// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

@testable import Formats

@Suite struct TextFormatTests {
    private func content(_ text: String) throws -> Content {
        try ContentProtocol.text.content(from: ProgramOutput(Array(text.utf8))).content
    }

    private func texts(_ view: View?) -> [String] {
        guard case .stack(let stack) = view else { return [] }
        return stack.children.compactMap { if case .text(let text) = $0 { text.text } else { nil } }
    }

    @Test(arguments: ["62 % used\n", "62 % used", "62 % used\r\n", "\u{feff}62 % used\n\n\n", "  62 % used \t\n"])
    func oneLineIsTheSummary(output: String) throws {
        #expect(try content(output) == Content(text: "62 % used"))
    }

    @Test func furtherLinesAreTheViewAndTheTooltip() throws {
        let content = try content("62 % used\n/      62 %\n\n/home  40 %\n")
        #expect(content.text == "62 % used")
        #expect(texts(content.compact) == ["62 % used", "/      62 %", "", "/home  40 %"])
        #expect(content.expanded == nil)
        #expect(content.tooltip == "/      62 %\n\n/home  40 %")
    }

    /// A host cuts what it has no room for, and has the rest where the user asks for it.
    @Test func bothModesHaveAllLines() throws {
        let content = try content((1...6).map(String.init).joined(separator: "\n"))
        #expect(texts(content.compact) == ["1", "2", "3", "4", "5", "6"])
        #expect(content.expanded == nil)
    }

    static let columns: [(output: String, lines: [String], styles: [View.Text.Style])] = [
        ("Disk    Size\n/       1G", ["Disk    Size", "/       1G"], [.monospace, .monospace]),
        ("     used\nMem: 1G", ["     used", "Mem: 1G"], [.monospace, .monospace]),
        ("\tused\nMem: 1G", ["        used", "Mem: 1G"], [.monospace, .monospace]),
        ("62 %\n/a 1\n/   2", ["62 %", "/a 1", "/   2"], [.body, .monospace, .monospace]),
        (
            "2 mails\nAda: lunch?\n\nBob: report", ["2 mails", "Ada: lunch?", "", "Bob: report"],
            Array(repeating: .body, count: 4)
        ),
        (" a b \nc", ["a b", "c"], [.body, .body]),
    ]

    /// `df`, and `free` with the spaces before its first column: the head of a table stays above its columns, and prose is prose.
    @Test(arguments: columns)
    func columnsAreMonospaced(output: String, lines: [String], styles: [View.Text.Style]) throws {
        let content = try content(output)
        #expect(texts(content.compact) == lines && content.text == String(lines[0].drop { $0 == " " }))
        guard case .stack(let stack) = content.compact else { throw OutputError.empty }
        #expect(stack.children.compactMap { if case .text(let text) = $0 { text.style } else { nil } } == styles)
    }

    /// Programs that print colours also without a terminal run as they are; the author is told once.
    @Test func coloursAreLeftOutAndNoted() throws {
        let output = "a\n\u{1b}[1;38;5;208mtwo\u{1b}[0m x\u{1b}[K\n\u{1b}[mthree\u{1b}[38:2::1:2:3m"
        let read = try ContentProtocol.text.content(from: ProgramOutput(Array(output.utf8)))
        #expect(texts(read.content.compact) == ["a", "two x", "three"])
        #expect(read.lines == ["line 2 has colours of a terminal, which are left out"])
        #expect(try ContentProtocol.text.content(from: ProgramOutput(Array("a\nb".utf8))).lines.isEmpty)
    }

    @Test func blankLinesBeforeTheSummaryAreLeftOut() throws {
        let content = try content("\n \t\r\n\u{1b}[0m\ntwo\n\nfour\n\n")
        #expect(content.text == "two" && texts(content.compact) == ["two", "", "four"] && content.tooltip == "four")
    }

    @Test func aLongListSaysHowMuchIsLeftOut() throws {
        let content = try content((1...250).map(String.init).joined(separator: "\n"))
        #expect(texts(content.compact).count == 101)
        #expect(texts(content.compact).last == "… 150 more lines")
    }

    @Test func tabsAreStopsOfEightColumns() throws {
        #expect(texts(try content("a\nab\tc\td\n").compact) == ["a", "ab      c       d"])
    }

    @Test func otherScriptsStayAsTheyAre() throws {
        let text = "東京 12° 🌧️ שלום e\u{301}"
        #expect(try content(text).text == text)
    }

    static let failures: [(output: String, reason: String)] = [
        ("", "printed nothing"),
        ("\n\n  \n", "printed nothing"),
        ("\r\n", "printed nothing"),
        ("one\ntwo \u{1b}[2Jred\n", "line 2 contains a terminal escape sequence"),
        ("a\u{1b}[31", "line 1 contains a terminal escape sequence"),
        ("a\u{1b}]0;m", "line 1 contains a terminal escape sequence"),
        ("\u{1b}[31ma\u{7}", "line 1 contains the control character U+0007"),
        ("\u{1b}[0m\n", "printed nothing"),
        ("one\n\u{7}\n", "line 2 contains the control character U+0007"),
        ("a\rb\n", "line 1 contains the control character U+000D"),
        ("a\u{0}b", "line 1 contains the control character U+0000"),
        ("a\u{202e}b", "line 1 contains the text direction override U+202E"),
        ("a\u{9b}31m", "line 1 contains the control character U+009B"),
        ("\n\n" + String(repeating: "x", count: 1_025), "line 3 is longer than 1024 bytes, but it is the summary"),
        (String(repeating: "x", count: 1_025), "line 1 is longer than 1024 bytes, but it is the summary"),
        ("a\n" + String(repeating: "x", count: 16_385), "line 2 is longer than 16384 bytes"),
        ("a\n" + String(repeating: "\t", count: 3_000) + "x", "line 2 is longer than 16384 bytes"),
    ]

    @Test(arguments: failures) func outputThatCannotBeShownSaysWhy(output: String, reason: String) {
        #expect(throws: OutputError(reason)) { try content(output) }
    }

    @Test(arguments: [
        #"{"text": "62 %", "severity": "warning"}"#, "{\n  \"text\": \"62 %\",\n  \"class\": \"x\"\n}\n",
        "\u{feff} {\"empty\": true}", #"{"a": 1, "timeline": []}"#,
    ])
    func contentAsJSONWantsAnotherProtocol(output: String) {
        #expect(throws: OutputError("this is JSON: write Protocol=json into [Update] of the manifest")) {
            try content(output)
        }
    }

    @Test(arguments: [
        "{", "{}", "{a} b", #"{"temperature": 21}"#, #"{"text": "x"} and more"#, "{\"text\": \"x\"}\n{\"text\": \"y\"}",
        #"[{"text": "x"}]"#, #"{"data": {"text": "x"}}"#, #"x {"text": "y"}"#,
    ])
    func whatOnlyLooksLikeItStaysText(output: String) throws {
        #expect(try content(output).text == output.split(separator: "\n").first.map(String.init))
    }

    /// What is repeated how often in a line, and in how many lines.
    static let largest: [(piece: String, length: Int, lines: Int)] = [
        ("x", 1_024, 0), ("x", 10_000, 100), ("\t", 2_000, 200), ("\u{7f8e}", 5_000, 60), ("\"", 1, 250_000),
    ]

    /// What the daemon serves is what its clients can read.
    @Test(arguments: largest)
    func whatIsTakenIsWithinTheLimitsOfContent(piece: String, length: Int, lines: Int) throws {
        let line = String(repeating: piece, count: length) + "."
        let output = lines == 0 ? String(line.dropLast()) : "a\n" + String(repeating: line + "\n", count: lines)
        let taken = try content(output)
        let item = Item(id: try #require(WidgetID("a.b")), name: "n", points: [.today], position: 0, state: .ready)
        var shown = item
        shown.content = taken
        let read = try Item(JSONField(root: try JSON.parse(shown.json.text)))
        #expect(read.failure == nil)
        #expect(read.content == taken)
    }

    @Test func outputHasALimit() {
        let output = "x" + String(repeating: "\n", count: 1 << 20)
        #expect(throws: OutputError("output is longer than 1048576 bytes")) { try content(output) }
    }

    @Test(
        arguments: [
            ([0xff], "output is not UTF-8: byte 0xff at line 1"),
            ([0x61, 0x0a, 0x62, 0x0a, 0xc3, 0x28], "output is not UTF-8: byte 0xc3 at line 3"),
            ([0x61, 0xe2, 0x82], "output is not UTF-8: byte 0xe2 at line 1"),
            ([0xef, 0xbb, 0xbf, 0x0a, 0x80], "output is not UTF-8: byte 0x80 at line 2"),
            ([0xed, 0xa0, 0x80], "output is not UTF-8: byte 0xed at line 1"),
        ] as [([UInt8], String)])
    func bytesThatAreNotUTF8HaveAPlace(output: [UInt8], reason: String) {
        for dialect in [ContentProtocol.text, .json] {
            #expect(throws: OutputError(reason)) { try dialect.content(from: ProgramOutput(output)) }
        }
    }

    @Test func theTooltipStopsWhereATextMust() throws {
        let line = String(repeating: "x", count: 10_000)
        #expect(try content("a\n\(line)\n\(line)\n").tooltip == line)
    }
}
