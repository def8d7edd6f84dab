// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

/// Each limit: the last value that is accepted, and the first that is refused.
@Suite struct ContentLimitTests {
    private static func isTaken(_ text: String) -> Bool {
        (try? Content(JSONField(root: JSON.parse(Array(text.utf8))))) != nil
    }

    private static func text(_ count: Int) -> String { "\"" + String(repeating: "x", count: count) + "\"" }

    @Test(
        arguments: [
            ("text", 1_024), ("short", 1_024), ("icon", 64), ("variant", 64), ("tooltip", 16_384),
        ])
    func textsHaveALength(field: String, most: Int) {
        let summary = field == "text" ? "" : #""text":"a","#
        #expect(Self.isTaken("{\(summary)\"\(field)\":\(Self.text(most))}"))
        #expect(!Self.isTaken("{\(summary)\"\(field)\":\(Self.text(most + 1))}"))
    }

    @Test func machinesAreFewAndShort() {
        func isTaken(_ count: Int, of bytes: Int) -> Bool {
            let machines = Array(repeating: Self.text(bytes), count: count).joined(separator: ",")
            return Self.isTaken("{\"text\":\"a\",\"via\":[\(machines)]}")
        }
        #expect(isTaken(16, of: 64) && !isTaken(17, of: 1) && !isTaken(1, of: 65))
    }

    @Test func aCommandHasFewWords() {
        func isTaken(_ count: Int) -> Bool {
            let words = Array(repeating: "\"a\"", count: count).joined(separator: ",")
            return Self.isTaken(#"{"text":"a","compact":{"type":"item","title":"t","command":[\#(words)]}}"#)
        }
        let most = View.Command.mostArguments
        #expect(isTaken(1) && isTaken(most) && !isTaken(most + 1) && !isTaken(0))
    }

    @Test func classesAreFewAndShort() {
        func isTaken(_ count: Int, of bytes: Int) -> Bool {
            let classes = Array(repeating: Self.text(bytes), count: count).joined(separator: ",")
            return Self.isTaken("{\"text\":\"a\",\"classes\":[\(classes)]}")
        }
        #expect(isTaken(16, of: 64))
        #expect(!isTaken(17, of: 64))
        #expect(!isTaken(16, of: 65))
    }

    @Test(
        arguments: [
            (#"{"type":"text","text":TEXT}"#, 16_384), (#"{"type":"button","title":"t","action":TEXT}"#, 256),
            (#"{"type":"hstack","children":[],"action":TEXT}"#, 256),
            (#"{"type":"item","title":"t","action":TEXT}"#, 256),
            (#"{"type":"image","symbol":TEXT}"#, 256), (#"{"type":"item","title":TEXT}"#, 16_384),
            (#"{"type":"progress","value":1,"label":TEXT}"#, 16_384),
        ] as [(String, Int)])
    func viewsTextsHaveALength(view: String, most: Int) {
        for (count, isTaken) in [(most, true), (most + 1, false)] {
            let filled = view.replacing("TEXT", with: Self.text(count))
            #expect(Self.isTaken(#"{"text":"a","compact":\#(filled)}"#) == isTaken, "\(view) \(count)")
        }
    }

    /// The fields after the text: each is at the limit, or just beyond.
    @Test(
        arguments: [
            (#""percentage":0"#, true), (#""percentage":100"#, true), (#""percentage":-0.1"#, false),
            (#""percentage":100.1"#, false),
            (#""nextUpdate":"1s""#, true), (#""nextUpdate":"999ms""#, false), (#""nextUpdate":"7d""#, true),
            (#""nextUpdate":"7d 1s""#, false), (#""nextUpdate":1000000"#, true), (#""nextUpdate":999999"#, false),
            (#""compactRows":1"#, true), (#""compactRows":200"#, true), (#""compactRows":201"#, false),
            (#""expandedRows":200"#, true), (#""expandedRows":0"#, false), (#""expandedRows":201"#, false),
            (#""insets":{"top":16,"left":0}"#, true), (#""insets":{"bottom":17}"#, false),
            (#""insets":{"right":-1}"#, false),
            (#""relevance":{"score":0}"#, true), (#""relevance":{"score":1}"#, true),
            (#""relevance":{"score":-0.1}"#, false),
            (#""compact":{"type":"text","text":"x","lines":1}"#, true),
            (#""compact":{"type":"text","text":"x","lines":0}"#, false),
            (#""compact":{"type":"text","text":"x","lines":1000}"#, true),
            (#""compact":{"type":"text","text":"x","lines":1001}"#, false),
            (#""compact":{"type":"grid","columns":1,"children":[]}"#, true),
            (#""compact":{"type":"grid","columns":32,"children":[]}"#, true),
            (#""compact":{"type":"grid","columns":33,"children":[]}"#, false),
            (#""compact":{"type":"progress","value":0}"#, true), (#""compact":{"type":"progress","value":1}"#, true),
            (#""compact":{"type":"progress","value":-0.1}"#, false),
            (#""compact":{"type":"progress","value":1.1}"#, false),
            (#""compact":{"type":"chart","points":[1,2],"min":1,"max":1}"#, false),
            (#""compact":{"type":"chart","points":[1,2],"min":1,"max":1.1}"#, true),
            (#""compact":{"type":"chart","points":[1,2],"mark":1}"#, true),
            (#""compact":{"type":"chart","points":[1,2],"mark":2}"#, false),
            (#""compact":{"type":"chart","points":[1,2],"mark":-1}"#, false),
            (#""compact":{"type":"chart","points":[]}"#, true),
            (#""compact":{"type":"chart","points":[1],"dates":[1800000000000000],"texts":["one"]}"#, true),
            (#""compact":{"type":"chart","points":[1],"dates":["2026-11-30T08:00:00Z"]}"#, true),
            (#""compact":{"type":"chart","points":[1],"dates":[]}"#, false),
            (#""compact":{"type":"chart","points":[1],"dates":[1800000000]}"#, false),
            (#""compact":{"type":"chart","points":[1,2],"texts":["one"]}"#, false),
            (#""compact":{"type":"chart","history":"a","texts":[]}"#, false),
            (#""compact":{"type":"image","symbol":"a","png":"iVBORw0KGgo="}"#, false),
            (#""compact":{"type":"image","png":"iVBORw0KGgo="}"#, true), (#""compact":{"type":"image"}"#, false),
            (##""compact":{"type":"text","text":"x","color":"#ABCdef"}"##, true),
            (##""compact":{"type":"text","text":"x","color":"#abcde"}"##, false),
            (##""compact":{"type":"text","text":"x","color":"#abcdeg"}"##, false),
            (##""compact":{"type":"text","text":"x","color":"#abcdef0"}"##, false),
            (#""compact":{"type":"text","text":"x","color":"0abcdef"}"#, false),
            (##""compact":{"type":"text","text":"x","color":"#+12345"}"##, false),
            (#""compact":{"type":"spacer","text":"x"}"#, false), (#""compact":{"type":"divider","size":1}"#, false),
            (#""compact":7"#, false), (#""compact":null"#, true), (#""severity":null,"icon":null"#, true),
        ] as [(String, Bool)])
    func edges(rest: String, isTaken: Bool) {
        #expect(Self.isTaken(#"{"text":"a",\#(rest)}"#) == isTaken)
    }

    @Test(arguments: [(31, true), (32, false)]) func viewsNest32Deep(arrays: Int, isTaken: Bool) {
        let view = String(repeating: "[", count: arrays) + #""x""# + String(repeating: "]", count: arrays)
        #expect(Self.isTaken(#"{"text":"a","compact":\#(view)}"#) == isTaken)
    }

    @Test(arguments: [(4_096, true), (4_097, false)]) func chartsHave4096Points(count: Int, isTaken: Bool) {
        let points = Array(repeating: "1", count: count).joined(separator: ",")
        #expect(Self.isTaken(#"{"text":"a","compact":{"type":"chart","points":[\#(points)]}}"#) == isTaken)
    }

    @Test(
        arguments: [
            (#"{"empty":true}"#, true), (#"{"empty":true,"text":""}"#, true), (#"{"empty":false,"text":""}"#, false),
            (#"{"empty":false}"#, false), (#"{"empty":true,"text":"x"}"#, true),
        ])
    func onlyWhatIsEmptyNeedsNoText(text: String, isTaken: Bool) { #expect(Self.isTaken(text) == isTaken) }

    @Test(
        arguments: [
            (#""class":"x""#, "severity"), (#""alt":"x""#, "icon"),
            (#""full_text":"x""#, "text"),
            (#""short_text":"x""#, "short"), (#""urgent":true"#, "critical"),
        ])
    func theWordsOfBarsAreTranslated(member: String, word: String) throws {
        do {
            _ = try Content(JSONField(root: JSON.parse(Array(#"{"text":"a",\#(member)}"#.utf8))))
            Issue.record("taken")
        } catch let error as JSONMismatch {
            #expect("\(error)".contains("\"\(word)\""), "\(error)")
        }
    }

    @Test(
        arguments: [
            (#""nextUpdate":1"#, "1 microseconds are not between 1s and 1w; seconds are written as \"90s\""),
            (#""nextUpdate":"1us""#, "is not between 1s and 1w"),
            (#""nextUpdate":"x""#, "\"x\" is not a time span such as 5min or 90s"),
            (#""percentage":101"#, "101 is not within 0 to 100"), (#""icon":"a\nb""#, "is more than one line"),
            (
                #""compact":{"type":"text","text":"x","color":"mauve"}"#,
                "\"mauve\" is not a colour: primary, secondary,"
            ),
        ] as [(String, String)])
    func whatIsWrongIsSaid(member: String, words: String) throws {
        do {
            _ = try Content(JSONField(root: JSON.parse(Array(#"{"text":"a",\#(member)}"#.utf8))))
            Issue.record("taken")
        } catch let error as JSONMismatch {
            #expect("\(error)".contains(words), "\(error)")
        }
    }

    @Test func aLineBecomesASummary() {
        #expect(Content.summary("short") == "short")
        #expect(Content.summary(String(repeating: "x", count: 2_000)).utf8.count == 1_024)
        #expect(Content.summary(String(repeating: "x", count: 1_021)).utf8.count == 1_021)
    }

    /// Each action once, in order, from both views and all nested ones.
    @Test func theActionsAreThoseOfAllItsViews() throws {
        let text = #"""
            {"text":"a","compact":[{"type":"button","title":"t","action":"one"},{"type":"hstack","action":"two","children":[
            {"type":"item","title":"t","action":"three","children":[{"type":"button","title":"t","action":"four"}]}]}],
            "expanded":{"type":"grid","columns":1,"children":[{"type":"button","title":"t","action":"one"},"x",
            {"type":"button","title":"t","action":"five"}]}}
            """#
        let content = try Content(JSONField(root: try JSON.parse(Array(text.utf8))))
        #expect(content.actions == ["one", "two", "three", "four", "five"])
        #expect(Content(text: "a").actions.isEmpty)
        #expect(content.compact?.children.count == 2 && content.expanded?.children.count == 3)
        #expect(View.text(.init("x")).children.isEmpty)
    }

    @Test(arguments: [
        ("good", Color.meaning(.good), "good"), ("#42A1d3", .rgb(red: 0x42, green: 0xa1, blue: 0xd3), "#42a1d3"),
        ("#000fff", .rgb(red: 0, green: 0x0f, blue: 0xff), "#000fff"),
        ("#101010", .rgb(red: 16, green: 16, blue: 16), "#101010"),
    ])
    func coloursAreWordsOrExact(text: String, color: Color, written: String) {
        #expect(Color(text) == color && color.text == written)
    }

    @Test func sidesWithoutRoomAreLeftOut() {
        #expect(Insets().isZero && !Insets(bottom: 1).isZero && !Insets(right: 1).isZero)
    }
}
