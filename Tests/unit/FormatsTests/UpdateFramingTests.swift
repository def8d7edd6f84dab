// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Formats

@Suite struct UpdateFramingTests {
    private static func framing(_ contentProtocol: ContentProtocol, isTrailing: Bool = false, limit: Int = 100)
        -> UpdateFraming
    {
        var plan = UpdatePlan(command: ["/bin/true"], contentProtocol: contentProtocol)
        plan.hasTrailingSeparator = isTrailing
        return UpdateFraming(plan, limit: limit)
    }

    /// What the program prints in one read each, the newest update after each read, and what is left at its end.
    struct Row: Sendable {
        var contentProtocol = ContentProtocol.text
        var isTrailing = false
        let prints: [String]
        let updates: [String?]
        var end: String?
    }

    static let rows: [Row] = [
        Row(prints: ["a\n"], updates: ["a"]),
        Row(prints: ["a\nb\n", "c\n"], updates: ["b", "c"]),
        Row(prints: ["a", "b\nc"], updates: [nil, "ab"], end: "c"),
        Row(prints: ["a\n", "half"], updates: ["a", nil], end: "half"),
        Row(prints: ["a\r\n"], updates: ["a\r"]),
        Row(prints: ["\n", "  \n", "a\n\n"], updates: [nil, nil, "a"]),
        Row(contentProtocol: .json, prints: ["{}\n\n"], updates: ["{}"]),
        Row(contentProtocol: .nagios, prints: ["OK\n", "\n"], updates: ["OK", nil]),
        Row(contentProtocol: .genmon, prints: ["<txt>a</txt>\n"], updates: ["<txt>a</txt>"]),
        // A blank line of these hides the block.
        Row(contentProtocol: .waybar, prints: ["a\n", "\n"], updates: ["a", ""]),
        Row(contentProtocol: .i3blocks, prints: ["a\n\n"], updates: [""]),
        Row(contentProtocol: .polybar, prints: ["a\n\n"], updates: [""]),
        // A program for i3bar prints its header before it has anything to say, and may end the array.
        Row(
            contentProtocol: .i3blocks,
            prints: ["{\"version\": 1}\n", " [ \n", "[],\n", "[{\"full_text\": \"a\"}]\n]\n"],
            updates: [nil, nil, "[],", "[{\"full_text\": \"a\"}]"]),
        Row(
            contentProtocol: .i3blocks, prints: ["{\"full_text\": \"a\", \"version\": 1}\n", "[[\n"],
            updates: ["{\"full_text\": \"a\", \"version\": 1}", "[["]),
        Row(contentProtocol: .waybar, prints: ["[\n"], updates: ["["]),
        Row(
            contentProtocol: .xbar, prints: ["a\n---\nb\n~~~\n", "c\n", "~~~\nd\n"],
            updates: ["a\n---\nb\n", nil, "c\n"], end: "d\n"),
        Row(contentProtocol: .swiftbar, prints: ["~~~\na\n", "b\n~~~\nc\n"], updates: [nil, "a\nb\n"], end: "c\n"),
        Row(contentProtocol: .argos, prints: ["~~~\n~~~\n\n~~~\na"], updates: [nil], end: "a"),
        Row(contentProtocol: .bitbar, prints: ["a\n~~~ \r\n"], updates: ["a\n"]),
        Row(contentProtocol: .xbar, prints: ["a ~~~\n~~~b\n~", "~~\n"], updates: [nil, "a ~~~\n~~~b\n"]),
        Row(
            contentProtocol: .swiftbar, isTrailing: true, prints: ["a\n", "b\n~~~\nc\n~~~\nd\n"],
            updates: [nil, "c\n"], end: "d\n"),
        Row(
            contentProtocol: .keyvalue, prints: ["text=a\nicon=b\n", "\n\ntext=c\n\n", "\n"],
            updates: [nil, "text=c\n", nil]),
        Row(contentProtocol: .keyvalue, prints: ["text=a"], updates: [nil], end: "text=a"),
    ]

    @Test(arguments: 0..<rows.count) func anUpdateIsCompleteWhereItsProtocolSaysSo(place: Int) throws {
        let row = Self.rows[place]
        var framing = Self.framing(row.contentProtocol, isTrailing: row.isTrailing)
        for (print, expected) in zip(row.prints, row.updates) {
            let update = try framing.append(Array(print.utf8)[...])
            #expect(update.map { String(decoding: $0, as: UTF8.self) } == expected, "\(print)")
        }
        let (end, again) = (framing.end(), framing.end())
        #expect(end.map { String(decoding: $0, as: UTF8.self) } == row.end)
        #expect(again == nil)
    }

    /// The result depends on the bytes, not on how the pipe has cut them.
    @Test(arguments: 0..<rows.count) func readsMayCutAnywhere(place: Int) throws {
        let row = Self.rows[place]
        var framing = Self.framing(row.contentProtocol, isTrailing: row.isTrailing)
        var last: [UInt8]?
        for byte in row.prints.joined().utf8 {
            if let update = try framing.append([byte]) { last = update }
        }
        let expected = row.updates.last { $0 != nil } ?? nil
        #expect(last.map { String(decoding: $0, as: UTF8.self) } == expected)
        let end = framing.end()
        #expect(end.map { String(decoding: $0, as: UTF8.self) } == row.end)
    }

    static let silences: [(contentProtocol: ContentProtocol, isTrailing: Bool, print: String, update: String?)] = [
        (.xbar, false, "~~~\na\n---\nb\n", "a\n---\nb\n"), (.xbar, false, "a\nb", "a\nb"), (.xbar, false, "~~~\n", nil),
        (.xbar, false, "~~~\n\n \n", nil), (.swiftbar, true, "a\n", nil), (.text, false, "half", nil),
        (.keyvalue, false, "text=a\n", nil),
    ]

    @Test(arguments: 0..<silences.count) func silenceEndsAMenuWithoutTrailingSeparator(place: Int) throws {
        let (contentProtocol, isTrailing, print, expected) = Self.silences[place]
        var framing = Self.framing(contentProtocol, isTrailing: isTrailing)
        _ = try framing.append(Array(print.utf8)[...])
        #expect(framing.awaitsSilence == (expected != nil))
        let update = framing.silence()
        #expect(update.map { String(decoding: $0, as: UTF8.self) } == expected)
        if expected != nil {
            // What follows is another update.
            _ = try framing.append(Array("z\n".utf8)[...])
            let next = framing.silence()
            #expect(next == Array("z\n".utf8))
        }
    }

    static let hints: [(contentProtocol: ContentProtocol, isTrailing: Bool, print: String, hint: String)] = [
        (.text, false, "", "it has printed no line: "), (.json, false, " \n\n ", "it has printed no line: "),
        (.text, false, "half", "no whole line"), (.keyvalue, false, "text=a\n", "no blank line"),
        (.keyvalue, false, "", "it has printed no line: "), (.xbar, true, "a\n", "no line ~~~"),
    ]

    @Test(arguments: hints.indices) func aProgramThatGivesNoUpdateGetsAHint(place: Int) throws {
        let (contentProtocol, isTrailing, print, hint) = Self.hints[place]
        var framing = Self.framing(contentProtocol, isTrailing: isTrailing)
        _ = try framing.append(Array(print.utf8)[...])
        let found = framing.hint
        #expect(found.contains(hint), "\(found)")
    }

    static let pieces: [(contentProtocol: ContentProtocol, line: String, isPiece: Bool)] = [
        (.json, "{", true), (.json, "  \"text\": \"a\",", true), (.json, "}", true), (.json, "{\"text\": \"a\",", true),
        (.json, "],", true), (.waybar, "}", true), (.waybar, " \"text\": \"a\"", true), (.i3blocks, "{", true),
        (.json, "{\"text\": \"}\"}", false), (.waybar, "62 %", false), (.waybar, "", false), (.waybar, "{} [x]", false),
        (.waybar, "\"Song\" by Ada", false), (.waybar, "[x", false), (.text, "{", false), (.keyvalue, "}", false),
        (.json, "{}", false), (.json, "oops", false),
    ]

    @Test(arguments: pieces.indices) func aPieceOfAnObjectIsHintedAt(place: Int) {
        let (contentProtocol, line, isPiece) = Self.pieces[place]
        let hint = UpdateFraming.hint(on: Array(line.utf8), of: contentProtocol)
        #expect((hint != nil) == isPiece, "\(line)")
    }

    static let limits: [(contentProtocol: ContentProtocol, prints: [String], isTooLong: Bool)] = [
        (.text, ["123456\n", "123456\n", "123456\n"], false), (.text, ["12345678\n"], false),
        (.text, ["123456789\n"], true), (.text, ["1234", "5678", "9"], true), (.text, ["1\n123456789"], true),
        (.xbar, ["123\n456\n7"], true), (.xbar, ["1\n2\n~~~\n1\n2\n3\n"], false),
        (.keyvalue, ["123\n456\n789\n\n"], true),
    ]

    @Test(arguments: 0..<limits.count) func theLimitIsForOneUpdate(place: Int) {
        let (contentProtocol, prints, isTooLong) = Self.limits[place]
        var framing = Self.framing(contentProtocol, limit: 8)
        var failed = false
        for print in prints {
            do throws(UpdateFraming.TooLong) {
                _ = try framing.append(Array(print.utf8)[...])
            } catch {
                failed = true
            }
        }
        #expect(failed == isTooLong)
    }
}
