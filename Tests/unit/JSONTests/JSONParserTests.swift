// SPDX-License-Identifier: MIT
import JSON
import Testing

@Suite struct JSONParserTests {
    @Test(
        arguments: [
            ("null", nil), (" true ", true), ("false", false), ("0", 0), ("-0", 0), ("42", 42), ("-17", -17),
            ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
            ("9223372036854775808", 9223372036854775808.0), ("-9223372036854775809", -9223372036854775809.0),
            ("1.5", 1.5), ("-0.0", .double(-0.0)), ("1e3", 1000.0), ("1E+2", 100.0), ("25e-1", 2.5), ("1e-999", 0.0),
            ("0.1", 0.1), ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
            ("5e-324", .double(.leastNonzeroMagnitude)),
            (#""""#, ""), (#""plain""#, "plain"), (#""grüße 🌦 天気""#, "grüße 🌦 天気"),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\uD83c\udf26A""#, "é🌦A"),
            (#""a\u0000b""#, "a\0b"),
            (#""é\né""#, "é\né"), (#""12345678\n12345678""#, "12345678\n12345678"),
            ("[]", []), ("[ ]", []), ("[1, [2], {}]", [1, [2], [:]]),
            ("{}", [:]), (#" { "a" : 1 ,"b":[true]}"#, ["a": 1, "b": [true]]), ("\t\r\n[1]\n", [1]),
        ] as [(String, JSON)])
    func readsValidDocuments(_ text: String, _ expected: JSON) throws {
        #expect(try JSON.parse(text) == expected)
        #expect(try JSON.parse(Array(text.utf8)) == expected)
        #expect(try JSON.parse(Array("xx\(text)".utf8)[2...]) == expected)
    }

    @Test(arguments: [
        ("", "line 1, column 1: expected a value, found the end"),
        ("}", "line 1, column 1: expected a value, found '}'"),
        ("[1,]", "line 1, column 4: expected a value, found ']'"),
        ("[1 2]", "line 1, column 4: expected ',' or ']', found '2'"),
        ("{\"a\":1,\n}", "line 2, column 1: expected a key in double quotes, found '}'"),
        ("{a:1}", "line 1, column 2: expected a key in double quotes, found 'a'"),
        ("{\"a\" 1}", "line 1, column 6: expected ':', found '1'"),
        ("{\"a\":1 \"b\":2}", "line 1, column 8: expected ',' or '}', found '\"'"),
        ("1 2", "line 1, column 3: expected the end, found '2'"),
        ("[\n  NaN]", "line 2, column 3: expected a value, found 'NaN'"),
        ("-Infinity", "line 1, column 2: expected a digit, found 'Infinity'"),
        ("True", "line 1, column 1: expected a value, found 'True'"),
        ("nul", "line 1, column 1: expected a value, found 'nul'"),
        ("truefalse", "line 1, column 5: expected the end, found 'false'"),
        ("+1", "line 1, column 1: expected a value, found '+'"),
        (".5", "line 1, column 1: expected a value, found '.'"),
        ("1.", "line 1, column 3: expected a digit, found the end"),
        ("1e", "line 1, column 3: expected a digit, found the end"),
        ("1e+x", "line 1, column 4: expected a digit, found 'x'"),
        ("007", "line 1, column 1: a number cannot begin with 0"),
        ("-01", "line 1, column 2: a number cannot begin with 0"),
        ("1e999", "line 1, column 1: number out of range"),
        ("0x10", "line 1, column 2: expected the end, found 'x'"),
        ("'a'", "line 1, column 1: expected a value, found '''"),
        ("\"ab", "line 1, column 4: expected '\"' at the end of the string, found the end"),
        ("\"é\n\"", "line 1, column 3: control characters in a string must be escaped, found byte 0x0A"),
        ("\"\\x\"", "line 1, column 2: unknown escape; only \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX exist"),
        ("\"\\u12g4\"", "line 1, column 6: expected four hexadecimal digits, found 'g'"),
        ("\"\\ud800\"", "line 1, column 2: half of a surrogate pair without its other half"),
        ("\"\\udc00\"", "line 1, column 2: half of a surrogate pair without its other half"),
        ("\"\\ud800\\u0041\"", "line 1, column 2: half of a surrogate pair without its other half"),
        ("\"\\ud800\\", "line 1, column 2: half of a surrogate pair without its other half"),
        ("\u{FEFF}{}", "line 1, column 1: expected a value, found byte 0xEF"),
        ("/* no */ 1", "line 1, column 1: expected a value, found '/'"),
        ("\u{0}", "line 1, column 1: expected a value, found byte 0x00"),
        ("ü", "line 1, column 1: expected a value, found 'ü'"),
    ])
    func saysWhatIsWrongAndWhere(_ text: String, _ message: String) {
        #expect(throws: JSONSyntaxError.self) { try JSON.parse(text) }
        #expect(Self.message(Array(text.utf8)) == message)
    }

    @Test(
        arguments: [
            ([0x22, 0xFF, 0x22], 1), ([0x22, 0x61, 0xC3, 0x22], 2), ([0x22, 0xC0, 0x80, 0x22], 1),
            ([0x22, 0xED, 0xA0, 0x80, 0x22], 1), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1),
            ([0x22, 0xE2, 0x82, 0x5C, 0x6E, 0x22], 1),
            ([0x22, 0x5C, 0x6E, 0xC3, 0xA9, 0x80, 0x22], 5),
        ] as [([UInt8], Int)])
    func refusesInvalidUTF8AndSaysWhere(_ bytes: [UInt8], _ offset: Int) {
        #expect { try JSON.parse(bytes) } throws: { ($0 as? JSONSyntaxError)?.offset == offset }
    }

    @Test func theLastOfDuplicateKeysWins() throws {
        #expect(try JSON.parse(#"{"a":1,"b":2,"a":3}"#).text == #"{"a":3,"b":2}"#)
    }

    @Test func nestingIsBoundedWithoutUsingTheStack() throws {
        let deepest = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
        #expect(throws: Never.self) { try JSON.parse(deepest) }
        #expect(Self.message(Array("[\(deepest)]".utf8)) == "line 1, column 129: nested more than 128 levels deep")
        #expect(throws: JSONSyntaxError.self) { try JSON.parse([UInt8](repeating: 0x5B, count: 1_000_000)) }
        let objects = String(repeating: "{\"a\":", count: 200_000)
        #expect(throws: JSONSyntaxError.self) { try JSON.parse(objects) }
        #expect(throws: JSONSyntaxError.self) { try JSON.parse("[[]]", maxDepth: 1) }
    }

    private static func message(_ bytes: [UInt8]) -> String? {
        do throws(JSONSyntaxError) {
            _ = try JSON.parse(bytes)
            return nil
        } catch {
            return error.description
        }
    }
}
