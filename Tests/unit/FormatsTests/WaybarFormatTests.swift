// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Formats

@Suite struct WaybarFormatTests {
    private let reading = DialectReading(dialect: .waybar)

    @Test func anObjectHasFiveKeys() throws {
        let read = try reading(
            #"{"text": "62 %", "alt": "half", "tooltip": "a\rb\nc", "class": ["disk", "warning"], "percentage": 62.5}"#)
        var content = Content(text: "62 %")
        content.tooltip = "a\nb\nc"
        content.severity = .warning
        content.classes = ["disk", "warning"]
        content.variant = "half"
        content.percentage = 62.5
        content.metrics = [Metric("percentage", 62.5)].compactMap { $0 }
        #expect(read.content == content)
        #expect(read.lines.isEmpty)
    }

    static let blocks: [(json: String, short: String?, icon: String?, severity: Severity)] = [
        (#""short_text": "6", "state": "Warning", "icon": "\u26a1""#, "6", "⚡", .warning),
        (#""short_text": "<b>6</b>", "state": "Critical", "icon": "ping""#, "6", nil, .critical),
        (#""short_text": "", "state": "Idle", "icon": """#, nil, nil, .normal),
        (#""short_text": null, "state": "Good", "icon": "ping", "alt": "\u2600""#, nil, "☀", .good),
        (#""state": "Info", "class": "critical""#, nil, nil, .critical),
    ]

    @Test(arguments: 0..<5) func aBlockOfI3StatusRustIsRead(place: Int) throws {
        let (json, short, icon, severity) = Self.blocks[place]
        let read = try reading(#"{"text": "62 %", \#(json)}"#)
        #expect(read.content.short == short)
        #expect(read.content.icon == icon)
        #expect(read.content.severity == severity)
        #expect(read.lines.isEmpty)
    }

    static let words: [(json: String, classes: [String], variant: String?)] = [
        (#""class": "vpn", "alt": "on""#, ["vpn"], "on"),
        (#""class": ["a b", "", 1], "alt": 4"#, ["a b", "1"], "4"),
        (#""class": "a\u001b[31mb\nc", "alt": "x\ny""#, ["ab c"], "x y"),
        (#""class": null, "alt": """#, [], nil),
    ]

    @Test(arguments: 0..<4) func theWordsForStyleSheetsAreKept(place: Int) throws {
        let (json, classes, variant) = Self.words[place]
        let content = try reading(#"{"text": "a", \#(json)}"#).content
        #expect(content.classes == classes)
        #expect(content.variant == variant)
    }

    @Test func sixteenShortClassesAreKept() throws {
        let long = String(repeating: "x", count: 100)
        let names = Array(repeating: "\"\(long)\"", count: 17).joined(separator: ",")
        let read = try reading("{\"text\": \"a\", \"class\": [\(names)], \"alt\": \"\(long)\"}")
        #expect(read.content.classes.count == 16)
        #expect(read.content.classes.allSatisfy { $0.utf8.count <= 64 })
        #expect((read.content.variant?.utf8.count ?? 0) <= 64)
        #expect(read.lines == ["class: the first 16 count"])
    }

    @Test func threeLinesAreTextTooltipAndClass() throws {
        let read = try reading("62 %\nfirst\rsecond\ncritical\n")
        #expect(read.content.text == "62 %")
        #expect(read.content.tooltip == "first\nsecond")
        #expect(read.content.severity == .critical)
        #expect(read.content.classes == ["critical"])
        #expect(read.lines.isEmpty)
    }

    @Test func markupBecomesPlainTextAndItsFirstColour() throws {
        let read = try reading(
            ##"{"text": "<span color='#ff0000'>a</span> &lt; <span foreground=\"#00ff00\">b</span>", "tooltip": "<b>t</b>"}"##
        )
        #expect(read.content.text == "a < b")
        #expect(read.content.color?.text == "#ff0000")
        #expect(read.content.tooltip == "t")
    }

    static let texts: [(output: String, text: String, notes: [String])] = [
        (#"{"text": 42}"#, "42", []), (#"{"text": 4.5}"#, "4.5", []), (#"{"text": true}"#, "true", []),
        (#"{"text": null}"#, "", []),
        (#"{"text": ["a"]}"#, "", ["text: expected a string, found an array"]),
        (#"{"text": "a", "alt": {}}"#, "a", ["alt: expected a string, found an object"]),
        (#"{"text": "a", "tooltp": "b"}"#, "a", ["tooltp: unknown field, did you mean \"tooltip\"?"]),
        (#"{}"#, "", ["text is missing, so there is nothing to show"]),
        (#"{"text": "a"} {"text": "b"}"#, "a", ["line 1: the object ends here, and what follows is not read"]),
        ("{\"text\": \"a\"}\n{\"text\": \"b\"}\n", "a", ["line 1: the object ends here, and what follows is not read"]),
        ("{\n\"text\": \"a\"\n}\nrest", "a", ["line 3: the object ends here, and what follows is not read"]),
        ("{\n\"text\":\n\"a\",\n}\n", "a", []),
        ("\u{feff}\n {\"text\": \"a\"}", "a", []),
        ("42", "42", []), ("[x]", "[x]", []),
        ("[1, 2]", "[1, 2]", ["line 1 is an array and shown as text; an object would be {\"text\": \"62 %\"}"]),
        (#"{"text": "a\nb"}"#, "a b", []),
        ("a\n\n\n\n\nb\nc", "a", ["line 6 and what follows are not shown: a module has three lines"]),
        ("", "", []), ("\n", "", []), (#"{"text": " "}"#, "", []),
        (#"{"text": "<b>a"}"#, "a", ["text: <b> is not closed"]),
        (#"{"text": "a", "tooltip": "<span color='red>b</span>"}"#, "a", ["tooltip: a quote in <span> is not closed"]),
        ("<i>a\n<b>b</b>\n", "a", ["line 1: <i> is not closed"]), ("a\n</b>\n", "a", ["line 2: </b> closes no tag"]),
    ]

    @Test(arguments: 0..<25) func outputIsReadLeniently(place: Int) throws {
        let (output, text, notes) = Self.texts[place]
        let read = try reading(output)
        #expect(read.content.text == text)
        #expect(read.content.isEmpty == text.isEmpty)
        #expect(read.lines == notes)
    }

    @Test func allOfTheTableIsTried() { #expect(Self.texts.count == 25) }

    static let failures: [(output: String, reason: String)] = [
        (#"{"text": "a""#, "output is not JSON: line 1, column 13: expected ',' or '}', found the end"),
        ("{\n \"text\": oops}", "output is not JSON: line 2, column 10: expected a value, found 'oops'"),
        ("{x}", "output is not JSON: line 1, column 2: expected a key in double quotes, found 'x'"),
        (
            "{\"text\": " + String(repeating: "[", count: 200),
            "output is not JSON: line 1, column 137: nested more than 128 levels deep"
        ),
        (
            "{\"percentage\": " + String(repeating: "9", count: 1_000_000) + "}",
            "output is not JSON: line 1, column 16: number out of range"
        ),
    ]

    @Test(arguments: failures) func halfAnObjectSaysWhere(_ output: String, _ reason: String) {
        #expect(throws: OutputError(reason)) { try reading(output) }
    }

    static let percentages: [(json: String, percentage: Double?, metric: Double?, notes: [String])] = [
        ("62", 62, 62, []), ("62.4", 62.4, 62.4, []), ("\"62\"", 62, 62, []), ("\"62 %\"", 62, 62, []),
        ("130", 100, 130, ["percentage: 130 is not within 0 to 100"]),
        ("-1", 0, -1, ["percentage: -1 is not within 0 to 100"]),
        ("\"half\"", nil, nil, ["percentage: \"half\" is not a number"]),
        ("true", nil, nil, ["percentage: \"true\" is not a number"]),
        ("[1]", nil, nil, ["percentage: expected a string, found an array"]), ("null", nil, nil, []),
        ("\"\"", nil, nil, []),
    ]

    @Test(arguments: 0..<11) func aPercentageIsANumberOrItsText(place: Int) throws {
        let (json, percentage, metric, notes) = Self.percentages[place]
        let read = try reading("{\"text\": \"a\", \"percentage\": \(json)}")
        #expect(read.content.percentage == percentage)
        #expect(read.content.metrics.first?.value == metric)
        #expect(read.lines == notes)
    }

    static let classes: [(json: String, severity: Severity)] = [
        ("\"critical\"", .critical), ("\"error\"", .critical), ("\"Urgent\"", .critical), ("\"danger\"", .critical),
        ("\"alert\"", .critical), ("\"failed\"", .critical), ("\"warning\"", .warning), ("\"warn\"", .warning),
        ("\"low\"", .warning), ("\"good\"", .good), ("\"ok\"", .good), ("\"success\"", .good), ("\"connected\"", .good),
        ("\"up\"", .good), ("\"charging\"", .good), ("\"info\"", .info), ("\"normal\"", .normal), ("\"half\"", .normal),
        ("\"\"", .normal), ("null", .normal), ("[]", .normal), ("[\"ok\", \"battery-critical\"]", .critical),
        ("[\"info\", \"good\"]", .info), ("\"battery_low\"", .warning), ("\"disconnected\"", .normal),
        ("\"not-connected\"", .normal), ("\"update\"", .normal), ("[1, true, \"warn\"]", .warning),
    ]

    @Test(arguments: classes) func theClassSaysHowUrgentItIs(_ json: String, _ severity: Severity) throws {
        let read = try reading("{\"text\": \"a\", \"class\": \(json)}")
        #expect(read.content.severity == severity)
        #expect(read.lines.isEmpty)
    }

    @Test func aClassOfAnotherTypeIsANote() throws {
        #expect(
            try reading(#"{"text": "a", "class": {}}"#).lines
                == ["class: expected a string or an array of strings, found an object"])
        #expect(
            try reading(#"{"text": "a", "class": ["warning", []]}"#).lines
                == ["class: expected an array of strings, found an array in it"])
    }

    /// A name is for the bar's configuration, which has the icons.
    static let alternatives: [(alt: String, icon: String?)] = [
        ("🔋", "🔋"), ("☀️", "☀️"), ("🇨🇭", "🇨🇭"), ("\u{f240}", "\u{f240}"), ("▶", "▶"), ("playing", nil), ("é", nil),
        ("5", nil), ("🔋🔋", nil), ("", nil),
    ]

    @Test(arguments: alternatives) func anAlternativeIsAnIconIfItIsASymbol(_ alt: String, _ icon: String?) throws {
        let content = try reading("{\"text\": \"a\", \"alt\": \"\(alt)\"}").content
        #expect(content.icon == icon)
        #expect(content.text == "a")
        #expect(content.short == nil)
    }
}
