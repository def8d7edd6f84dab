// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Formats

/// Output that no program should print, for each dialect that begins with lines or objects.
@Suite struct HostileDialectTests {
    private static let dialects: [ContentProtocol] = [.i3blocks, .waybar, .nagios, .genmon, .polybar, .keyvalue]

    private static let pieces: [[UInt8]] =
        [
            "{", "}", "[", "]", "\"", "'", ":", ",", "|", "=", ";", "<", ">", "&", "#", "%", "@", "~", "\\", " ", "\t",
            "\n",
            "\r", "text", "full_text", "percentage", "{\"text\":\"", "{\"full_text\": \"a\", ", "\"class\":", "<txt>",
            "</txt>",
            "<bar>", "<click>", "<span color='#f00'>", "</span>", "&lt;", "&#27;", "&#xe0067;", "&#1114112;",
            "metric.a=",
            "progress.=", "link.x=http:", "'a b'=", "U", "1", "-", "1e9", "1e999", "0,5", "10:20", "@5:8", "\u{1b}[31m",
            "\u{202e}", "\u{301}", "e\u{301}\u{301}", "\u{1f3f4}", "\u{e0067}", "\u{feff}", "line=", "true", "null",
            "%{", "F#f00", "A1:",
        ].map { Array($0.utf8) } + [[0x00], [0xff], [0xc3], [0xe2, 0x82], [0x07], [0x7f], [0xc2, 0x9b]]

    /// Fails by a trap, by content that other parts refuse, and by a failure without words.
    @Test(arguments: dialects) func randomOutputIsReadOrRefused(dialect: ContentProtocol) throws {
        var state: UInt64 = 0x5eed
        func random(below bound: Int) -> Int {
            // An xorshift generator: the same numbers in each run.
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(bound))
        }
        let reading = DialectReading(dialect: dialect)
        var contents = 0
        for _ in 0..<1_000 {
            // Without a text, few outputs of keys and values would be content.
            var output = Array((dialect == .keyvalue ? "text=x\n" : "").utf8)
            for _ in 0..<random(below: 24) { output += Self.pieces[random(below: Self.pieces.count)] }
            do {
                _ = try reading(output, status: Int32(random(below: 4)))
                contents += 1
            } catch let error as OutputError {
                #expect(!error.description.isEmpty)
            }
        }
        #expect(contents > 300)
    }

    @Test(arguments: dialects) func everyPieceAloneIsReadOrRefused(dialect: ContentProtocol) throws {
        let reading = DialectReading(dialect: dialect)
        for piece in Self.pieces {
            for length in [1, 30, 31, 300] {
                let output = Array([[UInt8]](repeating: piece, count: length).joined())
                do { _ = try reading(output) } catch is OutputError {}
                do { _ = try reading(Array("text=x|".utf8) + output) } catch is OutputError {}
            }
        }
    }

    private static let long = [
        "x", "\n", "{", "{\"text\":\"a\"}\n", "{\"full_text\":1}\n", "[", "<", "<b ", "<txt>", "<txt></txt>", "&",
        "&amp;",
        "a|", "|a=1 ", "'a'=1;2;3;4;5 ", "'", "''", "a\n|b=1\n", "line=a\n", "metric.a=1\n", "foo=1\n", "a\u{301}",
        "\u{301}", "\"", "\\", "text=a\n", "[{},", "{\"a\":", "<span color='", "a=b ", "a b ", "\r", "page=1\n", "%{",
        "%{A:", "%{A:a:}", "%{F#fff}",
        "|\n", "1", "<click>a b", "tooltip=\n",
    ]

    /// An output that repeats a piece.
    private static func output(_ start: String, _ piece: String, bytes: Int) -> [UInt8] {
        let count = max(0, bytes - start.utf8.count) / piece.utf8.count
        return Array((start + String(repeating: piece, count: count)).utf8)
    }

    /// 32 times the output takes 32 times as long, and some more for memory; quadratic reading 1,024 times.
    @Test(arguments: dialects) func readingIsLinear(dialect: ContentProtocol) {
        let reading = DialectReading(dialect: dialect)
        let start = dialect == .keyvalue ? "text=x\n" : ""
        for piece in Self.long {
            let short = max(reading.seconds(Self.output(start, piece, bytes: 1 << 9)), 0.000_02)
            let long = reading.seconds(Self.output(start, piece, bytes: 1 << 14), times: 1)
            #expect(long < short * 320, "\(piece.debugDescription): \(short) s, \(long) s")
        }
    }

    /// What a program prints most: its pieces, and how they begin.
    private static let large: [(dialect: ContentProtocol, start: String, piece: String)] = [
        (.i3blocks, "", "{\"full_text\":1}\n"), (.waybar, "x\n", "&lt;"), (.polybar, "x", "%{F#fff A1:a b:}%{"),
        (.nagios, "x\n|", "'a'=1;2;3;4;5 "),
        (.genmon, "<txt>", "\"\n"), (.keyvalue, "text=x\n", "line=a\n"),
    ]

    /// A megabyte takes at most some more than a thousand times the time of a kilobyte, and what remains of it is bounded.
    @Test(arguments: 0..<6) func aMegabyteIsReadInTimeAndBounded(place: Int) throws {
        let (dialect, start, piece) = Self.large[place]
        let reading = DialectReading(dialect: dialect)
        let short = max(reading.seconds(Self.output(start, piece, bytes: 1 << 10)), 0.000_02)
        let output = Self.output(start, piece, bytes: 1 << 20)
        var content: Content?
        let long = reading.seconds(output, times: 1) { content = $0 }
        #expect(long < short * 10_000, "\(short) s, \(long) s")
        try DialectReading.expectRoundTrip(try #require(content))
    }

    @Test func allOfTheTableIsTried() { #expect(Self.large.count == 6) }

    /// Each byte that is not text becomes one of three bytes.
    @Test(arguments: dialects.dropLast()) func bytesThatAreNoTextAreBounded(dialect: ContentProtocol) throws {
        let bytes = Array("x\n".utf8) + [UInt8](repeating: 0xff, count: 1 << 17)
        let read = try DialectReading(dialect: dialect)(bytes)
        #expect(read.content.text == "x")
        #expect(read.content.json.text.utf8.count <= RowList.mostBytes + 8 * ContentLimits.textBytes)
    }
}
