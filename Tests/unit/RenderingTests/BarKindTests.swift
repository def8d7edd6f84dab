// SPDX-License-Identifier: MIT

import JSON
import Testing
import TodayModel

@testable import Rendering

/// The updates of programs that stay.
@Suite struct BarKindTests {
    private static var presentation: Presentation {
        var presentation = Samples.presentation(60).forPrograms
        presentation.isLasting = true
        return presentation
    }

    private static func segments(_ items: [Item]) -> [BarSegment] { items.map { BarSegment($0, presentation) } }

    @Test(arguments: BarKind.allCases) func anUpdateIsAsInItsGoldenFile(kind: BarKind) throws {
        let segments = Self.segments(try FormSamples.all())
        let update = kind.update(segments) { segment, button in "todayctl --socket=/a:b click \(segment.id) \(button)" }
        try expectGolden("bar-\(kind.rawValue)", kind.opening + update)
    }

    /// A bar takes a line for an update, or all lines up to an empty one.
    @Test(arguments: BarKind.allCases) func anUpdateIsOneLine(kind: BarKind) throws {
        let update = kind.update(Self.segments(try FormSamples.all()))
        #expect(update.hasSuffix("\n"))
        switch kind {
        case .waybar, .i3bar, .polybar, .tmux, .key, .json: #expect(update.split(separator: "\n").count == 1)
        case .yambar: #expect(update.hasSuffix("\n\n") && !update.dropLast(2).contains("\n\n"))
        case .genmon: break
        }
    }

    @Test func theProtocolOfI3barIsAnArrayWithoutAnEnd() throws {
        let segments = Self.segments(try FormSamples.all())
        let stream = BarKind.i3bar.opening + BarKind.i3bar.update([]) + BarKind.i3bar.update(segments)
        let lines = stream.split(separator: "\n", maxSplits: 1)
        #expect(try JSON.parse(Array(lines[0].utf8))["click_events"] == true)
        // With its end, it is a document.
        let updates = try JSON.parse(lines[1].dropLast(2) + "]").arrayValue
        #expect(updates?.map { $0.arrayValue?.count } == [0, segments.count])
    }

    @Test func oneModuleOfWaybarShowsSeveralWidgets() throws {
        let all = Self.segments(try FormSamples.all())
        let object = try JSON.parse(BarKind.waybar.update(all))
        let texts = all.shown.map { Markup.pango($0.text, $0.exactColor) }
        #expect(object["text"]?.stringValue == texts.joined(separator: " · ") && texts[0].hasPrefix("<span"))
        // What needs attention most: it is critical, and its last run has failed.
        #expect(object["alt"] == "failing" && object["percentage"] == nil)
        let classes = object["class"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(Set(classes).count == classes.count && classes.contains("stale") && classes.contains("critical"))
        #expect(
            try JSON.parse(BarKind.waybar.update([])) == [
                "text": "", "alt": "empty", "tooltip": "", "class": ["today"],
            ])
        let one = try JSON.parse(BarKind.waybar.update([all[1]]))
        #expect(one == all[1].waybar && one["percentage"] == 62)
    }

    @Test func shellsGetTextsAsTheyAre() throws {
        let all = Self.segments(try FormSamples.all())
        let object = try JSON.parse(BarKind.json.update(all))
        #expect(object["text"]?.stringValue == all.joinedText)
        let widgets = try #require(object["widgets"]?.arrayValue)
        #expect(widgets.map { $0["text"]?.stringValue } == all.map(\.text))
        #expect(widgets[0]["name"]?.stringValue?.hasPrefix("Signs a & b <") == true)
        #expect(widgets[3]["stale"] == true && widgets[4]["failing"] == true && widgets[0]["failing"] == false)
    }

    @Test func polybarStartsACommandForAClick() throws {
        let segments = Self.segments([try Samples.item("org.a.b", "B", mode: .compact, content: Content(text: "fine"))])
        let update = BarKind.polybar.update(segments) { "c:\($0.id) \($1)" }
        let tags = (1...5).reversed().map { "%{A\($0):c\\:org.a.b \($0):}" }.joined()
        #expect(update == tags + "fine%{A}%{A}%{A}%{A}%{A}\n")
        #expect(BarKind.polybar.update(segments) == "fine\n")
    }

    // MARK: What stays

    /// A bar is not woken for the age of what is fresh, so that it must not show it.
    @Test(arguments: BarKind.allCases) func onlyWhatIsNotFreshHasAnAge(kind: BarKind) throws {
        let item = try Samples.item("org.a.b", "B", age: .minutes(12), content: Content(text: "fine"))
        func update(_ item: Item, minutes: Int64) -> String {
            var presentation = Self.presentation
            presentation.now = presentation.now + .minutes(minutes)
            return kind.update([BarSegment(item, presentation)])
        }
        #expect(update(item, minutes: 0) == update(item, minutes: 90))
        #expect(!item.hasVisibleAge)
        var stale = item
        stale.stale = true
        var failing = item
        failing.state = .failing
        for old in [stale, failing] {
            #expect(old.hasVisibleAge)
            #expect(update(old, minutes: 0).contains("12 min") && update(old, minutes: 90).contains("1 h"))
        }
    }

    @Test(arguments: [(0, "one"), (1, "two"), (2, "three"), (3, "one"), (-1, "three"), (-3, "one"), (302, "three")])
    func summariesBeginAgainAfterTheLast(page: Int, text: String) throws {
        var content = Content(text: "one")
        content.pages = [Page("two", color: Color("#00ff00")), Page("three")]
        let item = try Samples.item("org.a.b", "B", mode: .compact, content: content)
        let segment = BarSegment(item, Self.presentation, page: page)
        #expect(segment.text == text)
        #expect((segment.color == Color("#00ff00")) == (text == "two"))
    }
}
