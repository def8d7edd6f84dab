// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Formats

/// The lines before the first separator, and the shape of the menu.
@Suite struct MenuFormatTests {
    // MARK: The bar

    @Test(arguments: MenuFormat.Dialect.all) func oneLineIsTheSummary(dialect: MenuFormat.Dialect) throws {
        for text in ["62 % used\n", "62 % used", "62 % used\r\n", "\u{feff}62 % used\n", "  62 % used  \n"] {
            let read = try dialect.read(text)
            #expect(read == ReadContent(Content(text: "62 % used")))
        }
    }

    @Test(arguments: MenuFormat.Dialect.all) func nothingIsEmpty(dialect: MenuFormat.Dialect) throws {
        for text in ["", "\n", "\n\n \n", "\r\n", "---", "\n---\n", "| color=red", "\u{0}", "\u{1b}[31m"] {
            let content = try dialect.read(text).content
            #expect(content.isEmpty && content.text.isEmpty && content.expanded == nil, "\(text.debugDescription)")
        }
    }

    /// xbar, BitBar and SwiftBar show a button for the menu, and Argos hides it.
    @Test func aMenuWithoutABar() throws {
        for dialect in [MenuFormat.Dialect.xbar, .bitbar, .swiftbar] {
            let content = try dialect.read("---\nA\n").content
            #expect(content.text == "●" && !content.isEmpty)
            #expect(content.compact == nil)
            #expect(content.expanded?.outline == "[A]")
        }
        #expect(try MenuFormat.Dialect.argos.read("---\nA\n").content.isEmpty)
        #expect(try MenuFormat.Dialect.argos.read(" \n---\nA\n").content.text == "●")
    }

    @Test(arguments: MenuFormat.Dialect.all) func furtherLinesArePages(dialect: MenuFormat.Dialect) throws {
        let content = try dialect.read("one | color=red\n\ntwo\nthree | color=#0f0 href=https://example.org\n").content
        #expect(content.text == "one" && content.color == Color("#ff0000"))
        #expect(content.pages == [Page("two"), Page("three", color: Color("#00ff00"))])
        var three = View.Item(title: "three")
        three.color = Color("#00ff00")
        three.url = "https://example.org"
        #expect(
            content.compact
                == .stack(View.Stack(.vertical, [.text(.init("one", "#ff0000")), .text(.init("two")), .item(three)])))
        #expect(content.expanded == nil)
    }

    static let bars: [(line: String, compact: View?)] = [
        ("a", nil), ("a | size=20 font=Menlo", nil), ("a | color=red", .text(.init("a", "#ff0000"))),
        ("a | href=nothing", nil),
        ("a | href=https://example.org", .item(item { $0.url = "https://example.org" })),
        ("a | shell=/bin/x terminal=false", .item(item { $0.command = View.Command(["/bin/x"]) })),
        ("a | refresh=true", .item(item { $0.updates = true })),
        (
            "\u{1b}[31ma\u{1b}[0m b | ansi=true",
            .stack(View.Stack(.horizontal, [.text(.init("a", "#cd0000")), .text(.init("b"))]))
        ),
        (
            "a | iconName=go-home",
            .stack(View.Stack(.horizontal, [.image(.init(.symbol("go-home"))), .text(.init("a"))]))
        ),
        ("a | sfimage=wifi", nil),
    ]

    private static func item(_ change: (inout View.Item) -> Void) -> View.Item {
        var item = View.Item(title: "a")
        change(&item)
        return item
    }

    @Test(arguments: bars.indices) func oneLineHasAViewIfItHasMoreThanText(place: Int) throws {
        let (line, compact) = Self.bars[place]
        for dialect in MenuFormat.Dialect.all {
            #expect(try dialect.read(line).content.compact == compact, "\(dialect)")
        }
    }

    @Test(arguments: MenuFormat.Dialect.all) func aLineWithAnImageAlone(dialect: MenuFormat.Dialect) throws {
        for line in ["|imageURL=http://x/y.png", "| sfimage=zzz"] {
            #expect(try dialect.read(line).content == Content(text: "●"))
        }
        for line in ["| image=iVBORw0KGgo=", " | templateImage=iVBORw0KGgo="] {
            var content = Content(text: "●")
            var image = View.Image(.png(.data("iVBORw0KGgo=")))
            image.alternative = "●"
            content.compact = .image(image)
            #expect(try dialect.read(line).content == content)
        }
        #expect(try dialect.read("| sfimage=bolt.fill").content == Content(text: "⚡"))
        var icon = Content(text: "80 %")
        icon.icon = "🔋"
        #expect(try dialect.read("80 % | sfimage=battery.75").content == icon)
    }

    @Test(arguments: MenuFormat.Dialect.all) func theMenuRepeatsTheBar(dialect: MenuFormat.Dialect) throws {
        func outline(_ text: String) throws -> String? { try dialect.read(text).content.expanded?.outline }
        #expect(try outline("a\nb\n---\nc") == #"["a","b",-,c]"#)
        #expect(try outline("a | dropdown=false\nb\n---\nc") == #"["b",-,c]"#)
        #expect(try outline("a | dropdown=false\n---\nc") == "[c]")
        #expect(try outline("a\n---\n") == nil)
        #expect(try outline("a | href=https://x\n---\nc") == "[a,-,c]")
    }

    @Test func dashesInTheBarAreText() throws {
        #expect(try MenuFormat.Dialect.xbar.read("--5°\n---\nx").content.text == "--5°")
        #expect(try MenuFormat.Dialect.xbar.read("-- | color=red\n---\nx").content.text == "--")
        #expect(try MenuFormat.Dialect.argos.read("a\n--\nx").content.expanded?.outline == #"["a",-,x]"#)
    }

    // MARK: The menu

    static let menus: [(text: String, xbar: String, argos: String)] = [
        ("a\nb", "a,b", "a,b"),
        ("a\n---\nb", "a,-,b", "a,-,b"),
        ("a\n  ---\t\nb", "a,-,b", "a,-,b"),
        ("a\n---|color=red\nb", "a,-,b", "a,-,b"),
        ("a\n--b\n--c\nd", "a(b,c),d", "a(b,c),d"),
        ("a\n--b\n----c\n------d\n--e\nf", "a(b(c(d)),e),f", "a(b(c(d)),e),f"),
        ("b\n--c\n-----\n--d\n----e\n-------\n----f\n-----\n--g\n---\nh", "b(c,-,d(e,-,f),-,g),-,h", "b(c),-,h"),
        ("a\n----b\n------c\n--d", "a(b(c),d)", "a(b(c),d)"),
        ("--a\nb", "a,b", "a,b"),
        ("---\n--a\n---\nb", "-,a,-,b", "-,a,-,b"),
        ("a\n---\n--b", "a,-,b", "a,-,b"),
        ("a\n\nb", #"a,"",b"#, "a,b"),
        ("a\n--\nb", #"a(""),b"#, "a,-,b"),
        ("--- a", "- a", "- a"),
        ("-a\n -- b", "-a,-- b", "-a,-- b"),
        ("a | dropdown=false\n--b\n-----\nc", "c", "c"),
        ("a | refresh=true\n| refresh=true", "a,", "a,"),
        ("a\n--| href=https://x", "a()", "a,-"),
        ("a\r\n--b\r\n---\r\nc", "a(b),-,c", "a(b),-,c"),
    ]

    @Test(arguments: menus.indices) func dashesAreLevels(place: Int) throws {
        let (text, xbar, argos) = Self.menus[place]
        func outline(_ dialect: MenuFormat.Dialect) throws -> String {
            try dialect.menu(text).map(\.outline).joined(separator: ",")
        }
        #expect(try outline(.xbar) == xbar)
        #expect(try outline(.swiftbar) == xbar.replacing(#""","#, with: "").replacing(#"("")"#, with: ""))
        #expect(try outline(.bitbar) == outline(.swiftbar))
        if !text.contains("-----") { #expect(try outline(.argos) == argos) }
    }

    @Test func aSeparatorOfArgosIsAtTheTop() throws {
        #expect(try MenuFormat.Dialect.argos.menu("a\n--b\n-----\n--c").map(\.outline) == ["a(b)", "-", "c"])
    }

    // MARK: Streams

    static let streams = [
        ("a\n~~~\nb", "b"), ("a\n~~~\n", "a"), ("a\n~~~\n\n", "a"), ("a\n~~~\nb\n~~~", "b"), ("~~~\nb\n", "b"),
        ("a\r\n~~~\r\nb\r\n", "b"), ("a\n ~~~ \nb", "b"), ("a\n~~~\n~~~\n", "a"), ("a ~~~", "a ~~~"),
    ]

    @Test(arguments: streams.indices) func theLastBlockOfAStreamCounts(place: Int) throws {
        let (text, summary) = Self.streams[place]
        #expect(try MenuFormat.Dialect.swiftbar.read(text).content == Content(text: summary))
    }

    @Test func streamsAreSwiftBars() throws {
        #expect(try MenuFormat.Dialect.swiftbar.read("~~~\n").content.isEmpty)
        #expect(try MenuFormat.Dialect.xbar.read("a\n~~~\nb").content.pages.count == 2)
        #expect(try MenuFormat.Dialect.swiftbar.read("a\n~~~\nb\n---\nc | d=e").lines == ["line 5: unknown key d="])
        let bytes = Array("a\n~~~\nb\n".utf8) + [0xff]
        #expect(try MenuFormat.Dialect.swiftbar.read(bytes).lines == ["line 4 has bytes that are not text"])
    }
}
