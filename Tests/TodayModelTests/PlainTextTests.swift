// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@Suite struct PlainTextTests {
    static let lines: [(text: String, line: String)] = [
        ("plain", "plain"),
        ("a\u{1b}[31mb\u{1b}[0m", "ab"),
        ("a\nb\tc", "a b c"),
        ("x\u{202e}y\u{9b}1mz", "xy1mz"),
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
        #expect(outcome.record.failure == "x")
        outcome.result = .failed(String(repeating: "y", count: 4_000_000))
        #expect(outcome.record.failure?.utf8.count == RunRecord.reasonBytes + 3)
        outcome.result = .failed("a\nb")
        #expect(outcome.record.failure == "a b")
    }
}
