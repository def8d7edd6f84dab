// SPDX-License-Identifier: MIT
import Rendering
import Testing
import TodayModel

@testable import WebPage

@Suite struct PageDocumentTests {
    private func item(_ name: String = "Name", largest: DisplayMode = .expanded) throws -> Item {
        let id = try #require(WidgetID("org.example.a"))
        var item = Item(id: id, name: name, points: [.today], position: 3, state: .ready, largestMode: largest)
        item.content = Content(text: "text <b>")
        item.taken = WallTime(microseconds: 5_000_000)
        return item
    }

    private func html(token: String? = nil, kiosk: Bool = false, _ items: [Item]) -> String {
        PageDocument(.point(.today), isKiosk: kiosk, token: token, now: WallTime(microseconds: 65_000_000)).html(items)
    }

    @Test func isWholeWithoutTheScript() throws {
        let html = html([try item()])
        #expect(html.contains("text &lt;b&gt;") && html.contains("1 min"))
        #expect(html.contains("<noscript><meta http-equiv=\"refresh\""))
        #expect(html.contains("data-position=\"3\" data-since=\"5000\""))
    }

    /// The script shows the age of what has one.
    @Test func aProgramThatReportsEachChangeHasNoAgeUnlessItFails() throws {
        var item = try item()
        item.isLive = true
        #expect(!html([item]).contains("data-since"))
        item.state = .failing
        #expect(html([item]).contains("data-since=\"5000\""))
    }

    @Test func hasNothingThatThePolicyForbids() throws {
        let html = html(token: "t", [try item()])
        #expect(!html.contains("<style") && !html.contains("onclick"))
        // Styles are heights, margins and colours that Rendering writes, never text of a widget.
        #expect(html.components(of: "style=\"").dropFirst().allSatisfy { $0.hasPrefix("--rows:") })
        #expect(html.contains("<script src=\"/page.js\" defer></script>"))
        #expect(html.components(of: "<script").count == 2)
    }

    @Test func namesAreText() throws {
        let html = html(token: "t", [try item("<script>\"'&")])
        #expect(html.components(of: "<script").count == 2)
        #expect(html.contains("aria-label=\"More of &lt;script&gt;&quot;&#39;&amp;\""))
    }

    @Test func onlyAPageWithATokenHasControls() throws {
        let item = try item()
        #expect(!html([item]).contains("data-change") && !html([item]).contains("today-token"))
        let changing = html(token: "0123", [item])
        #expect(changing.contains("content=\"0123\"") && changing.contains("data-change=\"expand\""))
        #expect(!html(token: "0", [try self.item(largest: .compact)]).contains("data-change=\"expand\""))
        var expanded = item
        expanded.mode = .expanded
        #expect(html(token: "0", [expanded]).contains("data-change=\"collapse\""))
    }

    @Test func aViewHasItsStream() throws {
        let id = try #require(WidgetID("org.example.a"))
        let single = PageDocument(.widget(id), isKiosk: false, token: nil, now: .now).html([try item()])
        #expect(
            single.contains("content=\"/api/stream?widget=org.example.a\"") && single.contains("<title>Name</title>"))
        #expect(single.contains("class=\"single\""))
        #expect(html(kiosk: true, []).contains("class=\"page kiosk\""))
        #expect(html([]).contains("<p id=\"empty\">"))
    }

    @Test func aPictureHasAnAddressAndWords() throws {
        var item = try item()
        var image = View.Image(.png(.named("9ae16a3b2f90404f")))
        image.alternative = "Rain \"now\""
        var entry = View.Item(title: " ")
        (entry.picture, entry.tooltip) = (.named("9ae16a3b2f90404e"), "Sun")
        item.content?.compact = .stack(View.Stack(.vertical, [.image(image), .item(entry)]))
        let html = html([item])
        let address = "/api/picture?widget=org.example.a&amp;image=9ae16a3b2f90404"
        #expect(html.contains("<img src=\"\(address)f\" alt=\"Rain &quot;now&quot;\">"), "\(html)")
        #expect(html.contains("<img src=\"\(address)e\" alt=\"Sun\">"))
        #expect(!html.contains("data:"))
    }

    @Test func controlsAreInTheirCard() throws {
        var item = try item()
        item.allowsEditing = true
        let html = html(token: "t", [item])
        let (card, controls) = (html.firstRange(of: "</article>"), html.firstRange(of: "class=\"controls\""))
        #expect(try #require(controls).lowerBound < #require(card).lowerBound)
        #expect(Self.changes(in: html) == ["expand", "begin"])
        item.isEdited = true
        #expect(Self.changes(in: self.html(token: "t", [item])) == ["expand", "done", "cancel"])
    }

    /// What the buttons of the controls do.
    private static func changes(in html: String) -> [String] {
        html.components(of: "data-change=\"").dropFirst().compactMap {
            $0.split(separator: "\"").first.map(String.init)
        }
    }

    private static let places: [(view: String?, place: [String], may: Bool)] = [
        (nil, ["document"], true), (nil, [], true), (nil, ["iframe"], false), (nil, ["frame"], false),
        (nil, ["embed"], false), (nil, ["empty"], false), (nil, ["document", "iframe"], false),
        ("a.b", ["document"], true), ("a.b", [], false), ("a.b", ["iframe"], false),
    ]

    @Test(arguments: places.indices) func onlyAPageByItselfMayChange(_ index: Int) throws {
        let row = Self.places[index]
        let view = try row.view.map { PageView.widget(try #require(WidgetID($0))) } ?? .point(.today)
        let request = HTTPRequest("GET", "/", headers: row.place.map { HTTPField("sec-fetch-dest", $0) })
        #expect(SecurityHeaders.mayChange(request, view) == row.may, "\(row)")
    }

    @Test func aPageThatMayChangeIsInNoFrame() {
        func policy(_ isAlone: Bool) -> String {
            let answer = SecurityHeaders(frames: ["http://dash:80"]).applied(to: HTTPAnswer(200, ""), isAlone: isAlone)
            return answer.headers.first { $0.name == "Content-Security-Policy" }?.value ?? ""
        }
        #expect(policy(true).hasSuffix("frame-ancestors 'none'"))
        #expect(policy(false).hasSuffix("frame-ancestors 'self' http://dash:80"))
        #expect(
            !policy(false).contains("data:")
                && policy(false).contains("style-src 'self'; style-src-attr 'unsafe-inline';"))
        #expect(policy(false).components(of: "unsafe").count == 2)
    }

    @Test func anAnswerIsAskedForAgainUnlessItSaysOtherwise() {
        func caching(_ answer: HTTPAnswer) -> [String] {
            SecurityHeaders().applied(to: answer).headers.filter { $0.name == "Cache-Control" }.map(\.value)
        }
        var answer = HTTPAnswer(200, "")
        #expect(caching(answer) == ["no-cache"])
        answer.headers.append(HTTPField("Cache-Control", "max-age=60"))
        #expect(caching(answer) == ["max-age=60"])
    }

    @Test func troubleIsText() {
        let html = PageDocument(.point(.today), isKiosk: false, token: nil, now: .now).html(trouble: "<gone>")
        #expect(html.contains("<p role=\"alert\"><b>The widgets cannot be read</b> &lt;gone&gt;</p>"))
    }

    @Test func anEventHasTheCards() throws {
        let item = try item()
        let event = CardsEvent([(item, "<p>\n</p>")], removed: [item.id], isWhole: false).bytes
        #expect(
            String(decoding: event, as: UTF8.self)
                == "event: cards\ndata: {\"cards\":[{\"id\":\"org.example.a\",\"position\":3,\"html\":\"<p>\\n</p>\"}],"
                + "\"removed\":[\"org.example.a\"],\"whole\":false}\n\n")
    }

    @Test func theStyleAndTheScriptNeedNothingElse() {
        let (style, script) = (
            String(decoding: PageFiles.style, as: UTF8.self), String(decoding: PageFiles.script, as: UTF8.self)
        )
        for text in [style, script] {
            #expect(!text.contains("http:") && !text.contains("https:") && !text.contains("@import"))
        }
        #expect(!script.contains("eval(") && !script.contains("innerHTML +=") && !script.contains("cssText"))
    }
}

extension String {
    /// The parts between the occurrences of a text.
    fileprivate func components(of text: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let range = rest.firstRange(of: text) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
