// SPDX-License-Identifier: MIT
import JSON
import Testing

@testable import Import

@Suite struct CommentedJSONTests {
    private func value(_ text: String) throws -> JSON { try CommentedJSON(Array(text.utf8)).value }

    private func failure(_ text: String) -> JSONSyntaxError? {
        do throws(JSONSyntaxError) {
            _ = try CommentedJSON(Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("{}", "{}"), ("[1, 2,]", "[1,2]"), ("{\"a\": 1,}", "{\"a\":1}"), ("{\"a\": [1 , // one\n ], }", "{\"a\":[1]}"),
        ("// x\n{\"a\": /* y */ 1}", "{\"a\":1}"),
        ("{\"a\": \"// no /* comment */\"}", "{\"a\":\"// no /* comment */\"}"),
        ("{\"a\": \"x\\\"// \"}", "{\"a\":\"x\\\"// \"}"), ("{\"a\": \"\\x41\\x20\"}", "{\"a\":\"A \"}"),
        ("{\"a\": \"x\ny\tz\"}", "{\"a\":\"x\\ny\\tz\"}"),
        ("{\"a\":[{},],\"b\":{\"c\":[],},}", "{\"a\":[{}],\"b\":{\"c\":[]}}"),
        ("/**/[]/***/", "[]"), ("{\"a\": \"b\", /* , */ }", "{\"a\":\"b\"}"), ("[\"a,]\"]", "[\"a,]\"]"),
        ("{\"a\": \"\\\\\"}// \\", "{\"a\":\"\\\\\"}"), ("{\"a\":1,\"a\":2}", "{\"a\":2}"),
    ])
    func lenientTexts(text: String, strict: String) throws {
        let value = try value(text)
        #expect(try value == JSON.parse(strict))
    }

    @Test(arguments: [
        ("", 1), ("{", 1), ("\n{\n\"a\": 1\n\n\"b\": 2}", 5), ("/* a\n\n", 1), ("\n\"a", 2), ("{\"a\": 1,,}", 1),
        ("{}\n}", 2), ("/", 1), ("{\"a\"\n\n: nul}", 3), ("{\"a\": \"x\n\n\", \n\"b\" 1}", 4),
        ("{\"a\": \"\\", 1),
        ("{\"a\": \"\\\n\"}", 1), ("{'a': 1}", 1), ("\u{0}", 1),
    ])
    func wrongTextsHaveALine(text: String, line: Int) throws {
        let found = try #require(failure(text))
        #expect(found.line == line, "\(found.reason)")
        #expect(!found.reason.isEmpty)
    }

    @Test func anOpenCommentIsSaid() {
        #expect(failure("{\"a\": 1, /* x\n")?.reason == "the comment is not closed")
        #expect(failure("/* x")?.reason == "the comment is not closed")
    }

    @Test func linesOfKeys() throws {
        let text = """
            // first
            {
              "a": { "b": 1, "a": 2 }, /* two
              lines */ "c": "x",
              "custom/d": [
                { "a": 1 }
              ],
              "e":
                1
            }
            """
        let json = try CommentedJSON(Array(text.utf8))
        let lines = ["a", "b", "c", "custom/d", "e", "x"].map { json.line(of: $0) }
        #expect(lines == [3, nil, 4, 5, 8, nil])
        #expect(json.repeated.isEmpty)
    }

    @Test func linesOfKeysInAnArray() throws {
        let json = try CommentedJSON(Array("[\n{\"a\": [1,\n2]},\n{\"b\": {\"a\": 1},\n\"a\": 2,\n\"a\": 3}]".utf8))
        #expect(json.line(of: "a", inElement: 0) == 2)
        #expect(json.line(of: "b", inElement: 1) == 4)
        #expect(json.line(of: "a", inElement: 1) == 6)
        #expect(json.line(of: "b", inElement: 0) == nil)
        #expect(json.repeated.map(\.key) == ["a"])
        #expect(json.repeated.map(\.line) == [6])
    }

    @Test func marksAreRefusedHoweverTheyAreWritten() {
        let marks = String(repeating: "\\u0301", count: 40)
        #expect(failure("{\"a\": \"e\(marks)\"}")?.reason.contains("combining marks") == true)
        #expect(failure("{\"e\(marks)\": 1}")?.reason.contains("combining marks") == true)
    }

    /// Bytes are checked also before a control character, which only lenient documents may contain.
    @Test func bytesAreUTF8() {
        for bytes in [[0xff], [0xff, 0x0a], [0x0a, 0xff], [0xc3, 0x0a, 0xa9]] as [[UInt8]] {
            #expect(throws: JSONSyntaxError.self) {
                _ = try CommentedJSON(Array("{\"a\": \"".utf8) + bytes + Array("\"}".utf8))
            }
        }
    }

    @Test func deepAndManyValuesAreRefused() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(failure(deep)?.reason.contains("deep") == true)
        let many = "[" + String(repeating: "0,", count: 200_000) + "]"
        #expect(failure(many)?.reason.contains("values") == true)
    }
}
