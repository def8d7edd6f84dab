// SPDX-License-Identifier: MIT

import ClientTestSupport
import JSON
import Rendering
import Testing
import TodayModel

@testable import Commands
@testable import Console

@Suite struct TargetChoiceTests {
    /// 1 is a button, 2 a link, 3 a row that is both. 4 and 5 are buttons with one title, 6 and 7 links to one page. 8 is an
    /// area, and 9 a button in it whose action looks like a number.
    static let view: JSON = [
        ["type": "button", "title": "Go", "action": "go"],
        ["type": "link", "title": "Page", "url": "https://example.org/2"],
        ["type": "item", "title": "Row", "action": "row", "url": "app://row"],
        ["type": "button", "title": "Same", "action": "left"], ["type": "button", "title": "Same", "action": "right"],
        ["type": "link", "title": "Top", "url": "app://top"], ["type": "link", "title": "Up", "url": "app://top"],
        [
            "type": "vstack", "action": "tap",
            "children": [["type": "text", "text": "Area"], ["type": "button", "title": "Two", "action": "2"]],
        ],
    ]

    static func choice(_ view: JSON = view) throws -> TargetChoice {
        let json = Wire.item("org.a.b") {
            $0["compact"] = view
            $0["expanded"] = ["type": "button", "title": "More", "action": "more"]
        }
        return TargetChoice(try Item(JSONField(root: json)))
    }

    static let pressed: [(word: String, found: TargetChoice.Found)] = [
        ("go", action("go")), ("1", button("Go", "go")), ("Go", button("Go", "go")), ("01", button("Go", "go")),
        ("GO", .none),
        // The name of an action wins over a number.
        ("2", action("2")), ("9", button("Two", "2")), ("Two", button("Two", "2")),
        ("3", .one(.init(title: "Row", action: "row", url: "app://row"))),
        ("6", link("Top", "app://top")), ("Page", link("Page", "https://example.org/2")),
        ("Same", .several([4, 5])), ("5", button("Same", "right")),
        // An area has a number but no title.
        ("8", .one(.init(title: "Area", hasTitle: false, action: "tap"))), ("Area", .none),
        // A button of the other display mode has a name but no number.
        ("more", action("more")), ("More", .none),
        ("0", .none), ("10", .none), ("99999999999999999999", .none), ("-1", .none), ("+1", .none), ("", .none),
    ]

    private static func action(_ name: String) -> TargetChoice.Found { button(name, name) }
    private static func button(_ title: String, _ action: String) -> TargetChoice.Found {
        .one(.init(title: title, action: action))
    }
    private static func link(_ title: String, _ url: String) -> TargetChoice.Found {
        .one(.init(title: title, url: url))
    }

    @Test(arguments: pressed) func aWordMeansWhatIsPressed(word: String, found: TargetChoice.Found) throws {
        #expect(try Self.choice().pressed(word) == found)
    }

    @Test func aButtonWinsOverACommandOfItsTitle() throws {
        let choice = try Self.choice([
            ["type": "item", "title": "Go", "command": ["go"]], ["type": "button", "title": "Go", "action": "go on"],
            ["type": "item", "title": "Run", "command": ["go"], "terminal": true],
            ["type": "item", "title": "Run", "command": ["go"]], ["type": "item", "title": "Again", "update": true],
            ["type": "item", "title": "Again", "update": true],
        ])
        #expect(choice.pressed("Go") == Self.button("Go", "go on"))
        // A terminal makes another command of it.
        #expect(choice.pressed("Run") == .several([3, 4]))
        var again = Numbering.Target(title: "Again")
        again.updates = true
        #expect(choice.pressed("Again") == .one(again))
    }

    static let links: [(word: String?, found: TargetChoice.Found)] = [
        ("2", link("Page", "https://example.org/2")), ("Page", link("Page", "https://example.org/2")),
        ("https://example.org/2", link("Page", "https://example.org/2")), ("https://example.org", .none),
        ("3", .one(.init(title: "Row", action: "row", url: "app://row"))),
        ("app://row", .one(.init(title: "Row", action: "row", url: "app://row"))),
        ("Top", link("Top", "app://top")), ("7", link("Up", "app://top")), ("1", button("Go", "go")), ("Go", .none),
        ("10", .none), (nil, .several([2, 3, 6, 7])),
    ]

    @Test(arguments: links) func aWordMeansOneLink(word: String?, found: TargetChoice.Found) throws {
        #expect(try Self.choice().link(word) == found)
    }

    @Test func withoutAWordTheOnlyLinkIsMeant() throws {
        let link: JSON = ["type": "link", "title": "a", "url": "app://a"]
        let again: JSON = ["type": "link", "title": "b", "url": "app://a"]
        #expect(try Self.choice(link).link(nil) == Self.link("a", "app://a"))
        #expect(try Self.choice([link, again]).link(nil) == Self.link("a", "app://a"))
        #expect(try Self.choice("text").link(nil) == .none)
        #expect(try Self.choice("text").link("1") == .none)
    }

    @Test func aWidgetWithoutContentHasNothingToChoose() throws {
        var item = try Item(JSONField(root: Wire.item("org.a.b")))
        item.content = nil
        #expect(TargetChoice(item).pressed("1") == .none)
    }

    @Test func theExpandedViewIsSaidToHaveMore() throws {
        func error(_ view: JSON, _ largest: DisplayMode) throws -> String {
            var item = try Self.choice(view).item
            item.largestMode = largest
            return TargetChoice(item).unknown("1", verb: "press", []).description
        }
        let nothing = "org.a.b shows nothing to press"
        #expect(
            try error("text", .expanded) == nothing + "; there is more in its expanded view: todayctl expand org.a.b")
        #expect(try error("text", .compact) == nothing)
        var expanded = try Self.choice("text").item
        (expanded.mode, expanded.largestMode) = (.expanded, .expanded)
        #expect(TargetChoice(expanded).unknown("1", verb: "press", []).description == nothing)
        var plain = expanded
        plain.mode = .compact
        plain.content?.expanded = .text(.init("text"))
        #expect(TargetChoice(plain).unknown("1", verb: "press", []).description == nothing)
    }

    @Test func theListNamesTheEffectOfEachTarget() throws {
        #expect(
            try Self.choice().list([1, 2, 3]) == [
                "1: Go (go)", "2: Page (https://example.org/2)", "3: Row (row, app://row)",
            ])
        let item: JSON = ["type": "item", "title": "Run", "command": ["sh", "-c", "it's"], "update": true]
        #expect(try Self.choice(item).list([1]) == [#"1: Run (sh -c 'it'\''s', update)"#])
        let done: JSON = ["type": "button", "title": "done", "action": "done 1"]
        let row: JSON = ["type": "hstack", "children": ["Call Ada", done]]
        #expect(try Self.choice(row).list([1]) == ["1: done  Call Ada (done 1)"])
        #expect(try Self.choice(row).pressed("Call Ada") == Self.choice(row).pressed("1"))
        #expect(try Self.choice(row).pressed("Call") == .none)
        let later: JSON = ["type": "button", "title": "later", "action": "later 1"]
        let two: JSON = ["type": "hstack", "children": ["done", done, later]]
        #expect(try Self.choice(two).pressed("done") == Self.choice(two).pressed("1"), "a title comes first")
        let both: JSON = ["type": "hstack", "children": ["Call Ada", done, later]]
        #expect(try Self.choice(both).pressed("Call Ada") == .several([1, 2]))
    }
}
