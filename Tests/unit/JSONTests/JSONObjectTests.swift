// SPDX-License-Identifier: MIT
import JSON
import Testing

@Suite struct JSONObjectTests {
    @Test func keepsTheOrderInWhichKeysWereFirstSet() {
        var object: JSONObject = ["z": 1, "a": 2]
        object["m"] = 3
        object["z"] = 4
        #expect(object.keys == ["z", "a", "m"])
        #expect(object.map(\.value) == [4, 2, 3])
    }

    @Test func settingNilRemovesAndSettingNullDoesNot() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["a"] = nil
        object["b"] = .null
        #expect(object.keys == ["b"])
        #expect(object["b"] == .null)
        #expect(object["a"] == nil)
        #expect(!object.contains("a"))
    }

    @Test func orderDoesNotMatterForEquality() {
        let object: JSONObject = ["a": 1, "b": 2]
        #expect(object == ["b": 2, "a": 1])
        #expect(object != ["a": 1])
        #expect(object != ["a": 1, "b": 3])
        #expect(object != ["a": 1, "c": 2])
    }

    @Test func manyMembersBehaveAsFewDo() {
        var object = JSONObject((0..<100).map { ("k\($0)", JSON($0)) })
        object["k5"] = nil
        object["k50"] = "changed"
        #expect(object.count == 99)
        #expect(object["k5"] == nil)
        #expect(object["k50"] == "changed")
        #expect(object["k99"] == 99)
        for key in object.keys.dropFirst(3) { object[key] = nil }
        #expect(object == ["k0": 0, "k1": 1, "k2": 2])
    }

    @Test(arguments: [2, 40])
    func keysAreTheSameWhenTheirBytesAre(count: Int) {
        var object = JSONObject((0..<count - 2).map { ("k\($0)", 0) })
        object["\u{e9}"] = 1
        object["e\u{301}"] = 2
        #expect(object.count == count)
        #expect(object["\u{e9}"] == 1)
        object["\u{e9}"] = nil
        #expect(object["e\u{301}"] == 2)
        #expect(!object.contains("\u{e9}"))
        #expect(JSON("\u{e9}") != JSON("e\u{301}"))
    }

    @Test func aLiteralWithDuplicateKeysKeepsTheLast() {
        #expect(JSONObject(dictionaryLiteral: ("a", 1), ("a", 2)) == ["a": 2])
    }
}
