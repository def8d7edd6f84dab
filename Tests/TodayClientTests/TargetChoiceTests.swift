// SPDX-License-Identifier: MIT

import JSON
import Testing
import TodayModel

@testable import TodayClient

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

    @Test func commandsAndUpdatesAreTold() throws {
        let choice = try Self.choice([
            ["type": "item", "title": "Run", "command": ["sh", "-c", "echo x"]],
            ["type": "item", "title": "Again", "update": true],
            ["type": "item", "title": "Both", "command": ["true"], "url": "app://x"],
        ])
        #expect(choice.action("1") == .command(1, ["sh", "-c", "echo x"]))
        #expect(choice.action("2") == .update(2))
        #expect(choice.action("3") == .command(3, ["true"]) && choice.url("3") == .one("app://x"))
        #expect("\(choice.command(1, ["sh", "-c", "echo x"]))".hasSuffix("does not execute: sh -c 'echo x'"))
    }

    static let actions: [(word: String, found: TargetChoice.Found)] = [
        ("go", .one("go")), ("1", .one("go")), ("Go", .one("go")), ("01", .one("go")), ("GO", .none),
        // The name of an action wins over a number.
        ("2", .one("2")), ("9", .one("2")), ("Two", .one("2")),
        ("3", .one("row")), ("Row", .one("row")), ("6", .otherKind(6)), ("Page", .none),
        ("Same", .several([4, 5])), ("5", .one("right")),
        // An area has a number but no title.
        ("8", .one("tap")), ("Area", .none),
        // A button of the other display mode has a name but no number.
        ("more", .one("more")), ("More", .none),
        ("0", .none), ("10", .none), ("99999999999999999999", .none), ("-1", .none), ("+1", .none), ("", .none),
    ]

    @Test(arguments: actions) func aWordMeansOneAction(word: String, found: TargetChoice.Found) throws {
        #expect(try Self.choice().action(word) == found)
    }

    static let links: [(word: String?, found: TargetChoice.Found)] = [
        ("2", .one("https://example.org/2")), ("Page", .one("https://example.org/2")),
        ("https://example.org/2", .one("https://example.org/2")), ("https://example.org", .none),
        ("3", .one("app://row")), ("Row", .one("app://row")), ("app://row", .one("app://row")),
        ("Top", .one("app://top")), ("7", .one("app://top")), ("1", .otherKind(1)), ("Go", .none), ("10", .none),
        (nil, .several([2, 3, 6, 7])),
    ]

    @Test(arguments: links) func aWordMeansOneLink(word: String?, found: TargetChoice.Found) throws {
        #expect(try Self.choice().url(word) == found)
    }

    @Test func withoutAWordTheOnlyLinkIsMeant() throws {
        let link: JSON = ["type": "link", "title": "a", "url": "app://a"]
        let again: JSON = ["type": "link", "title": "b", "url": "app://a"]
        #expect(try Self.choice(link).url(nil) == .one("app://a"))
        #expect(try Self.choice([link, again]).url(nil) == .one("app://a"))
        #expect(try Self.choice("text").url(nil) == .none)
        #expect(try Self.choice("text").url("1") == .none)
    }

    @Test func aWidgetWithoutContentHasNothingToChoose() throws {
        var item = try Item(JSONField(root: Wire.item("org.a.b")))
        item.content = nil
        #expect(TargetChoice(item).action("1") == .none)
    }

    @Test func theListNamesTheEffectOfEachTarget() throws {
        #expect(
            try Self.choice().list([1, 2, 3]) == [
                "1: Go (go)", "2: Page (https://example.org/2)", "3: Row (row, app://row)",
            ])
    }
}
