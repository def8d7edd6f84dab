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
    @Test(arguments: ["<", "<a ", "<a b='", "<![CDATA[", "<!--", "&", "&#", "<a/>", "</", "<a =", "<item><title>"])
    func readingIsLinear(piece: String) {
        var reader = XMLReader(Array(("<rss>" + String(repeating: piece, count: 30_000)).utf8))
        var tokens = 0
        while reader.next() != nil { tokens += 1 }
        #expect(tokens > 0)
    }
}
