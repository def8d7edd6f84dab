// SPDX-License-Identifier: MIT
import JSON
import Testing

@testable import Import

@Suite struct TOMLSubsetTests {
    private func value(_ text: String) throws -> JSON {
        let toml = TOMLSubset(Array("a = \(text)\nb = 1\n".utf8))
        #expect(toml.failures.isEmpty)
        #expect(toml.tables[0]["b"]?.value == 1)
        return try #require(toml.tables[0]["a"]?.value)
    }

    @Test(arguments: [
        ("1", "1"), ("-17", "-17"), ("+5", "5"), ("1_000", "1000"), ("0x1F", "31"), ("0o17", "15"), ("0b101", "5"),
        ("1.5", "1.5"), ("-0.25e2", "-25.0"), ("true", "true"), ("false # no", "false"), ("\"x\"", "\"x\""),
        ("\"a\\tb\\\"c\\\\\"", "\"a\\tb\\\"c\\\\\""), ("\"\\u00e4\\U0001F600\\x41\"", "\"ä😀A\""),
        ("'C:\\x'", "\"C:\\\\x\""),
        ("''", "\"\""), ("\"\"", "\"\""), ("\"\"\"\nx\ny\"\"\"", "\"x\\ny\""), ("\"\"\"a\\\n   b\"\"\"", "\"ab\""),
        ("'''\na\\n''b'''", "\"a\\\\n''b\""), ("\"\"\"x\"\"\"\"\"", "\"x\\\"\\\"\""), ("[1, 2,\n # c\n 3,]", "[1,2,3]"),
        ("[]", "[]"), ("[[1],['x']]", "[[1],[\"x\"]]"), ("{ x = 1, y = { z = 'q' } }", "{\"x\":1,\"y\":{\"z\":\"q\"}}"),
        ("{}", "{}"), ("{a.b = 1}", "{\"a.b\":1}"),
    ])
    func values(text: String, json: String) throws {
        let value = try value(text)
        #expect(try value == JSON.parse(json))
    }

    @Test(arguments: [
        "", "x", "\"x", "'x", "\"\\q\"", "\"\\u12\"", "\"\\ud800\"", "1 2", "[1", "[1 2]", "{x = 1", "{x 1}", "nan",
        "inf", "--1",
        "\"\"\"x", "'''x", "=", "]", "1.2.3", "0x", "99999999999999999999x", "tru",
    ])
    func aWrongValueCostsItsKey(text: String) {
        let toml = TOMLSubset(Array("before = 1\n[[block]]\na = \(text)\n\n[[block]]\nb = 2\n".utf8))
        #expect(toml.failures.first?.line == 3 || toml.failures.first?.line == 5)
        #expect(toml.tables[0]["before"]?.value == 1)
        #expect(toml.tables.last?["a"] == nil)
        #expect(toml.tables.last?["b"]?.value == 2)
    }

    @Test func tables() {
        let toml = TOMLSubset(
            Array(
                "x=1\n[a.b]\nc . 'd' = 2\n[[ block ]] # c\n\"e f\" = 3\n[block.click]\r\ng=4\r\n[bad\nh=5\n[[ok]]\ni=6"
                    .utf8))
        let names = toml.tables.map { $0.name.joined(separator: "|") }
        #expect(names == ["", "a|b", "block", "block|click", "ok"])
        #expect(toml.tables.map(\.isElement) == [false, false, true, false, true])
        #expect(toml.tables.map(\.line) == [1, 2, 4, 6, 10])
        #expect(toml.tables.flatMap(\.entries).map { $0.key.joined(separator: "|") } == ["x", "c|d", "e f", "g", "i"])
        #expect(toml.failures.map(\.line) == [8])
    }

    @Test func bracketsAreBounded() {
        let toml = TOMLSubset(Array(("a = " + String(repeating: "[", count: 100_000) + "\nb = 1").utf8))
        #expect(toml.failures.map(\.line) == [1])
        #expect(toml.tables[0]["b"]?.value == 1)
    }
}
