// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Formats

@Suite struct JSONFormatTests {
    private func content(_ text: String) throws -> Content {
        try ContentProtocol.json.content(from: ProgramOutput(Array(text.utf8))).content
    }

    @Test func anObjectIsTheContent() throws {
        let content = try content(
            #"""
            {"text": "62 %", "severity": "warning", "percentage": 62, "nextUpdate": "90s",
             "compact": ["used", {"type": "progress", "value": 0.62}]}

            """#)
        #expect(content.text == "62 %")
        #expect(content.severity == .warning)
        #expect(content.nextUpdate == .seconds(90))
        #expect(
            content.compact
                == .stack(View.Stack(.vertical, [.text(View.Text("used")), .progress(View.Progress(value: 0.62))])))
    }

    @Test func aTimelineIsContentToo() throws {
        let content = try content(
            #"""
            {"text": "now", "timeline": [{"date": "2026-11-30T08:00:00+01:00", "content": {"text": "later"}}],
             "policy": "never"}
            """#)
        let entry = Timeline.Entry(
            date: WallTime(microseconds: 1_796_022_000_000_000), content: Content(text: "later"))
        #expect(content.timeline == Timeline([entry], policy: .never))
    }

    /// A program that passes on the answer of another one says how old that is. The age is no part of the content.
    @Test(
        arguments: [
            (#""90s""#, 90_000_000), ("0", 0), ("1500000", 1_500_000), (#""3660d""#, 316_224_000_000_000),
            (#""3661d""#, nil),
            ("-1", nil), ("true", nil), (#""x""#, nil),
        ] as [(String, Int64?)])
    func anAnswerMayHaveAnAge(age: String, microseconds: Int64?) throws {
        let output = ProgramOutput(Array(#"{"text": "a", "age": \#(age), "via": ["m"]}"#.utf8))
        let read = try? ContentProtocol.json.content(from: output)
        #expect(read?.age.microseconds == microseconds)
        #expect(read.map { $0.content.text == "a" && $0.content.via == ["m"] } ?? (microseconds == nil))
        #expect(try ContentProtocol.json.content(from: ProgramOutput(Array(#"{"text": "a"}"#.utf8))).age == .zero)
    }

    @Test func aByteOrderMarkIsNoError() throws {
        #expect(try content("\u{feff}{\"text\":\"a\"}") == Content(text: "a"))
    }

    @Test(arguments: [
        ("", "printed nothing"),
        (" \r\n\t", "printed nothing"),
        (#"{"text": "a",}"#, "output is not JSON: line 1, column 14: "),
        ("{\"text\": \"a\"}\n{\"text\": \"b\"}\n", "output is not JSON: line 2, column 1: "),
        ("[1]", "output is not content: expected an object, found an array"),
        ("{}", "text: is missing"),
        (#"{"text": "a", "severty": "good"}"#, "severty: unknown field, did you mean \"severity\"?"),
        (#"{"text": "a\u001b[1m"}"#, "text: contains a terminal escape sequence"),
        (
            #"{"text": "a", "compact": {"type": "vstack", "children": ["x", {"type": "progress", "value": "1"}]}}"#,
            "compact.children[1].value: expected a number, found a string"
        ),
    ])
    func whatIsWrongHasAPlace(output: String, reason: String) throws {
        var error: OutputError?
        do { _ = try content(output) } catch let thrown as OutputError { error = thrown }
        #expect(try #require(error).description.hasPrefix(reason), "\(String(describing: error))")
    }

    private static let severities = #""severity" (normal, good, info, warning, critical)"#

    static let foreign: [(output: String, reason: String)] = [
        (
            #"{"text": "a", "alt": "b", "tooltip": "c", "class": "d", "percentage": 5}"#,
            #"alt: unknown field; write "icon" (one symbol), "short" (a few characters) or "variant"; for class write "#
                + severities
        ),
        (#"{"text": "a", "class": ["d", "e"]}"#, "class: unknown field; write \(severities)"),
        (
            #"{"full_text": "a", "urgent": true}"#,
            #"full_text: unknown field; write "text"; for urgent write "severity": "critical""#
        ),
        (#"{"text": "a", "severty": "good", "class": "d"}"#, #"severty: unknown field, did you mean "severity"?"#),
    ]

    @Test(arguments: 0..<4) func whatOthersCallOtherwiseHasItsNameHere(place: Int) {
        let (output, reason) = Self.foreign[place]
        #expect(throws: OutputError(reason)) { try content(output) }
    }

    @Test(
        arguments: [
            (OutputError.empty, "printed nothing: no such host"),
            (
                .nothingKnown,
                "it answers noData, but todayd has no content of it: the first answer has to be content: no such host"
            ),
            (OutputError("failed, and did not say why"), "failed, and did not say why: no such host"),
            (OutputError("rate limited"), "rate limited"),
        ])
    func aSilentFailureIsExplainedByTheLastComplaint(error: OutputError, words: String) {
        #expect(error.description(afterErrorLine: "no such host") == words)
        #expect(error.description(afterErrorLine: nil) == error.description)
    }

    @Test(arguments: [ContentProtocol.push, .varlink])
    func dialectsWithoutAReaderSayTheirName(dialect: ContentProtocol) {
        #expect(throws: OutputError("Protocol=\(dialect.rawValue) has no output that could be read")) {
            try dialect.content(from: ProgramOutput(Array("x".utf8)))
        }
    }
}
