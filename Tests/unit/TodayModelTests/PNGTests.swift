// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

@Suite struct PNGTests {
    private static let first = "iVBORw0KGgoAAAA="
    private static let second = "iVBORw0KGgoBBBBB"

    private static func content(_ compact: JSON, _ expanded: JSON? = nil) throws -> Content {
        var json: JSONObject = ["text": "x", "compact": compact]
        if let expanded { json["expanded"] = expanded }
        return try Content(JSONField(root: .object(json)))
    }

    @Test func hostsGetNamesAndFetchTheBytes() throws {
        let item: JSON = [
            "type": "item", "title": "a", "png": .string(Self.second),
            "children": [["type": "grid", "columns": 1, "children": [["type": "image", "png": .string(Self.first)]]]],
        ]
        let content = try Self.content(["type": "image", "png": .string(Self.first), "label": "l"], ["text", item])
        let named = content.namingPictures
        #expect(!named.json.text.contains("iVBOR") && content.json.text.contains("iVBOR"))
        let names = named.pictureNames
        #expect(names.count == 2 && names == content.pictureNames)
        #expect(names.map { content.picture(named: $0) } == [Self.first, Self.second])
        #expect(content.picture(named: "") == nil && named.picture(named: names[0]) == nil)
        // A client reads what the daemon sends.
        #expect(try Content(JSONField(root: named.json, isTolerant: true)) == named)
        // What has no picture stays as it is.
        let plain = try Self.content("text", ["type": "image", "symbol": "x"])
        #expect(plain.namingPictures == plain && plain.pictureNames.isEmpty)
    }

    @Test func aNameHasSixteenDigits() {
        for text in ["", "a", Self.first, Self.second] {
            let name = PNG.data(text).name
            #expect(name.utf8.count == 16 && name == PNG.named(name).name)
        }
        #expect(PNG.data(Self.first).name != PNG.data(Self.second).name)
    }

    /// A widget sends bytes; a name would be that of nothing.
    @Test func aWidgetCannotSendANameOrAnythingElse() throws {
        for (key, value) in [
            ("image", "9ae16a3b2f90404f"), ("png", "GIF89a"), ("png", "iVBORw0KGgo AAA"), ("png", "iVBORw0KGgo\n"),
            ("png", "iVBORw0KGg" + String(repeating: "A", count: ContentLimits.imageBytes)),
        ] {
            for type in ["image", "item"] {
                let view: JSON = ["type": .string(type), "title": "t", key: .string(value)]
                let image: JSON = ["type": "image", key: .string(value)]
                #expect(throws: JSONMismatch.self) { try Self.content(type == "item" ? view : image) }
            }
        }
        let longest = "iVBORw0KGg" + String(repeating: "A", count: ContentLimits.imageBytes - 10)
        #expect(try Self.content(["type": "image", "png": .string(longest)]).pictureNames.count == 1)
    }
}
