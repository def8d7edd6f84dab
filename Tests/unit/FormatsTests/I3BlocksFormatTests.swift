// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Formats

@Suite struct I3BlocksFormatTests {
    private let reading = DialectReading(dialect: .i3blocks)

    // MARK: Lines

    @Test func fourLinesAreTextShortTextColourAndBackground() throws {
        let read = try reading("62 % used\n62%\n#ff8000\n#000000\n")
        var content = Content(text: "62 % used")
        content.short = "62%"
        content.color = .rgb(red: 255, green: 128, blue: 0)
        content.takesClicks = true
        #expect(read.content == content)
        #expect(read.lines.isEmpty)
    }

    static let lines: [(output: String, text: String, short: String?, color: String?)] = [
        ("a", "a", nil, nil),
        ("a\r\nb\r\n#FF0000\r\n", "a", "b", "#ff0000"),
        ("a\n\n#ff000080", "a", nil, "#ff0000"),
        ("  a \n b", "a", "b", nil),
        ("<b>a & b</b>", "<b>a & b</b>", nil, nil),
        ("<span color='#00ff00'>a &amp; b</span>\n<span>x</span>", "a & b", "x", "#00ff00"),
        ("<span color='#00ff00'>a</span>\n\n#0000ff\n", "a", nil, "#0000ff"),
        ("\u{1b}[31mred\u{1b}[0m", "red", nil, nil),
        ("\u{feff}a", "a", nil, nil),
        ("42", "42", nil, nil),
        ("a\n\n\n\n\n\n", "a", nil, nil),
    ]

    @Test(arguments: lines)
    func linesAreRead(_ output: String, _ text: String, _ short: String?, _ color: String?) throws {
        let read = try reading(output)
        #expect(read.content.text == text)
        #expect(read.content.short == short)
        #expect(read.content.color?.text == color)
        #expect(read.lines.isEmpty)
    }

    static let notes: [(output: String, note: String)] = [
        ("a\nb\nredd", "line 3: \"redd\" is not a colour such as #ff0000"),
        ("a\nb\n#12345", "line 3: \"#12345\" is not a colour such as #ff0000"),
        ("a\nb\n\nbluish", "line 4: \"bluish\" is not a colour such as #ff0000"),
        ("a\n\n\n\n\nmore\nand more", "line 6 and what follows are not shown: a block has four lines"),
        ("a\n\u{0}b", "line 2 has bytes that are not text"),
        ("<span><b></span>a", "line 1: </span> is where </b> should be"),
    ]

    @Test(arguments: notes) func whatIsNotUnderstoodIsANote(_ output: String, _ note: String) throws {
        let read = try reading(output)
        #expect(read.content.text == "a")
        #expect(read.lines == [note])
    }

    @Test func bytesThatAreNoTextAreReplaced() throws {
        let read = try reading([0x61, 0xff, 0x62, 0x00, 0x63])
        #expect(read.content.text == "a\u{fffd}bc")
        #expect(read.lines == ["line 1 has bytes that are not text"])
    }

    @Test(arguments: ["", "\n", "\n\nshort", "  \t\n", "{}", "{\"full_text\": \"\"}", "[]x"])
    func aBlockWithoutTextIsHidden(output: String) throws {
        guard output != "[]x" else {
            #expect(throws: OutputError.self) { try reading(output) }
            return
        }
        let read = try reading(output)
        #expect(read.content.isEmpty)
        #expect(read.content.text.isEmpty)
    }

    @Test func theStatus33IsUrgent() throws {
        #expect(try reading("a", status: 33).content.severity == .critical)
        #expect(try reading("a", status: 0).content.severity == .normal)
        #expect(try reading("{\"full_text\": \"a\", \"urgent\": false}", status: 33).content.severity == .critical)
        #expect(ContentProtocol.i3blocks.isContent(withStatus: 33))
        #expect(!ContentProtocol.i3blocks.isContent(withStatus: 1))
    }

    @Test func aBlockTakesClicks() throws {
        let content = try reading("a").content
        #expect(content.actions == (1...9).map { "click-\($0)" })
        #expect(try reading("{\"full_text\": \"a\"}").content.takesClicks)
    }

    // MARK: Objects

    @Test func allKeysOfAnObjectAreRead() throws {
        let read = try reading(
            """
            {"full_text": "a &amp; <b>b</b>", "short_text": "<i>a</i>", "color": "#FF0000", "background": "#000000",
             "border": "#ffffff", "border_top": 1, "min_width": "100 %", "align": "left", "urgent": true,
             "separator": false, "separator_block_width": 9, "name": "n", "instance": "i", "markup": "pango",
             "_mine": [1], "of_tomorrow": {}}
            """)
        #expect(read.content.text == "a & b")
        #expect(read.content.short == "a")
        #expect(read.content.color?.text == "#ff0000")
        #expect(read.content.severity == .critical)
        #expect(read.lines.isEmpty)
    }

    @Test func withoutMarkupTagsAreText() throws {
        #expect(try reading(#"{"full_text": "<b>a</b> &amp;"}"#).content.text == "<b>a</b> &amp;")
    }

    /// A line of status is an array of blocks.
    @Test func theBlocksOfALineAreJoined() throws {
        let line = """
            [{"full_text": "L 0.1", "color": "#ff0000"}, {"full_text": ""}, {"full_text": "<b>x</b> ", "short_text": "s",
             "markup": "pango", "urgent": true}, {"full_text": "12:00", "colour": "red"}]
            """
        for output in [
            line, line.replacing("\n", by: " "), "{\"version\": 1}\n[\n[]\n,\(line.replacing("\n", by: " "))\n",
        ] {
            let read = try reading(output)
            #expect(read.content.text == "L 0.1 · x · 12:00" && read.content.short == "L 0.1 · s · 12:00")
            #expect(read.content.severity == .critical && read.content.color == nil && !read.content.isEmpty)
            let rows = rows(of: read.content).map { "\($0.text) \($0.color?.text ?? "-")" }
            #expect(rows == ["L 0.1 #ff0000", "x -", "12:00 -"])
            #expect(read.lines.map { $0.hasSuffix("colour: unknown field, did you mean \"color\"?") } == [true])
        }
        let one = try reading("[{\"full_text\": \"a\", \"color\": \"#00ff00\"}, {\"full_text\": \" \"}]").content
        #expect(one.text == "a" && one.color != nil && one.short == nil && one.expanded == nil)
        let none = try reading("[{\"full_text\": \"\"}, {\"full_text\": \" \"}]").content
        #expect(none.isEmpty && none.expanded == nil)
        #expect(try reading("[{\"full_text\": \"a\"}],\n[],\n").content.isEmpty)
        let many = Array(repeating: "{\"full_text\": \"abc\"}", count: 3_000).joined(separator: ",")
        let long = try reading("[\(many)]").content
        #expect(long.text.utf8.count <= ContentLimits.summaryBytes)
        #expect(rows(of: long).last?.text == "… 2800 more blocks")
    }

    static let parts: [(blocks: [String], text: String, rows: [String])] = [
        (["L |0", "2.5 |0 #ff0000", "0.8| #00ff00", "12:00|"], "L 2.5 0.8 · 12:00", ["L 2.5 0.8 #ff0000", "12:00 -"]),
        (["62|0", "%|", "b|"], "62% · b", ["62% -", "b -"]),
        (["62|9", "%|", "b|"], "62 % · b", ["62 % -", "b -"]),
        (["62|0", " %|", "b|"], "62 % · b", ["62 % -", "b -"]),
        (["a|0", " |0", "b|", " |0", "c|"], "a b · c", ["a b -", "c -"]),
        (["a|0", " |", "b|"], "a · b", ["a -", "b -"]),
        (["a|0", "|", "b|", "c|"], "ab · c", ["ab -", "c -"]),
        (["a|", " |0", "b|"], "a · b", ["a -", "b -"]),
        (["a|0", "b|0"], "ab", []),
    ]

    /// py3status colours the parts of a text by blocks without a separator.
    @Test(arguments: 0..<9) func blocksWithoutASeparatorAreOne(place: Int) throws {
        let (blocks, text, rows) = Self.parts[place]
        let objects = blocks.map { block in
            let parts = block.split(separator: "|", omittingEmptySubsequences: false)
            let (gap, color) = (parts[1].prefix { $0 != " " }, parts[1].drop { $0 != " " }.dropFirst())
            return "{\"full_text\": \"\(parts[0])\""
                + (gap.isEmpty ? "" : ", \"separator\": false, \"separator_block_width\": \(gap)")
                + (color.isEmpty ? "}" : ", \"color\": \"\(color)\"}")
        }
        let content = try reading("[\(objects.joined(separator: ", "))]").content
        #expect(content.text == text)
        #expect(self.rows(of: content).map { "\($0.text) \($0.color?.text ?? "-")" } == rows)
    }

    @Test func partsOfABlockShareItsShortTextAndUrgency() throws {
        let content = try reading(
            """
            [{"full_text": "CPU", "separator": false}, {"full_text": "99 %", "short_text": "99", "urgent": true,
             "color": "#ff0000"}]
            """
        ).content
        #expect(content.text == "CPU 99 %" && content.short == "CPU 99" && content.severity == .critical)
        #expect(content.color?.text == "#ff0000")
        let many = Array(repeating: "{\"full_text\": \"abc\", \"separator\": false}", count: 3_000).joined(
            separator: ",")
        #expect(try reading("[\(many)]").content.text.utf8.count <= ContentLimits.summaryBytes)
    }

    @Test(arguments: ["{\"version\": 1}", "{\"version\": 1, \"click_events\": true}\n[\n"])
    func theHeaderOfALineIsNoBlock(output: String) throws {
        #expect(throws: OutputError.self) { try reading(output) }
    }

    private func rows(of content: Content) -> [View.Text] {
        guard case .stack(let stack)? = content.expanded else { return [] }
        return stack.children.compactMap { if case .text(let text) = $0 { text } else { nil } }
    }

    static let last: [(output: String, text: String, notes: [String])] = [
        ("{\"full_text\": \"a\"}\n{\"full_text\": \"b\"}\n", "b", []),
        ("{\"full_text\": \"a\"}\n{\"full_text\": \"b\"", "a", ["what follows line 1 is not a whole object"]),
        ("{\"full_text\": \"a\"}\ntext\n", "a", ["what follows line 1 is not a whole object"]),
        (
            "{\"full_text\": \"x\"}\ntext\n{\"full_text\": \"a\"}", "a",
            ["line 2 is not an object, and the one in line 3 counts"]
        ),
        ("text\n{\"full_text\": \"a\"}", "a", ["line 1 is not an object, and the one in line 2 counts"]),
        ("[[\n[{\"full_text\": \"\"}, {\"full_text\": \"a\"}, 1],\n", "a", []),
        (
            "{\"version\": 1, \"click_events\": true}\n[\n[{\"full_text\": \"x\"}]\n,[{\"full_text\": \"a\"}]\n]\n",
            "a", []
        ),
        ("{\n  \"full_text\": \"a\"\n}\n", "a", []),
        ("{\n  \"full_text\": \"a\"\n}\nmore", "a", ["what follows the object of line 1 is not a whole object"]),
        ("{\"full_text\": \"a\",}", "a", []),
        ("{\"full_text\": \"a\tb\"}", "a b", []),
        ("{\"full_text\": 42}", "42", ["line 1: full_text: expected a string, found a number"]),
        (
            "\n{\"full_text\": \"a\", \"urgent\": \"yes\"}", "a",
            ["line 2: urgent: expected true or false, found a string"]
        ),
        (
            "{\"full_text\": \"a\", \"color\": \"redd\", \"min_width\": []}", "a",
            [
                "line 1: min_width: expected a number or a string, found an array",
                "line 1: color: \"redd\" is not a colour such as #ff0000",
            ]
        ),
        ("{\"short_text\": \"a\"}", "", ["line 1: full_text is missing"]),
        ("text\n{\"a\": 1}", "text", []),
        (
            "{\"full_text\": \"a\", \"colour\": \"red\"}", "a",
            ["line 1: colour: unknown field, did you mean \"color\"?"]
        ),
        (
            "{\"full_text\": \"<b>a\", \"short_text\": \"</i>\", \"markup\": \"pango\"}", "a",
            ["line 1: full_text: <b> is not closed", "line 1: short_text: </i> closes no tag"]
        ),
    ]

    @Test(arguments: 0..<18) func theLastWholeObjectCounts(place: Int) throws {
        let (output, text, notes) = Self.last[place]
        let read = try reading(output)
        #expect(read.content.text == text)
        #expect(read.lines == notes)
    }

    @Test func allOfTheTableIsTried() { #expect(Self.last.count == 18) }

    static let failures: [(output: String, reason: String)] = [
        ("{\"full_text\": \"a\"", "output is not JSON: line 1, column 18: expected ',' or '}', found the end"),
        ("\n{\"full_text\":\n bad}", "output is not JSON: line 3, column 2: expected a value, found 'bad'"),
        ("{", "output is not JSON: line 1, column 2: expected a key in double quotes, found the end"),
        ("[1, 2]", "output is JSON, but no object such as {\"full_text\": \"62 %\"}"),
        (
            String(repeating: "[", count: 200),
            "output is not JSON: line 1, column 129: nested more than 128 levels deep"
        ),
    ]

    @Test(arguments: failures) func outputWithoutAWholeObjectSaysWhere(_ output: String, _ reason: String) {
        #expect(throws: OutputError(reason)) { try reading(output) }
    }

    // MARK: Scripts

    static let scripts: [(name: String, status: Int32, text: String, short: String?, color: String?)] = [
        ("load_average", 33, "2.33", "2.33", "#ff0000"), ("battery", 33, "4% DIS (00:12)", "4% DIS", "#ff0000"),
        ("disk", 0, "68G", "68G", nil), ("memory", 0, "22.4G", nil, nil),
    ]

    /// What the scripts of i3blocks 1.4 print.
    @Test(arguments: 0..<4) func scriptsOfI3BlocksAreRead(place: Int) throws {
        let (name, status, text, short, color) = Self.scripts[place]
        let read = try reading(try DialectReading.fixture("I3Blocks/\(name).txt"), status: status)
        #expect(read.content.text == text)
        #expect(read.content.short == short)
        #expect(read.content.color?.text == color)
        #expect(read.content.severity == (status == 33 ? .critical : .normal))
        #expect(read.lines.isEmpty)
    }
}
