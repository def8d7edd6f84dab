// SPDX-License-Identifier: MIT
import Testing
import TodayKit

@testable import feed_widget

/// Feeds as servers send them.
@Suite struct FeedTests {
    private func entries(_ xml: String) -> [Feed.Entry]? { Feed(xml: Array(xml.utf8))?.entries }

    @Test func rss() {
        let xml = """
            <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE rss [<!ENTITY x "y">]>
            <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>The feed</title><link>https://a.b/</link>
            <item><title>One &amp; two &#8211; &lt;b&gt;bold&lt;/b&gt;</title><link>https://a.b/1</link><guid>x:1</guid>
              <media:title>another</media:title></item>
            <!-- <item><title>gone</title></item> -->
            <item><title><![CDATA[ Three <i>x</i> & y ]]></title>
              <link>
                https://a.b/2
              </link></item>
            <item><description>no title, no link</description></item>
            <item><title>A script</title><link>javascript:alert(1)</link></item>
            </channel></rss>
            """
        #expect(
            entries(xml) == [
                .init(id: "x:1", title: "One & two – bold", url: "https://a.b/1"),
                .init(id: "https://a.b/2", title: "Three x & y", url: "https://a.b/2"),
                .init(id: "javascript:alert(1)", title: "A script", url: nil),
            ])
    }

    @Test func atom() {
        let xml = """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><id>f</id><link href='https://a.b'/>
            <entry><id>urn:1</id><title type="html">A &amp;lt;b&amp;gt; title</title>
              <link rel="self" href="https://a.b/self"/><link rel="alternate" href="https://a.b/1?x=1&amp;y=2"/></entry>
            <entry><id>urn:2</id><title>Line
              two\u{202e}\u{1b}[31m</title><link href="https://a.b/2"/></entry>
            </feed>
            """
        #expect(
            entries(xml) == [
                .init(id: "urn:1", title: "A <b> title", url: "https://a.b/1?x=1&y=2"),
                .init(id: "urn:2", title: "Line two", url: "https://a.b/2"),
            ])
    }

    /// Planets name the feed of each entry within it; XHTML has tags within a title.
    @Test func onlyWhatBelongsToTheEntryCounts() {
        let xml = """
            <feed><entry><title type="xhtml"><div>A <b>bold<br/></b> title</div></title><id>urn:1</id>
              <source><id>urn:feed</id><title>Another feed</title><link href="https://c.d"/></source>
              <link href="https://a.b/1"/><unclosed></entry>
            <entry><id>https://a.b/2</id><source><title>Another feed</title></source></entry></feed>
            """
        #expect(
            entries(xml) == [
                .init(id: "urn:1", title: "A bold title", url: "https://a.b/1"),
                .init(id: "https://a.b/2", title: "(no title)", url: "https://a.b/2"),
            ])
        let deep = String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100)
        #expect(entries("<rss><item>\(deep)<title>x</title></item></rss>")?.first?.title == "x")
    }

    @Test(
        arguments: [
            ("<guid>https://a.b/1</guid>", "https://a.b/1"), ("<guid isPermaLink='true'>12345</guid>", nil),
            ("<guid isPermaLink='false'>https://a.b/1</guid>", nil), ("<guid>urn:1</guid>", nil),
            ("<guid>https://a.b/1</guid><link>https://a.b/2</link>", "https://a.b/2"),
            ("<link>//a.b/1</link>", "https://a.b/1"), ("<link>/1?a=b:c</link>", "https://x.y/1?a=b:c"),
            ("<link>1</link>", "https://x.y/blog/1"), ("<link>mailto:a@b</link>", nil), ("<link></link>", nil),
        ] as [(String, String?)])
    func aLinkIsResolved(lines: String, url: String?) {
        let xml = "<rss><item><title>t</title>\(lines)</item></rss>"
        #expect(Feed(xml: Array(xml.utf8), url: "https://x.y/blog/feed.xml?a=/b/")?.entries.first?.url == url)
    }

    @Test func aFeedMayNameWhatItsLinksAreRelativeTo() {
        let entry = "<entry><id>1</id><link href='a/1'/></entry></feed>"
        let absolute = Feed(xml: Array("<feed xml:base='http://a.b/c/'>\(entry)".utf8), url: "https://x.y")
        #expect(absolute?.entries.first?.url == "http://a.b/c/a/1")
        let relative = Feed(xml: Array("<feed xml:base='/c/'>\(entry)".utf8), url: "https://x.y")
        #expect(relative?.entries.first?.url == "https://x.y/c/a/1")
        #expect(Feed(xml: Array("<feed>\(entry)".utf8), url: "https://x.y")?.entries.first?.url == "https://x.y/a/1")
        #expect(entries("<feed>\(entry)")?.first?.url == nil)
    }

    @Test func referencesOfHTMLAreResolved() {
        let title = "It&rsquo;s &Auml;&ouml;&yuml; &amp;hellip; &nbsp;&THORN;&nosuch;"
        #expect(entries("<rss><item><title>\(title)</title></item></rss>")?.first?.title == "It’s Äöÿ … Þ&nosuch;")
    }

    /// The title `Größe`, or of another script, as servers encode it.
    private static let encodings: [(declaration: String, title: [UInt8], words: String)] = [
        ("<?xml version='1.0' encoding='iso-8859-1'?>", [0x47, 0x72, 0xf6, 0xdf, 0x65], "Größe"),
        (#"<?xml version="1.0" encoding="windows-1252" standalone="yes"?>"#, [0x80, 0x93], "€“"),
        (#"<?xml version="1.0" encoding="windows-1251"?>"#, [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2], "Привет"),
        (#"<?xml version="1.0" encoding = "Shift_JIS"?>"#, [0x82, 0xa0, 0xff, 0x82, 0xa2], "あ\u{fffd}い"),
        (#"<?xml version="1.0" encoding="utf-8"?>"#, [0xc3, 0xb6], "ö"), ("<?xml version='1.0'?>", [0xc3, 0xb6], "ö"),
        ("\u{feff}<?xml version='1.0' encoding='iso-8859-1'?>", [0xc3, 0xb6], "ö"),
        (#"<?xml version="1.0" encoding="iso-8859-99"?>"#, [0xc3, 0xb6], "ö"),
        (#"<?xml version="1.0" encoding="IBM1364"?>"#, [0xc3, 0xb6], "ö"),
        (#"<?xml version="1.0" encoding="utf-16"?>"#, [0xc3, 0xb6], "ö"),
        (#"<?xml version="1.0" encoding="iso-8859-1//TRANSLIT"?>"#, [0xc3, 0xb6], "ö"), ("", [0xc3, 0xb6], "ö"),
    ]

    @Test(arguments: encodings.indices) func aFeedNamesItsEncoding(index: Int) {
        let (declaration, title, words) = Self.encodings[index]
        let xml = Array("\(declaration)<rss><item><title>".utf8) + title + Array("</title></item></rss>".utf8)
        #expect(Feed(xml: xml)?.entries.first?.title == words)
    }

    @Test(arguments: [true, false]) func aByteOrderMarkNamesTheEncoding(isBig: Bool) {
        let units = Array("\u{feff}<?xml version='1.0'?><rss><item><title>Größe 😀</title></item></rss>".utf16)
        let bytes = units.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 0xff)] : [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        #expect(Feed(xml: bytes)?.entries.first?.title == "Größe 😀")
        // A document that ends within a character.
        #expect(Feed(xml: bytes.dropLast())?.entries.first?.title == "Größe 😀")
    }

    /// The converter writes 16 KiB at a time.
    @Test func aLongFeedIsConvertedAsAWhole() {
        let declaration = "<?xml version='1.0' encoding='iso-8859-1'?>"
        let long = Array(declaration.utf8) + [UInt8](repeating: 0xe4, count: 50_001)
        #expect(XMLEncoding.utf8(long) == Array((declaration + String(repeating: "ä", count: 50_001)).utf8))
    }

    @Test func whatIsNoFeedIsNone() {
        for text in [
            "", "<html><title>x</title></html>", "{}", "<", "<<<", "<item><title>x</title></item>", "&", "<!--",
        ] {
            #expect(entries(text) == nil)
        }
        #expect(entries("<rss>") == [])
        #expect(entries("<rss><item><title>cut off</ti")?.isEmpty == true)
    }

    /// What todayd would refuse in one title must not cost all of them.
    @Test func oneTitleDoesNoHarm() throws {
        let marks = String(repeating: "\u{301}", count: 40)
        let long = String(repeating: "x", count: 2_000)
        let xml = """
            <rss><item><title>e\(marks)</title><link>https://a.b/\(long)</link></item>
            <item><title>\(long)</title><guid>\(long)</guid><link>https://a.b/\u{202e}</link></item></rss>
            """
        let entries = try #require(self.entries(xml))
        #expect(entries.count == 2 && entries.allSatisfy { Text.complaint(aboutLine: $0.title) == nil })
        #expect(entries.first?.url == "https://a.b/\(long)")
        #expect(entries.last?.id == long && entries.last?.url == nil)
        #expect(entries.last?.title == "\(long.prefix(300))…")
    }

    @Test func manyEntriesAreCut() {
        let item = "<item><title>x</title><guid>1</guid></item>"
        #expect(entries("<rss>" + String(repeating: item, count: 1_000))?.count == 50)
    }

    /// Each byte is read once, whatever a server sends.
    @Test(arguments: [
        "<", "<a ", "<a b='", "<![CDATA[", "<!--", "&", "&#", "<a/>", "</", "<a =", "<item><title>", "<b></c>",
    ])
    func readingIsLinear(piece: String) {
        var reader = XMLReader(Array(("<rss>" + String(repeating: piece, count: 30_000)).utf8))
        var tokens = 0
        while reader.next() != nil { tokens += 1 }
        #expect(tokens > 0)
        #expect(entries("<rss><item>" + String(repeating: piece, count: 30_000)) != nil)
    }
}
