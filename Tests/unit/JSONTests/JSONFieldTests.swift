// SPDX-License-Identifier: MIT
import JSON
import Testing

@Suite struct JSONFieldTests {
    private static let root = JSONField(
        root: [
            "name": "disk", "count": 3, "whole": 4.0, "part": 0.5, "on": true, "nothing": nil,
            "compact": ["children": [["value": 1], ["value": "x"]]], "org.example": ["a b": 1, "": 2],
        ])

    @Test func readsEveryKindOfValue() throws {
        let root = Self.root
        #expect(try root.required("name").string() == "disk")
        #expect(try root.required("count").int() == 3)
        #expect(try root.required("whole").int() == 4)
        #expect(try root.required("count").double() == 3)
        #expect(try root.required("part").double() == 0.5)
        #expect(try root.required("on").bool())
        #expect(try root.required("compact").required("children").array().count == 2)
        #expect(try root.required("count").int(in: 0...3) == 3)
    }

    @Test func absentAndNullAreTheSameForAnOptionalMember() throws {
        #expect(try Self.root.optional("absent")?.value == nil)
        #expect(try Self.root.optional("nothing")?.value == nil)
        #expect(try Self.root.optional("name")?.string() == "disk")
    }

    /// One wrong decoding and the message it gets.
    struct Wrong: Sendable {
        let message: String
        let decode: @Sendable (JSONField) throws -> Void

        init(_ message: String, _ decode: @escaping @Sendable (JSONField) throws -> Void) {
            self.message = message
            self.decode = decode
        }
    }

    // Not inside @Test(arguments:): the compiler of Swift 6.0 crashes on closures there.
    static let wrongs = [
        Wrong("absent: is missing") { _ = try $0.required("absent") },
        Wrong("name: expected a whole number, found a string") { _ = try $0.required("name").int() },
        Wrong("part: expected a whole number, found 0.5") { _ = try $0.required("part").int() },
        Wrong("count: expected a whole number from 4 to 9, found 3") { _ = try $0.required("count").int(in: 4...9) },
        Wrong("nothing: expected a string, found null") { _ = try $0.required("nothing").string() },
        Wrong("on: expected a number, found true or false") { _ = try $0.required("on").double() },
        Wrong("count: expected true or false, found a number") { _ = try $0.required("count").bool() },
        Wrong("name: expected an array, found a string") { _ = try $0.required("name").array() },
        Wrong("name: expected an object, found a string") { _ = try $0.required("name").required("x") },
        Wrong("name: expected an object, found a string") { _ = try $0.required("name").optional("x") },
        Wrong("compact.children[1].value: expected a whole number, found a string") {
            _ = try $0.required("compact").required("children").array()[1].required("value").int()
        },
        Wrong(#"["org.example"]["a b"]: expected a string, found a number"#) {
            _ = try $0.required("org.example").required("a b").string()
        },
        Wrong(#"["org.example"][""]: expected a string, found a number"#) {
            _ = try $0.required("org.example").required("").string()
        },
        Wrong("is empty") { throw $0.fail("is empty") },
    ]

    @Test(arguments: wrongs)
    func saysWhatIsWrongAndWhere(_ wrong: Wrong) {
        #expect { try wrong.decode(Self.root) } throws: { ($0 as? JSONMismatch)?.description == wrong.message }
    }

    @Test func theRootCanHaveAName() throws {
        let root = JSONField(root: ["a": [1]], name: "content")
        #expect(try root.required("a").array()[0].path == "content.a[0]")
        let plain = JSONField(root: ["0a_z-A9": 1, "a b": 2, "": 3], name: "")
        #expect(try plain.required("0a_z-A9").path == "0a_z-A9")
        #expect(try plain.required("a b").path == "[\"a b\"]" && plain.required("").path == "[\"\"]")
    }

    @Test func anUnknownKeyIsNamedWithTheNearestKnownOne() throws {
        let field = JSONField(root: ["title": 1, "colour": "red", "zzz": 1])
        #expect(throws: Never.self) { try field.noOtherKeys(than: ["title", "colour", "zzz", "more"]) }
        #expect(throws: JSONMismatch(path: "colour", reason: #"unknown field, did you mean "color"?"#)) {
            try field.noOtherKeys(than: ["title", "color"])
        }
        #expect(throws: JSONMismatch(path: "zzz", reason: "unknown field")) {
            try field.noOtherKeys(than: ["title", "colour"])
        }
    }

    @Test func aHugeKeyDoesNotMakeAHugeMessage() {
        let key = String(repeating: "k", count: 1_000_000)
        #expect { try JSONField(root: .object([key: 1])).noOtherKeys(than: ["a"]) } throws: { error in
            (error as? JSONMismatch)?.description.utf8.count ?? .max < 200
        }
    }
}
