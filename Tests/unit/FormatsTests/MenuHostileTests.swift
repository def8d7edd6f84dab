// SPDX-License-Identifier: MIT
import Glibc
import Testing
import TodayModel

@testable import Formats

/// Output that is too long, too deep or broken. `read` checks each content against the limits.
@Suite struct MenuHostileTests {
    private typealias Dialect = MenuFormat.Dialect

    @Test(arguments: Dialect.all) func aLongMenuSaysHowMuchIsLeftOut(dialect: MenuFormat.Dialect) throws {
        let menu = (1...10_000).map { "item \($0) | color=red bash=/bin/x param1=\($0) terminal=false\n" }.joined()
        let views = try dialect.menu(menu)
        #expect(views.count == 1_191)
        #expect(views.last?.outline == "\"… 8810 more lines\"")
        let many = String(repeating: "a\n", count: 30_000)
        #expect(try dialect.menu(many).last?.outline == "\"… 28810 more lines\"")
    }

    @Test(arguments: Dialect.all) func aLongBarSaysHowMuchIsLeftOut(dialect: MenuFormat.Dialect) throws {
        let bar = (1...10_000).map { "line \($0)\n" }.joined()
        let content = try dialect.read(bar + "---\nmenu").content
        #expect(content.pages.count == 64 && content.pages.last?.text == "line 65")
        #expect(content.compact?.children.count == 66)
        #expect(content.compact?.children.last?.outline == "\"… 9935 more lines\"")
        #expect(content.expanded?.children.last?.outline == "menu")
        let endless = try dialect.read(String(repeating: "a\n", count: 30_000)).content
        #expect(endless.compact?.children.last?.outline == "\"… 29935 more lines\"")
    }

    @Test(arguments: Dialect.all) func deepMenusHaveADeepestLevel(dialect: MenuFormat.Dialect) throws {
        let menu = (0..<1_000).map { String(repeating: "--", count: $0) + "a\($0)" }
        let views = try dialect.menu(menu.joined(separator: "\n"))
        var depth = 0
        var level = views
        while let next = level.first?.children, !next.isEmpty {
            level = next
            depth += 1
        }
        #expect(depth == 29 && level.count == 971 && level.last?.outline == "a999")
        let notes = try dialect.notes(menu.joined(separator: "\n"))
        #expect(notes.first == "line 33: the menu is deeper than 30 levels")
        // A text with colours has views below it.
        let colors = (0..<100).map { String(repeating: "--", count: $0) + "\u{1b}[31ma\u{1b}[32mb" }
        #expect(try dialect.menu(colors.joined(separator: "\n")).count == 1)
    }

    @Test func theWholeContentHasALimit() throws {
        let dialect = Dialect.xbar
        let long = String(repeating: "\"", count: 16_000)
        let line = "\(long) | badge=x tooltip='\(long)'\n"
        let content = try dialect.read(String(repeating: line, count: 60)).content
        #expect(content.compact != nil)
        let menu = try dialect.menu(String(repeating: line, count: 60))
        #expect(menu.last?.outline.hasPrefix("\"… 5") == true)
        let words = (1...60).map { "param\($0)=x" }.joined(separator: " ")
        let commands = try dialect.menu(String(repeating: "a | bash=/bin/x \(words)\n", count: 2_000))
        #expect(commands.count > 900)
        let colors = "\u{1b}[31ma \u{1b}[32mb \u{1b}[33mc\u{1b}[0m | ansi=true\n"
        #expect(try dialect.menu(String(repeating: colors, count: 2_000)).count == 298)
        let bar = try dialect.read(
            String(repeating: colors, count: 2_000) + "---\n" + String(repeating: "a\n", count: 2_000))
        #expect(bar.content.pages.count == 64)
    }

    @Test(arguments: Dialect.all) func aLongImageIsNeitherKeptNorSlow(dialect: MenuFormat.Dialect) throws {
        let image = String(repeating: "iVBORw0KGgoAAAANSUhEUgAAACAAAAAg", count: 5 << 15)
        let started = clock()
        let read = try dialect.read("| image=\(image)\n---\na | templateImage='iVBORw0KGgo=' color=red\n")
        #expect(clock() - started < 10 * CLOCKS_PER_SEC)
        #expect(read.lines == ["line 1: image= is longer than 262144 bytes"] && read.content.text == "●")
        #expect(read.content.json.text.utf8.count < 300)
    }

    @Test(arguments: Dialect.all) func brokenBytesAreRepaired(dialect: MenuFormat.Dialect) throws {
        let bytes: [UInt8] =
            [0x61, 0x00, 0x62, 0xff, 0x0a] + Array("---\n".utf8) + [0xe2, 0x82, 0x7c, 0x20, 0x63, 0xfe]
        let read = try dialect.read(bytes)
        #expect(read.content.text == "ab\u{fffd}")
        #expect(read.content.expanded?.outline == "[\"ab\u{fffd}\",-,\u{fffd}]")
        #expect(
            read.lines == [
                "line 1 has bytes that are not text", "line 3 has bytes that are not text",
                "line 3: \"c\u{fffd}\" is not a parameter such as color=red",
            ])
    }

    static let broken = [
        "a |", "a | |", "a | =", "a | color", "a | color=", "a | color= | size=", "a | param1", "a | =red", "a ||",
        "a | 'x", "a | \"", "a | color='", "a | color=\"red", "a | color='red | size=\"12", "a | b=\\", "a | 'b=c",
        "|", "||", "| | |", "|=", "a\r", "a\r\n\r\n---\r\n\r\nb", "---\n---\n---", "--", "----", "-", "\t|\t",
        "a | \u{0}=\u{0}", "a\u{202e}b | \u{202e}=c", "a | tooltip=\u{202e}x badge=\u{1b}[31m iconName=\u{feff}",
        "a | length=1 trim=false", "\u{1b}[31", "\u{1b}]0;a", "a\\", "\\", "\\u", "\\xff", "&", "&#", "<", "<a", "</",
        ":", "::", ":a", "**", "*", "~~", "``| md=true", "a | href=javascript:alert(1)", "\u{2028}", "\u{85}",
    ]

    @Test(arguments: broken) func brokenLinesAreContent(line: String) throws {
        for dialect in Dialect.all {
            for text in [line, line + "\n", "bar\n---\n" + line, "bar\n---\na\n--" + line + "\r\n--b\n"] {
                _ = try dialect.read(text)
            }
        }
    }

    /// A letter with too many marks would make every comparison of the text slow.
    @Test(arguments: Dialect.all) func marksHaveALimit(dialect: MenuFormat.Dialect) throws {
        let marks = String(repeating: "\u{301}", count: 20)
        let content = try dialect.read(
            "a\(marks)\u{1b}[31m\(marks)\n---\na\(marks)\(marks) | tooltip=a\(marks)\(marks)")
        #expect(content.content.text.unicodeScalars.count == 31)
    }

    @Test func notesHaveALimit() throws {
        let menu = (1...100).map { "a | key\($0)=x\n" }.joined()
        #expect(try Dialect.xbar.notes(menu).count == 17)
        #expect(try Dialect.xbar.notes(menu).last == "and 84 more")
        let long = String(repeating: "y", count: 5_000)
        #expect(try Dialect.xbar.notes("a | \(long)=\(long)\na | color=\(long)").allSatisfy { $0.utf8.count <= 203 })
    }

    // MARK: Random input

    /// SplitMix64: the same numbers in each run.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = state
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }
    }

    private static let pieces = [
        "\n", "\n", "\r\n", "---", "--", "-", "----", "|", "|", " ", " ", "=", "'", "\"", "\\", "\\n", "\\u00e9", "a",
        "é",
        "\u{301}", "שלום", "🍄", ":mushroom:", ":sun.max:", ":x.y:", ":", "\u{1b}[31m", "\u{1b}[1;38;5;200m", "\u{1b}[",
        "\u{1b}]", "\u{7}", "\u{0}", "\u{202e}", "\u{2028}", "<b>", "</b>", "&amp;", "&#12;", "**", "`", "~~", "~~~\n",
        "color=red", "color=#1", "href=https://x", "bash=/bin/x", "shell='a b'", "param1=x", "param2=", "refresh=true",
        "dropdown=false", "length=3", "length=0", "trim=false", "alternate=true", "image=AAAA", "sfimage=bolt",
        "iconName=x", "md=true", "ansi=true", "emojize=false", "useMarkup=false", "unescape=false", "tooltip=\"x y\"",
        "badge=1", "checked=true", "disabled=1", "nope=1", "terminal=x",
    ]

    @Test(arguments: Dialect.all) func randomInputIsContent(dialect: MenuFormat.Dialect) throws {
        var generator = Generator(state: 42)
        for round in 0..<2_000 {
            let count = Int.random(in: 0...40, using: &generator)
            var bytes: [UInt8] = []
            for _ in 0..<count {
                if round.isMultiple(of: 4) {
                    bytes.append(UInt8.random(in: 0...255, using: &generator))
                } else {
                    bytes += Array((Self.pieces.randomElement(using: &generator) ?? "").utf8)
                }
            }
            _ = try dialect.read(bytes)
        }
    }

    // MARK: Time

    static let repeated = [
        ("", "a\n"), ("", "a | color=red\n"), ("---\n", "--a\n"), ("---\n", "-"), ("", "|"), ("", "| "), ("a | ", "a="),
        ("a | ", "a= "), ("a | ", "'"), ("a | ", "\""), ("a | b=", "\\"), ("a | b=\"", "\\\""), ("", "\\"), ("", ":"),
        ("", ":a"), ("", ":a.b: "), ("", "\u{1b}["), ("", "\u{1b}[31ma"), ("\u{1b}[", "1;"), ("\u{1b}[", "1:"),
        ("", "<"),
        ("", "<a"), ("", "&"), ("", "&a"), ("a | md=true \n", "*"), ("", "~~~\n"), ("", "\n"), ("---\n", "\r\n"),
        ("", " "),
        ("", "---\n"), ("", "\u{301}"), ("a | ", "param1=x "), ("", "\u{feff}"), ("---\n", "a | dropdown=false\n"),
    ]

    /// The time of the processor, which other programs on the machine do not take.
    private func duration(_ dialect: Dialect, _ text: String) throws -> Duration {
        let bytes = Array(text.utf8)
        let started = clock()
        _ = try MenuFormat(dialect).content(from: bytes)
        return .microseconds(clock() - started)
    }

    /// Quadratic time would be 4,000 times as long.
    @Test(arguments: repeated.indices) func timeIsLinear(place: Int) throws {
        let (prefix, piece) = Self.repeated[place]
        for dialect in [Dialect.xbar, .swiftbar, .argos] {
            func text(_ size: Int) -> String { prefix + String(repeating: piece, count: size / piece.utf8.count) }
            let small = try (0..<3).map { _ in try duration(dialect, text(1 << 10)) }.min() ?? .zero
            let large = try duration(dialect, text(1 << 16))
            #expect(large < small * 640 + .milliseconds(500), "\(dialect): \(small), \(large)")
        }
    }

    /// A program's usual lines, as long as its output may be.
    @Test(arguments: Dialect.all) func aMenuOfAMegabyteTakesAsLongAsItsLines(dialect: MenuFormat.Dialect) throws {
        let line = "--Line :mushroom: \u{1b}[31mred\u{1b}[0m <b>&amp;</b> | href=https://example.org color=red\n"
        func text(_ size: Int) -> String { "bar\n---\na\n" + String(repeating: line, count: size / line.utf8.count) }
        let small = try (0..<3).map { _ in try duration(dialect, text(1 << 10)) }.min() ?? .zero
        #expect(try duration(dialect, text(1 << 20)) < small * 10_240 + .seconds(1))
    }
}
