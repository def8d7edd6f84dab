// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Formats

/// The small readers that the dialects share.
@Suite struct DialectPartsTests {
    static let numbers: [(text: String, value: Double?, rest: String)] = [
        ("5", 5, ""), ("-5", -5, ""), ("+5", 5, ""), ("5.25", 5.25, ""), ("5,25", 5.25, ""), (".5", 0.5, ""),
        ("5.", 5, "."),
        ("1e3", 1_000, ""), ("1E-3ms", 0.001, "ms"), ("1e+2", 100, ""), ("1e", 1, "e"), ("1exa", 1, "exa"),
        ("5MB", 5, "MB"),
        ("1,234,567", 1.234, ",567"), ("1.2.3", 1.2, ".3"), ("007", 7, ""), ("1e-999", 0, ""), ("0x10", 0, "x10"),
        ("", nil, ""), ("-", nil, ""), (".", nil, ""), ("e3", nil, ""), ("nan", nil, ""), ("inf", nil, ""),
        ("1e999", nil, ""), ("--5", nil, ""), ("٣", nil, ""), (" 5", nil, ""),
    ]

    @Test(arguments: numbers)
    func aNumberStandsBeforeTheRest(_ text: String, _ value: Double?, _ rest: String) {
        let number = LeadingNumber(text)
        #expect(number?.value == value)
        #expect(number?.rest ?? "" == rest)
    }

    @Test func aNumberOfAMillionDigitsIsNone() {
        #expect(LeadingNumber(String(repeating: "9", count: 1_000_000)) == nil)
        #expect(LeadingNumber("0." + String(repeating: "9", count: 1_000_000)) == nil)
    }

    static let thresholds: [(text: String, breached: [Double], kept: [Double])] = [
        ("10", [-1, 11], [0, 5, 10]), ("10:", [9, -1], [10, 1e9]), ("~:10", [11], [10, -1e9]),
        ("10:20", [9, 21], [10, 20]),
        ("@10:20", [10, 15, 20], [9, 21]), ("@5", [0, 5], [-1, 6]), (":10", [-1, 11], [0, 10]),
        ("-5:5", [-6, 6], [-5, 5]),
        ("0,5:1,5", [0.4, 1.6], [0.5, 1.5]), ("1e2:", [99], [100]), ("10%:20%", [9], [15]), ("~:", [], [-1e9, 1e9]),
    ]

    @Test(arguments: thresholds)
    func aThresholdIsBreachedOrNot(_ text: String, _ breached: [Double], _ kept: [Double]) throws {
        let threshold = try #require(Threshold(text))
        #expect(breached.allSatisfy(threshold.isBreached))
        #expect(!kept.contains(where: threshold.isBreached))
    }

    @Test(arguments: ["", "@", ":", "a", "20:10", "10:x", "x:10", "10:20:30", "~", "10..20", "1 0"])
    func whatIsNoRangeIsNoThreshold(text: String) { #expect(Threshold(text) == nil) }

    @Test func theEndOfAThresholdIsWhereItBegins() {
        #expect(Threshold("10")?.end == 10)
        #expect(Threshold("5:20")?.end == 20)
        #expect(Threshold("10:")?.end == nil)
        #expect(Threshold("@10:20")?.end == nil)
    }

    static let colors: [(text: String, color: String?)] = [
        ("#f80", "#ff8800"), ("#f80c", "#ff8800"), ("#FF8000", "#ff8000"), ("#ff800080", "#ff8000"),
        ("#ffff80800000", "#ff8000"), ("#ff80001", nil), ("#ff", nil), ("#", nil), ("", nil), ("ff8000", nil),
        ("#ggg", nil),
        ("#ff80000000000", nil), ("red", "#ff0000"), ("RebeccaPurple", "#663399"), ("lightgoldenrodyellow", "#fafad2"),
        ("redd", nil), ("#red", nil), ("dark red", nil), ("primary", nil),
    ]

    @Test(arguments: colors) func aColourHasHexadecimalDigitsOrAName(_ text: String, _ color: String?) {
        #expect(CSSColor.color(text)?.text == color)
    }

    static let commands: [(text: String, words: [String])] = [
        ("a", ["a"]), ("  a  b\tc ", ["a", "b", "c"]), ("a 'b c' \"d e\"", ["a", "b c", "d e"]), ("a''b\"c\"", ["abc"]),
        ("a ''", ["a", ""]), ("a \"\"", ["a", ""]), ("a\\ b \\'", ["a b", "'"]), ("a '\\'", ["a", "\\"]),
        ("a \"\\\"\\\\\\$\\`\\n\"", ["a", "\"\\$`\\n"]), ("a \"b\\\nc\" d\\\ne", ["a", "bc", "de"]),
        ("a $HOME | b > c * ~ # d", ["a", "$HOME", "|", "b", ">", "c", "*", "~", "#", "d"]),
        ("a 'b\nc'", ["a", "b\nc"]),
    ]

    @Test(arguments: commands) func aCommandIsSplitAsAShellDoes(_ text: String, _ words: [String]) {
        #expect(CommandWords.split(text) == .words(words))
    }

    @Test(arguments: [
        ("", "names no program"), ("  ", "names no program"), ("'' a", "names no program"),
        ("a 'b", "has a quote or a backslash that does not end"),
        ("a \"b", "has a quote or a backslash that does not end"),
        ("a \"b\\", "has a quote or a backslash that does not end"),
        ("a\\", "has a quote or a backslash that does not end"),
        (String(repeating: "a ", count: 65), "has more than 64 words"),
        ("a \u{1b}[31m", "contains a terminal escape sequence"),
        ("a " + String(repeating: "b", count: 16_385), "is longer than 16384 bytes"),
    ]) func aCommandThatCannotBeExecutedAsItIsIsRefused(text: String, reason: String) {
        #expect(CommandWords.split(text) == .refused(reason))
    }

    @Test func aBlockHasNoBlankLinesAroundIt() {
        #expect(LenientText.block("\n \na\r\n\r\n  b \rc\n\n") == "a\n\n  b\nc")
        #expect(LenientText.block(" \n\t") == nil)
        #expect(LenientText.block(["\u{1b}[1ma\u{1b}[0m", "b\tc"]) == "a\nb c")
        #expect(LenientText.block(["aaaa", "bbbb", "c"], upTo: 9) == "aaaa\nbbbb")
    }

    @Test func aSummaryIsOneLineWithinItsLimit() {
        #expect(LenientText.summary(" \u{1b}[1m a\nb \u{7}") == "a b")
        #expect(LenientText.summary(String(repeating: "x", count: 5_000)).utf8.count == ContentLimits.summaryBytes)
        #expect(LenientText.short(" \t ") == nil)
    }

    /// Long output of a monitoring plugin is prose or a table.
    @Test(arguments: [("a b", View.Text.Style.body), ("a  b", .monospace), ("  a", .monospace)])
    func aRowListAlignsColumns(line: String, style: View.Text.Style) {
        var rows = RowList()
        rows.add(line: "the other line")
        rows.add(.divider, bytes: 0)
        rows.add(line: line)
        let styles = rows.views().compactMap { if case .text(let text) = $0 { text.style } else { nil } }
        #expect(rows.views().count == 3 && styles == [style, style])
    }

    @Test func aRowListSaysWhatItLeavesOut() {
        var rows = RowList()
        for number in 0..<RowList.most { rows.add(line: "\(number)") }
        #expect(rows.views().count == RowList.most)
        rows.add(line: "a")
        #expect(rows.views().last?.leaves == ["… 1 more line"])
        rows.leaveOut(8)
        #expect(rows.views("value").last?.leaves == ["… 9 more values"])
        var large = RowList()
        for _ in 0..<100 { large.add(line: String(repeating: "x", count: 16_384)) }
        #expect(large.rows.count == 16)
    }
}
