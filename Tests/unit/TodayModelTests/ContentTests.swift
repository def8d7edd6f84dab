// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

private func decode(_ text: String) throws -> Content {
    try Content(JSONField(root: try JSON.parse(Array(text.utf8))))
}

@Suite struct ContentTests {
    @Test func aSummaryIsEnough() throws {
        #expect(try decode(#"{"text":"42 % used"}"#) == Content(text: "42 % used"))
    }

    @Test(arguments: [
        #"{"text":"a","short":"b","severity":"critical","icon":"🔥","percentage":12.5,"tooltip":"c\nd","nextUpdate":60000000}"#,
        ##"{"text":"a","compact":{"type":"text","text":"x","style":"title","weight":"bold","align":"trailing","color":"#42a1d3","lines":2}}"##,
        #"{"text":"a","classes":["vpn","on air"],"variant":"half"}"#,
        #"{"text":"a","compact":{"type":"progress","value":0.5,"label":"half","color":"warning"}}"#,
        #"{"text":"a","compact":{"type":"progress","value":0.5,"track":"secondary","text":"50.0%"}}"#,
        #"{"text":"a","compact":{"type":"vstack","children":[],"action":"go","insets":{"top":1,"right":16}}}"#,
        #"{"text":"a","insets":{"top":1,"left":2,"bottom":3,"right":4}}"#,
        #"{"text":"a","expanded":{"type":"chart","points":[1.5,2.5,-3.5],"label":"x","color":"good","min":-10.5,"max":10.5,"baseline":0.5}}"#,
        #"{"text":"a","expanded":{"type":"chart","points":[1.5],"dates":[1800000000000000],"texts":["$1.50"]}}"#,
        #"{"text":"a","compact":{"type":"image","symbol":"battery","label":"full"}}"#,
        #"{"text":"a","compact":{"type":"hstack","children":[{"type":"button","title":"Go","action":"go"},{"type":"spacer"},{"type":"link","title":"t","url":"https://example.org/"}]}}"#,
        #"{"text":"a","compact":{"type":"grid","columns":2,"children":[{"type":"divider"},{"type":"vstack","children":[]}]}}"#,
        #"{"text":"a","compact":{"type":"item","title":"t","action":"a","url":"x:y","children":[{"type":"text","text":"z"}]}}"#,
        ##"{"text":"a","compact":{"type":"item","title":"t","color":"#ff0000","symbol":"🍄","badge":"3","tooltip":"x\ny","checked":true,"disabled":true,"alternate":true,"command":["sh","-c","echo x\ny"],"terminal":true,"update":true}}"##,
        ##"{"text":"a","color":"#ff0000","pages":[{"text":"b"},{"text":"c","color":"good"}],"clicks":true,"metrics":{"load 1":0.25,"b":-3.5}}"##,
    ])
    func encodesToWhatItWasDecodedFrom(_ text: String) throws {
        #expect(try decode(text).json.text == text)
    }

    @Test func aStringIsATextAndAnArrayIsAStack() throws {
        let content = try decode(#"{"text":"a","compact":["x","y"]}"#)
        #expect(content.compact == .stack(.init(.vertical, [.text(.init("x")), .text(.init("y"))])))
    }

    @Test func aPageMayBeAString() throws {
        #expect(try decode(#"{"text":"a","pages":["b"]}"#).pages == [Page("b")])
    }

    @Test func clicksAreActionsOfContentThatTakesThem() throws {
        #expect(try decode(#"{"text":"a"}"#).actions.isEmpty)
        let actions = try decode(#"{"text":"a","clicks":true}"#).actions
        #expect(actions.count == 9 && actions.first == "click-1" && actions.last == "click-9")
        #expect(Click(action: "click-3")?.button == 3)
        for wrong in ["click-0", "click-10", "click-", "click-03", "click-x", "button-1"] {
            #expect(Click(action: wrong) == nil, "\(wrong)")
        }
    }

    @Test func emptyContentNeedsNoText() throws {
        #expect(try decode(#"{"empty":true}"#).isEmpty)
    }

    @Test func nextUpdateMayBeWrittenAsATimeSpan() throws {
        #expect(try decode(#"{"text":"a","nextUpdate":"5min"}"#).nextUpdate == .minutes(5))
    }

    @Test(arguments: [
        (#"{}"#, "text"),
        (#"[]"#, ""),
        (#"{"text":""}"#, "text"),
        (#"{"text":1}"#, "text"),
        (#"{"text":"a\nb"}"#, "text"),
        (#"{"text":"a\u001b[31mb"}"#, "text"),
        (#"{"text":"a\u202eb"}"#, "text"),
        (#"{"text":"a","colour":"red"}"#, "colour"),
        (#"{"text":"a","percentage":101}"#, "percentage"),
        (#"{"text":"a","pages":["b",{"txt":"c"}]}"#, "pages[1].txt"),
        (#"{"text":"a","pages":["b\nc"]}"#, "pages[0]"),
        (#"{"text":"a","classes":["b",1]}"#, "classes[1]"),
        (#"{"text":"a","classes":["b\nc"]}"#, "classes[0]"),
        (#"{"text":"a","classes":"b"}"#, "classes"),
        (#"{"text":"a","variant":"b\nc"}"#, "variant"),
        (#"{"text":"a","metrics":{"x":"1"}}"#, "metrics.x"),
        (#"{"text":"a","metrics":{"":1}}"#, #"metrics[""]"#),
        (#"{"text":"a","compact":{"type":"item","title":"t","command":[]}}"#, "compact.command"),
        (#"{"text":"a","compact":{"type":"item","title":"t","command":[""]}}"#, "compact.command"),
        (#"{"text":"a","compact":{"type":"item","title":"t","terminal":true}}"#, "compact.terminal"),
        (#"{"text":"a","severity":"bad"}"#, "severity"),
        (#"{"text":"a","nextUpdate":"soon"}"#, "nextUpdate"),
        (#"{"text":"a","nextUpdate":1}"#, "nextUpdate"),
        (#"{"text":"a","insets":{"left":17}}"#, "insets.left"),
        (#"{"text":"a","insets":{"lef":1}}"#, "insets.lef"),
        (#"{"text":"a","compact":{"type":"hstack","children":[],"insets":{"top":-1}}}"#, "compact.insets.top"),
        (#"{"text":"a","compact":{"type":"progress","value":1,"track":"red"}}"#, "compact.track"),
        (#"{"text":"a","compact":{"type":"blink"}}"#, "compact.type"),
        (
            #"{"text":"a","compact":{"type":"vstack","children":["x",{"type":"progress","value":2}]}}"#,
            "compact.children[1].value"
        ),
        (#"{"text":"a","compact":{"type":"chart","points":[1,null]}}"#, "compact.points[1]"),
        (#"{"text":"a","compact":{"type":"chart","points":[1],"min":2,"max":1}}"#, "compact"),
        (#"{"text":"a","compact":{"type":"text","text":"x","color":"mauve"}}"#, "compact.color"),
        (#"{"text":"a","compact":{"type":"image","png":"aGVsbG8="}}"#, "compact.png"),
        (#"{"text":"a","compact":{"type":"link","title":"x","url":"no url"}}"#, "compact.url"),
        (#"{"text":"a","compact":{"type":"grid","columns":0,"children":[]}}"#, "compact.columns"),
    ])
    func tellsTheWrongFieldByItsPath(_ text: String, _ path: String) throws {
        do {
            _ = try decode(text)
            Issue.record("accepted \(text)")
        } catch let error as JSONMismatch {
            #expect(error.path == path)
        }
    }

    @Test func refusesViewsThatAreTooDeepOrTooMany() throws {
        var deep = #""x""#
        for _ in 0..<40 { deep = "[\(deep)]" }
        #expect(throws: JSONMismatch.self) { _ = try decode(#"{"text":"a","compact":\#(deep)}"#) }
        let many = "[" + Array(repeating: #""x""#, count: 2_001).joined(separator: ",") + "]"
        #expect(throws: JSONMismatch.self) { _ = try decode(#"{"text":"a","compact":\#(many)}"#) }
    }

    /// Both views share one limit of 2,000 nodes, because every host gets both. A stack is a node, too.
    @Test(arguments: [(999, 999, true), (999, 1_000, false), (1_998, 0, true), (0, 1_998, true), (0, 1_999, false)])
    func bothViewsShareWhatThereMayBe(compact: Int, expanded: Int, isTaken: Bool) {
        func stack(_ count: Int) -> String {
            "[" + Array(repeating: #""x""#, count: count).joined(separator: ",") + "]"
        }
        let content = try? decode(#"{"text":"a","compact":\#(stack(compact)),"expanded":\#(stack(expanded))}"#)
        #expect((content != nil) == isTaken)
    }
}
