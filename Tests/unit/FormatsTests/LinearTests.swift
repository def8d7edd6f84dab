// SPDX-License-Identifier: MIT
import Glibc
import Testing
import TodayModel

@testable import Formats

/// No reader is slower than linear: a megabyte takes a thousand times as long as a kilobyte, and half of that more for memory.
/// The time of the processor counts, which other programs do not take. The tables of hostile pieces are in the other suites.
@Suite struct LinearTests {
    struct Row: Sendable {
        let contentProtocol: ContentProtocol
        var start = ""
        let piece: String
        var end = ""

        func output(bytes: Int) -> [UInt8] {
            let count = (bytes - start.utf8.count - end.utf8.count) / piece.utf8.count
            return Array((start + String(repeating: piece, count: count) + end).utf8)
        }
    }

    private static let menu = "--Line :mushroom: 7 % | href=https://example.org/x color=red\n"
    private static let colors = "a \u{1b}[31mred\u{1b}[0m <b>b</b> &amp; | ansi=true useMarkup=true\n"

    static let rows: [Row] = [
        Row(contentProtocol: .text, piece: "a line of text\n"),
        Row(
            contentProtocol: .json, start: #"{"text":"a","compact":["#, piece: #"{"type":"text","text":"line"},"#,
            end: #""b"]}"#),
        Row(contentProtocol: .xbar, start: "bar\n---\na\n", piece: menu),
        Row(contentProtocol: .bitbar, start: "bar\n---\na\n", piece: menu),
        Row(contentProtocol: .swiftbar, start: "bar\n---\na\n", piece: menu),
        Row(contentProtocol: .argos, start: "bar\n---\na\n", piece: menu),
        Row(contentProtocol: .xbar, piece: colors), Row(contentProtocol: .argos, piece: colors),
        Row(contentProtocol: .i3blocks, piece: "a line <span color='#f00'>b</span>\n"),
        Row(contentProtocol: .i3blocks, piece: "{\"full_text\": \"62 %\", \"color\": \"#ff0000\"}\n"),
        Row(contentProtocol: .waybar, piece: "a line &lt;b&gt;\n"),
        Row(contentProtocol: .waybar, start: "{\"text\": \"", piece: "<b>a</b> \\n", end: "\"}"),
        Row(contentProtocol: .nagios, start: "OK\n", piece: "a line <b>b</b>\n"),
        Row(contentProtocol: .nagios, start: "OK |", piece: " 'a b'=1,5e3s;10;20;0;100"),
        Row(contentProtocol: .genmon, start: "<txt>", piece: "a <b>line</b>\n", end: "</txt>"),
        Row(contentProtocol: .polybar, piece: "%{F#f00 T2}a%{F-}"),
        Row(contentProtocol: .keyvalue, start: "text=a\n", piece: "metric.load=1,5\nline=b\n"),
    ]

    /// Whether the long input takes at most so many times as long as the short one. The machine may be slower for a moment;
    /// what is not linear fails at every attempt.
    private static func isLinear(times: Double, _ short: () -> Double, _ long: () -> Double) -> Bool {
        (0..<3).contains { _ in long() < max(short(), 0.000_01) * times }
    }

    @Test(arguments: 0..<rows.count) func timeGrowsAsTheOutputDoes(place: Int) {
        let row = Self.rows[place]
        let reading = DialectReading(dialect: row.contentProtocol)
        let (short, long) = (row.output(bytes: 1 << 10), row.output(bytes: 1 << 18))
        #expect(short.count > 900 && long.count > 250_000 && long.count <= 1 << 18)
        let isLinear = Self.isLinear(times: 384) {
            reading.seconds(short, times: 20)
        } _: {
            reading.seconds(long, times: 2)
        }
        #expect(isLinear, "\(row.contentProtocol)")
    }

    private static func seconds(_ count: Int, _ work: () -> Void) -> Double {
        let times = (0..<count).map { _ in
            let start = DialectReading.processorTime
            work()
            return DialectReading.processorTime - start
        }
        return times.min() ?? 0
    }

    static let texts = [
        "\u{1b}[31mred\u{1b}[0m ", "\u{9b}1;31mbold ", "\u{1b}]0;title\u{7}text", "a<span color='#f00'>b</span>&lt;",
        "**bold** _it_ `code` ", "{\"a\": [1, 2,], \"b\": \"c\td\"},", "e\u{301}\u{301} ", "\u{1b}", "<", "&",
    ]

    /// The parts that several formats have. 64 times the text.
    @Test(arguments: texts) func aTextIsReadInLinearTime(piece: String) {
        let short = String(repeating: piece, count: (1 << 10) / piece.utf8.count)
        let long = String(repeating: piece, count: (1 << 16) / piece.utf8.count)
        let readers: [(String) -> Void] = [
            { _ = ANSIText.runs(of: $0) }, { _ = PangoText($0) }, { _ = PangoText($0, .html) },
            { _ = PlainText.harmless($0) }, { _ = MenuMarkdown.withoutMarks($0) },
            { _ = Emoji.replacingNames(in: $0) }, { _ = try? LenientJSON.parse(Array($0.utf8)[...]) },
        ]
        for (number, read) in readers.enumerated() {
            let isLinear = Self.isLinear(times: 128) {
                Self.seconds(10) { read(short) }
            } _: {
                Self.seconds(2) { read(long) }
            }
            #expect(isLinear, "reader \(number)")
        }
    }

    /// In pieces as a pipe has them, a megabyte.
    @Test(arguments: [ContentProtocol.text, .waybar, .xbar, .keyvalue])
    func aStreamIsCutInLinearTime(contentProtocol: ContentProtocol) {
        let plan = UpdatePlan(command: ["/bin/true"], contentProtocol: contentProtocol)
        func feed(_ bytes: Int, _ line: String) {
            let stream = Array(String(repeating: line, count: bytes / line.utf8.count).utf8)
            var framing = UpdateFraming(plan, limit: 8 << 20)
            for start in stride(from: 0, to: stream.count, by: 64) {
                _ = try? framing.append(stream[start..<min(start + 64, stream.count)])
            }
            _ = framing.end()
        }
        for line in ["text=a line\n", "no end of a line "] {
            let isLinear = Self.isLinear(times: 1_500) {
                Self.seconds(10) { feed(1 << 10, line) }
            } _: {
                Self.seconds(1) { feed(1 << 20, line) }
            }
            #expect(isLinear, "\(line)")
        }
    }
}
