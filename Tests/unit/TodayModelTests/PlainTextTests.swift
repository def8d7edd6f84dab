// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@Suite struct PlainTextTests {
    static let lines: [(text: String, line: String)] = [
        ("plain", "plain"),
        ("a\u{1b}[31mb\u{1b}[0m", "ab"),
        ("a\nb\tc", "a b c"),
        ("x\u{202e}y\u{9b}1mz", "xyz"),
        ("\u{7f8e}\u{7f8e}\u{7f8e}\u{7f8e}\u{7f8e}", "\u{7f8e}\u{7f8e}\u{7f8e}\u{7f8e}…"),
        ("", ""),
    ]

    @Test(arguments: lines) func whatTellsOfAFailureIsMadeHarmless(_ text: String, _ line: String) {
        #expect(PlainText.line(text, upTo: 12) == line)
    }

    @Test func aReasonIsHarmlessAndShortHoweverItIsSet() throws {
        let widget = try #require(WidgetID("a.b"))
        var outcome = RunOutcome(
            widget: widget, run: 1, reason: .request, started: WallTime(microseconds: 0), duration: .zero,
            result: .failed("\u{1b}[2Jx"))
        #expect(outcome.logEntry.failure == "x")
        outcome.result = .failed(String(repeating: "y", count: 4_000_000))
        #expect(outcome.logEntry.failure?.utf8.count == RunRecord.reasonBytes + 3)
        outcome.result = .failed("a\nb")
        #expect(outcome.logEntry.failure == "a b")
    }

    private static let flag = "\u{1f3f4}"
    private static func tags(_ count: Int) -> String { String(repeating: "\u{e0067}", count: count) }

    static let complaints: [(text: String, complaint: String?)] = [
        ("plain", nil), ("\u{200e}\u{200f}\u{61c}", nil), ("\u{a0}~", nil),
        ("\u{1b}", "contains a terminal escape sequence"),
        ("\u{0}", "contains the control character U+0000"), ("\u{1f}", "contains the control character U+001F"),
        ("\u{7f}", "contains the control character U+007F"), ("\u{9f}", "contains the control character U+009F"),
        ("\u{202a}", "contains the text direction override U+202A"),
        ("\u{202e}", "contains the text direction override U+202E"),
        ("\u{2066}", "contains the text direction override U+2066"),
        ("\u{2069}", "contains the text direction override U+2069"),
        ("\u{2027}\u{202f}\u{2065}\u{206a}\u{2010}", nil),
        ("\u{2028}", "contains the line separator U+2028"), ("\u{2029}", "contains the line separator U+2029"),
        ("\u{feff}", "contains the invisible character U+FEFF"),
        ("\u{fff9}", "contains the invisible character U+FFF9"),
        ("\u{fffb}", "contains the invisible character U+FFFB"),
        ("\u{fffd}\u{fff8}", nil),
        ("a\u{e0067}", "contains the invisible character U+E0067"),
        ("\u{e007f}", "contains the invisible character U+E007F"),
        ("\u{e0000}", "contains the invisible character U+E0000"),
        (flag + tags(6) + "\u{e007f}", nil), (flag + tags(8), "contains invisible characters"), (flag + tags(7), nil),
        (flag + tags(7) + "a" + flag + tags(7), nil),
        ("e" + String(repeating: "\u{301}", count: 30), nil),
        ("e" + String(repeating: "\u{301}", count: 31), "has more than 30 combining marks on one letter"),
    ]

    @Test(arguments: complaints) func whatCouldDisturbATerminalIsNamed(_ text: String, _ complaint: String?) {
        #expect(PlainText.complaint(about: text, allowingLines: true) == complaint)
        #expect(PlainText.complaint(about: text, allowingLines: false) == complaint)
    }

    @Test(arguments: ["a\nb", "a\tb"]) func linesAreFineWhereSeveralAre(_ text: String) {
        #expect(PlainText.complaint(about: text, allowingLines: true) == nil)
        #expect(PlainText.complaint(about: text, allowingLines: false) == "is more than one line")
    }

    static let sequences: [(text: String, rest: String)] = [
        ("a\u{1b}[1;31mb", "ab"), ("a\u{1b}[?25hb", "ab"), ("a\u{1b}[@b", "ab"), ("a\u{1b}[~b", "ab"),
        ("a\u{1b}]0;title\u{7}b", "ab"), ("a\u{1b}]8;;x\u{1b}\\b", "ab"), ("a\u{1b}]x\u{9c}b", "ab"),
        ("a\u{1b}Pq\u{1b}\\b", "ab"), ("a\u{1b}Xs\u{7}b", "ab"), ("a\u{1b}^s\u{7}b", "ab"), ("a\u{1b}_s\u{7}b", "ab"),
        ("a\u{1b}(Bb", "ab"), ("a\u{1b}cb", "ab"), ("a\u{1b}0b", "ab"), ("a\u{1b}~b", "ab"), ("a\u{1b}/ b~c", "a~c"),
        ("a\u{1b}]never ended\nb", "a\nb"), ("a\u{1b}[31\nb", "a\nb"), ("a\u{1b}\nb", "a\nb"), ("a\u{1b}", "a"),
        ("a\tb\u{8}c", "a\tbc"), ("a\u{1b}[1\tb", "a\tb"), ("x\u{1b}\u{1b}[1mz", "xz"), ("", ""),
        ("a\u{9b}31mb", "ab"), ("a\u{1b}[3\u{9b}1mb", "ab"), ("a\u{1b}]0;x\u{9b}1mb", "ab"),
        ("a\u{9d}0;x\u{9c}b", "ab"),
        ("a\u{90}x\u{1b}\\b", "ab"), ("a\u{98}x\nb", "a\nb"), ("a\u{85}\u{80}\u{9f}b\u{7}c", "ac"),
        ("a\u{1b} [b", "ab"),
    ]

    @Test(arguments: sequences) func sequencesAreDroppedAsAWhole(_ text: String, _ rest: String) {
        #expect(PlainText.harmless(text) == rest)
    }

    /// What a note quotes takes none of the words behind it.
    @Test(arguments: [
        ("\u{90}x\u{1b}]: unknown key", "\u{fffd}x\u{fffd}]: unknown key"), ("a\u{9b}1mb", "a\u{fffd}1mb"),
        ("a\nb\tc\r\nd", "a b c\u{fffd} d"), ("plain ü", "plain ü"), ("", ""), ("\u{202e}x", "\u{fffd}x"),
    ])
    func whatIsQuotedSwallowsNothing(text: String, line: String) {
        #expect(PlainText.quoting(text, upTo: 100) == line)
        #expect(PlainText.complaint(about: line, allowingLines: false) == nil)
        #expect(PlainText.quoting(String(repeating: "\u{7f}", count: 99), upTo: 12).utf8.count <= 15)
    }

    /// Also when what is dropped between them brings the marks together.
    @Test func marksBeyondTheLimitAreDropped() {
        let marks = String(repeating: "\u{301}", count: 20)
        let rest = "a" + String(repeating: "\u{301}", count: 30)
        #expect(PlainText.harmless("a\(marks)\(marks)b") == rest + "b")
        #expect(PlainText.line("a\(marks)\u{7}\(marks)") == rest)
    }
}

/// Manifests and content follow the same rule.
@Suite struct TextRuleTests {
    @Test(
        arguments: [
            (5, false, "five.", nil), (5, false, "sixth.", "is longer than 5 bytes"), (4, false, "für", nil),
            (3, false, "für", "is longer than 3 bytes"), (9, false, "a\nb", "is more than one line"),
            (9, true, "a\nb", nil), (9, true, "a\u{1b}[m", "contains a terminal escape sequence"), (0, false, "", nil),
        ] as [(Int, Bool, String, String?)])
    func aTextIsWithinItsRule(_ row: (mostBytes: Int, allowsLines: Bool, text: String, complaint: String?)) {
        let rule = TextRule(mostBytes: row.mostBytes, allowsLines: row.allowsLines)
        #expect(rule.complaint(about: row.text) == row.complaint)
    }
}
