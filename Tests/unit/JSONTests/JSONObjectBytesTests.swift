// SPDX-License-Identifier: MIT
import JSON
import Testing

@Suite struct JSONObjectBytesTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func membersAreValuesBytesAndArraysOfBytes() throws {
        var object = JSONObjectBytes()
        object.add("a\"", 1)
        object.add("b", bytes: Array("[true]".utf8))
        object.add("c", array: [])
        object.add("d", array: [Array("1".utf8), Array("{}".utf8)])
        let bytes = object.end()
        #expect(text(bytes) == #"{"a\"":1,"b":[true],"c":[],"d":[1,{}]}"#)
        #expect(try JSON.parse(bytes) == ["a\"": 1, "b": [true], "c": [], "d": [1, [:]]])
    }

    @Test(arguments: [("{}", #"{"n":2}"#), (#"{"m":1}"#, #"{"m":1,"n":2}"#)])
    func anObjectIsGoneOnWith(before: String, after: String) {
        var object = JSONObjectBytes(reopening: Array(before.utf8))
        object.add("n", 2)
        #expect(text(object.end()) == after)
        #expect(text(JSONObjectBytes(reopening: Array(before.utf8)).end()) == before)
    }
}
