// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Formats

@Suite struct GenmonFormatTests {
    private let reading = DialectReading(dialect: .genmon)

    @Test func allTagsAreRead() throws {
        let read = try reading(
            """
            <img>/usr/share/icons/a.png</img>
            <icon>network-idle</icon>
            <txt><span color='#ff0000'>62 &amp; more</span>
            second line</txt>
            <txtclick>xfce4-taskmanager --start "a b"</txtclick>
            <click>xfce4-taskmanager --start "a b"</click>
            <iconclick>nm-applet</iconclick>
            <bar>62</bar>
            <tool><b>first</b>
            second</tool>
            <css>.genmon_value { color: red }</css>
            """)
        let content = read.content
        #expect(content.text == "62 & more")
        #expect(content.color?.text == "#ff0000")
        #expect(content.icon == "network-idle")
        #expect(content.percentage == 62)
        #expect(content.tooltip == "first\nsecond")
        #expect(
            content.compact?.leaves == [
                "62 & more", "second line", " [62]  -",
                "xfce4-taskmanager --start \"a b\" -> xfce4-taskmanager|--start|a b", "nm-applet -> nm-applet",
            ])
        #expect(read.lines.isEmpty)
    }

    static let texts: [(output: String, text: String, rows: [String])] = [
        ("62 %\n", "62 %", []), ("\n<b>62</b> %\nmore\n", "62 %", ["62 %", "more"]),
        ("a < b\r\nc", "a < b", ["a < b", "c"]),
        ("<txt>a</txt>", "a", []), ("<TXT>a</TXT>", "a", []), ("<txt>\n a\n</txt>", "a", []),
        ("<txt>a</txt><txt>b</txt>", "a", []), ("<txt></txt>", "", []), ("", "", []), (" \n", "", []),
        ("</txt>a", "</txt>a", []),
        ("<bar>40</bar>", "40 %", ["40 %", " [40]  -"]), ("<bar>40 %</bar>", "40 %", ["40 %", " [40]  -"]),
        ("<icon>mail</icon>", "mail", []), ("<icon>mail</icon><tool>3 new\nmore</tool>", "3 new", []),
        ("<img>a.png</img><tool>3 new</tool>", "3 new", []), ("<tool>a</tool>", "", []),
        ("<txt>a\u{1b}[31mb</txt>", "ab", []),
    ]

    @Test(arguments: texts) func outputIsReadLeniently(_ output: String, _ text: String, _ rows: [String]) throws {
        let content = try reading(output).content
        #expect(content.text == text)
        #expect(content.isEmpty == text.isEmpty)
        #expect(content.compact?.leaves ?? [] == rows)
    }

    static let notes: [(output: String, notes: [String])] = [
        ("<txt>a", ["<txt> has no </txt>"]), ("<txt>a<tool>b</tool>", ["<txt> has no </txt>"]),
        ("<txt>a</txt><bar>b</bar>", ["<bar>: \"b\" is not a number"]),
        ("<txt>a</txt><bar>140</bar>", ["<bar>: 140 is not within 0 to 100"]),
        ("<txt>a</txt><click>b 'c</click>", ["<click> has a quote or a backslash that does not end"]),
        ("<txt>a</txt><icon>\(String(repeating: "i", count: 65))</icon>", ["<icon> is longer than 64 bytes"]),
        ("<txt>a</txt>\n<tooltip>b</tooltip>", ["line 2: unknown tag <tooltip>"]),
        ("<txt>a</txt><tol>b</tol>", ["line 1: unknown tag <tol>, did you mean <tool>?"]),
        ("<txt>a</txt><b>c</b><5>", []),
        ("<txt><b>a</txt><tool><i>b</tool>", ["<txt>: <b> is not closed", "<tool>: <i> is not closed"]),
        ("<txt>a</txt><img>b</img><css>c</css>", []), ("<txt>a</txt><bar></bar><click></click>", []),
    ]

    @Test(arguments: notes) func whatIsNotUnderstoodIsANote(_ output: String, _ notes: [String]) throws {
        let read = try reading(output)
        #expect(read.content.text == "a")
        #expect(read.lines == notes)
    }

    /// Without any tag that is known, all is text, in which a tag is noted only if it is like one of them.
    @Test func tagsInATextAreNotedIfOneWasMeant() throws {
        #expect(try reading("<text>62</text>").lines == ["line 1: unknown tag <text>, did you mean <txt>?"])
        #expect(try reading("<what>62").lines.isEmpty)
        // What is in a tag that is known is its text.
        #expect(try reading("<txt>62 <tol></txt><tool><text></tool>").lines.isEmpty)
        #expect(try reading("<b>62").lines == ["the text: <b> is not closed"])
    }

    @Test func anImageAloneIsHidden() throws {
        let read = try reading("<img>a.png</img>")
        #expect(read.content.isEmpty)
        #expect(read.lines == ["<img> is not shown; give a text in <txt>"])
    }
}
