// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Formats

@Suite struct PangoTextTests {
    static let texts: [(markup: String, text: String, color: String?)] = [
        ("plain", "plain", nil), ("", "", nil),
        (
            "<b>a</b><i>b</i> <u>c</u><s>d</s><tt>e</tt><sub>f</sub><sup>g</sup><small>h</small><big>i</big>",
            "ab cdefghi", nil
        ),
        ("<span size=\"small\" color='#ff0000'>a</span><span color='#00ff00'>b</span>", "ab", "#ff0000"),
        ("<span foreground=\"#0f0\">a</span>", "a", "#00ff00"),
        ("<span fgcolor='#ffff00008888'>a</span>", "a", "#ff0088"),
        ("<span color=#123456 >a</span>", "a", "#123456"), ("<span  color = '#123456'>a</span>", "a", "#123456"),
        ("<span background='#ff0000' color='#00ff0080'>a</span>", "a", "#00ff00"),
        ("<span color='nocolour'>a</span><span color='#00f'>b</span>", "ab", "#0000ff"),
        ("<span color='#ff0000>a", "a", "#ff0000"),
        ("<span color='red'>a</span>", "a", "#ff0000"), ("<span foreground=\"DarkOrange\">a</span>", "a", "#ff8c00"),
        ("<span background='red' fgcolor='teal'>a</span>", "a", "#008080"),
        ("a < b, b > c", "a < b, b > c", nil), ("<3", "<3", nil), ("a<", "a<", nil), ("<", "<", nil), ("<>", "<>", nil),
        ("<what>a</what>", "<what>a</what>", nil), ("<bold>a", "<bold>a", nil), ("<b", "<b", nil),
        ("<b <b>a", "<b a", nil),
        ("<br/>", "<br/>", nil), ("a</b>", "a", nil), ("<B>a", "<B>a", nil), ("<b/>a", "a", nil),
        ("&amp;&lt;&gt;&quot;&apos;&nbsp;", "&<>\"'\u{a0}", nil), ("&#65;&#x42;&#X43;&#x1f600;", "ABC😀", nil),
        ("&", "&", nil), ("& b", "& b", nil), ("&amp", "&amp", nil), ("&what;", "&what;", nil), ("&#;", "&#;", nil),
        ("&#x;", "&#x;", nil), ("&#xd800;", "&#xd800;", nil), ("&#1114112;", "&#1114112;", nil),
        ("&#99999999999999;", "&#99999999999999;", nil), ("&#+65;", "&#+65;", nil), ("&amp;lt;", "&lt;", nil),
        ("a?b=1&c=2;d", "a?b=1&c=2;d", nil),
    ]

    @Test(arguments: texts)
    func markupBecomesPlainText(_ markup: String, _ text: String, _ color: String?) {
        let read = PangoText(markup)
        #expect(read.text == text)
        #expect(read.color?.text == color)
    }

    static let troubles: [(markup: String, trouble: String?)] = [
        ("a < b & c", nil), ("<b>a</b>", nil), ("<b/>a", nil), ("<span a='1' b=\"'\">a</span>", nil), ("<what>", nil),
        ("<b><i>a</i></b>", nil), ("<b>a", "<b> is not closed"), ("<b><i>a", "<i> is not closed"),
        ("<b><i>a</b></i>", "</b> is where </i> should be"), ("a</b>", "</b> closes no tag"),
        ("<span color='red>a</span>", "a quote in <span> is not closed"), ("<span color='red'", "<span has no >"),
        ("<span color='red' <b>a</b>", "<span has no >"),
        (String(repeating: "<b>", count: 70) + String(repeating: "</b>", count: 70), nil),
        (String(repeating: "<b>", count: 70) + String(repeating: "</b>", count: 69), "<b> is not closed"),
    ]

    @Test(arguments: troubles.indices) func whatIsNotClosedIsTrouble(_ index: Int) {
        let (markup, trouble) = Self.troubles[index]
        #expect(PangoText(markup).trouble == trouble, "\(markup)")
        // Web pages are not checked: their readers close what is open.
        #expect(PangoText(markup, .html).trouble == nil)
    }

    @Test(arguments: [
        ("<A HREF=\"http://x/\">OK</A>", "OK"), ("a<br>b<BR/>c", "a\nb\nc"), ("<p>a</p><p>b</p>", "a\nb\n"),
        ("<table><tr><td>a</td></tr></table>", "a\n"), ("time <5 ms", "time <5 ms"), ("<unknown>", "<unknown>"),
        ("<font color='#ff0000'>a</font>", "a"),
    ]) func tagsOfWebPagesAreDropped(markup: String, text: String) {
        #expect(PangoText(markup, .html).text == text)
    }

    @Test func aPlainTextIsMarkupIfItHasAnElementOfPango() {
        #expect(PangoText.isMarkup("<span color='#f00'>a</span>"))
        #expect(!PangoText.isMarkup("<b>a</b>"))
        #expect(!PangoText.isMarkup("<span a"))
    }
}
