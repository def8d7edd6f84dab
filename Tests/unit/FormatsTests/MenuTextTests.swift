// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Formats

/// What becomes of the text of a line.
@Suite struct MenuTextTests {
    private typealias Dialect = MenuFormat.Dialect

    /// The line, and its title in xbar, BitBar, SwiftBar and Argos.
    static let titles: [(line: String, titles: [String])] = [
        ("  a  ", ["a", "a", "a", "a"]),
        ("  a | trim=false", ["  a ", "  a ", "  a ", "  a "]),
        (":mushroom: :nope: 1:2", ["🍄 :nope: 1:2", "🍄 :nope: 1:2", "🍄 :nope: 1:2", "🍄 :nope: 1:2"]),
        ("::+1::-1: | emojize=true", [":👍👎", ":👍👎", ":👍👎", ":👍👎"]),
        (":Mushroom::one:", ["🍄1️⃣", "🍄1️⃣", "🍄1️⃣", "🍄1️⃣"]),
        (":mushroom: | emojize=false", [":mushroom:", ":mushroom:", ":mushroom:", ":mushroom:"]),
        (":sun.max: a", [":sun.max: a", ":sun.max: a", "☀️ a", ":sun.max: a"]),
        (":sun.dust: a :10.5:", [":sun.dust: a :10.5:", ":sun.dust: a :10.5:", "a :10.5:", ":sun.dust: a :10.5:"]),
        (
            ":sun.max: | symbolize=false", [":sun.max:", ":sun.max:", ":sun.max:", ":sun.max:"]
        ),
        ("\u{1b}[31ma\u{1b}[0m", ["a", "a", "a", "a"]),
        (#"a\nb\tc"#, ["a b c", #"a b\tc"#, #"a b\tc"#, "a b c"]),
        (#"a\nb | ansi=false"#, [#"a\nb"#, "a b", "a b", "a b"]),
        (#"a\nb | unescape=false"#, ["a b", "a b", "a b", #"a\nb"#]),
        (#"\u00e9 \x41 \101 \\"#, [#"é A A \"#, #"\u00e9 \x41 \101 \\"#, #"\u00e9 \x41 \101 \\"#, #"u00e9 x41 A \"#]),
        (#"C:\dir "x" \"#, [#"C:\dir "x" \"#, #"C:\dir "x" \"#, #"C:\dir "x" \"#, #"C:dir "x""#]),
        (#"\033[31ma\033[0m"#, ["a", #"\033[31ma\033[0m"#, #"\033[31ma\033[0m"#, "a"]),
        (
            "<b>a</b> &amp; <span color='red'>b</span>&#33;&#x3f;",
            Array(repeating: "<b>a</b> &amp; <span color='red'>b</span>&#33;&#x3f;", count: 3) + ["a & b!?"]
        ),
        ("<what>a</what> <B>b", Array(repeating: "<what>a</what> <B>b", count: 4)),
        ("<b>a</b> &lt; | useMarkup=false", Array(repeating: "<b>a</b> &lt;", count: 4)),
        ("a < b && c &nope; &#xffffffff; <", Array(repeating: "a < b && c &nope; &#xffffffff; <", count: 4)),
        ("**a** *b* `c` ~~d~~ 2 * 3 | md=true", Array(repeating: "a b c d 2 * 3", count: 4)),
        ("***a*** **b *c | md=true", Array(repeating: "a **b *c", count: 4)),
        ("**a**", Array(repeating: "**a**", count: 4)),
        (
            "\u{1b}]8;;https://x\u{1b}\\now\u{1b}]8;;\u{1b}\\ here | ansi=true",
            Array(repeating: "now here", count: 4)
        ),
        ("\u{1b}[31ma\u{1b}[0m b | ansi=false length=2", Array(repeating: "a…", count: 4)),
    ]

    @Test(arguments: titles.indices) func aTextIsReadAsItsHostReadsIt(place: Int) throws {
        let (line, titles) = Self.titles[place]
        for (dialect, title) in zip(Dialect.all, titles) {
            #expect(try dialect.item(line).title == title, "\(dialect)")
        }
    }

    // MARK: Colours

    /// A line in Argos, and its colour.
    static let marked: [(line: String, color: String?)] = [
        ("<span color='red'>a</span> b", "#ff0000"), ("a <span foreground='#0f0'>b</span>", "#00ff00"),
        ("<span fgcolor='#ffff00008888'>a</span>", "#ff0088"), ("<b>a</b>", nil), ("<b>a</b> | color=blue", "#0000ff"),
        // What is inside counts before what is around it.
        ("<span color='red'>a</span> | color=blue", "#ff0000"), ("<span color='red'>\u{1b}[32ma</span>", "#00cd00"),
        ("<span color='red'>a</span> | useMarkup=false", nil),
    ]

    @Test(arguments: marked) func theMarkupOfArgosHasColours(line: String, color: String?) throws {
        #expect(try Dialect.argos.item(line).color == color.flatMap { Color($0) })
        #expect(try Dialect.argos.read(line).content.color == color.flatMap { Color($0) })
        #expect(try Dialect.xbar.item("<span color='red'>a</span>").color == nil)
    }

    @Test func aTextWithSeveralLooksIsAStack() throws {
        let line = "up \u{1b}[1;32m5\u{1b}[0m down \u{1b}[31m7"
        let views: [View] = [
            .text(.init("up", nil)), .text(.init("5", "#00cd00", bold: true)), .text(.init("down", nil)),
            .text(.init("7", "#cd0000")),
        ]
        #expect(try Dialect.xbar.menu(line) == [.stack(View.Stack(.horizontal, views))])
        #expect(try Dialect.swiftbar.item(line).color == nil)
        #expect(try Dialect.swiftbar.menu(line + " | ansi=true") == Dialect.xbar.menu(line))
        let colored = try Dialect.xbar.menu(line + " | color=blue")
        #expect(colored.first?.children.first == .text(.init("up", "#0000ff")))
        let content = try Dialect.xbar.read(line).content
        #expect(content.text == "up 5 down 7" && content.color == Color("#00cd00"))
        #expect(content.compact == .stack(View.Stack(.horizontal, views)))
    }

    static let items = [
        "| href=https://x", "| shell=x", "| refresh=true", "| badge=1", "| checked=true", "| tooltip=x",
        "| iconName=x", "| alternate=true", "| disabled=true", "\n--child",
    ]

    /// What only an item can have is not lost.
    @Test(arguments: items.indices) func anItemHasItsFirstColour(place: Int) throws {
        let item = try Dialect.xbar.item("up \u{1b}[32m5\u{1b}[31m7 \(Self.items[place])")
        #expect(item.title == "up 57")
        #expect(item.color == Color("#00cd00"))
    }

    @Test func oneLookIsAnItem() throws {
        #expect(try Dialect.xbar.item("\u{1b}[32mup 5\u{1b}[0m ").color == Color("#00cd00"))
        #expect(try Dialect.xbar.item(" \u{1b}[32mup\u{1b}[0m \u{1b}[32m5").title == "up 5")
        #expect(try Dialect.xbar.item("\u{1b}[32mup | color=red").color == Color("#00cd00"))
    }

    @Test func aStackIsCutAsATextIs() throws {
        let menu = try Dialect.xbar.menu("\u{1b}[31mab \u{1b}[32mcd\u{1b}[33mef | length=5")
        #expect(
            menu == [.stack(View.Stack(.horizontal, [.text(.init("ab", "#cd0000")), .text(.init("c…", "#00cd00"))]))])
    }

    @Test func emojiAreKnownByTheirNames() {
        #expect(Emoji.named("mushroom") == "🍄")
        #expect(Emoji.named("+1") == "👍" && Emoji.named("thumbsup") == "👍")
        #expect(Emoji.named("one") == "1️⃣" && Emoji.named("hash") == "#️⃣")
        #expect(Emoji.named("wales") == "🏴󠁧󠁢󠁷󠁬󠁳󠁿" && Emoji.named("🍄") == nil && Emoji.named("") == nil)
        #expect(CSSColor.count == 148)
    }

    @Test func everyEmojiMayBeShown() {
        for word in Emoji.table.split(whereSeparator: \.isWhitespace) {
            #expect(PlainText.complaint(about: word, allowingLines: false) == nil, "\(word)")
            #expect(word.utf8.count <= ContentLimits.iconBytes)
        }
    }

    /// Hosts leave room between views side by side: a line whose look changes within a word is one text.
    @Test(arguments: [
        ("\u{1b}[31mred\u{1b}[0m and \u{1b}[32mgreen", ["red", " and ", "green"]),
        ("CPU \u{1b}[32m▁▂\u{1b}[31m█\u{1b}[0m 37%", ["CPU ", "▁▂█", " 37%"]),
        ("[\u{1b}[32mOK\u{1b}[0m] nginx", ["[OK] nginx"]), ("CPU:\u{1b}[31m42\u{1b}[0m%", ["CPU:42%"]),
        ("a \u{1b}[1mb", ["a ", "b"]), ("a", ["a"]),
    ])
    func aWordStaysTogether(line: String, parts: [String]) {
        let text = MenuText(line[...], MenuAttributes(.xbar), of: .xbar)
        #expect(text.parts.map(\.text) == parts)
        #expect(text.parts.map { LenientText.line($0.text) }.joined(separator: " ").count >= text.plain.count)
        #expect(parts.count > 1 || text.parts.first?.color == text.color)
    }
}
