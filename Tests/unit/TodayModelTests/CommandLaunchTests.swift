// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

@Suite struct CommandLaunchTests {
    @Test func itIsTheSameAfterItsJourney() throws {
        let launch = CommandLaunch(directory: "/a b", environment: ["A": "", "B": "x\ny"])
        #expect(try CommandLaunch(JSONField(root: .object(launch.json))) == launch)
    }

    private static func content(_ compact: JSON, _ expanded: JSON? = nil) throws -> Content {
        var json: JSONObject = ["text": "x", "compact": compact]
        if let expanded { json["expanded"] = expanded }
        return try Content(JSONField(root: .object(json)))
    }

    @Test func commandsOfItemsAreOfferedInEachModeAndDepth() throws {
        let item: JSON = ["type": "item", "title": "a", "command": ["a", "b"]]
        let nested: JSON = ["type": "item", "title": "n", "children": [["type": "vstack", "children": [item]]]]
        for content in [try Self.content(item), try Self.content("x", item), try Self.content("x", nested)] {
            #expect(content.offers(["a", "b"]))
            #expect(!content.offers(["a"]) && !content.offers(["a", "b", "c"]) && !content.offers(["a", "B"]))
        }
        #expect(!(try Self.content("x").offers([])))
    }

    /// Equal as text, and other bytes for the program.
    @Test func wordsAreComparedByteByByte() throws {
        let content = try Self.content(["type": "item", "title": "a", "command": ["caf\u{E9}"]])
        #expect(content.offers(["caf\u{E9}"]) && !content.offers(["cafe\u{301}"]))
    }

    @Test func aDisabledItemOffersNothing() throws {
        let inner: JSON = ["type": "item", "title": "i", "command": ["b"]]
        let item: JSON = [
            "type": "item", "title": "a", "command": ["a"], "disabled": true, "children": [inner],
        ]
        let content = try Self.content(item)
        #expect(!content.offers(["a"]) && content.offers(["b"]))
    }
}
