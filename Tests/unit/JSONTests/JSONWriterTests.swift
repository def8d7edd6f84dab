// SPDX-License-Identifier: MIT
import JSON
import Testing

@Suite struct JSONWriterTests {
    @Test(
        arguments: [
            (nil, "null"), (true, "true"), (false, "false"), (0, "0"), (.int(.min), "-9223372036854775808"),
            (1.5, "1.5"), (3.0, "3.0"), (.double(-0.0), "-0.0"), (0.1, "0.1"), (1e100, "1e+100"),
            (.double(.leastNonzeroMagnitude), "5e-324"),
            ("", #""""#), ("a\"b\\c/d", #""a\"b\\c/d""#), ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
            ("\u{0}\u{1}\u{1F}\u{7F}", "\"\\u0000\\u0001\\u001f\u{7F}\""), ("grüße 🌦", "\"grüße 🌦\""),
            ([], "[]"), ([1, "two", [nil]], #"[1,"two",[null]]"#), ([:], "{}"),
            (["b": 1, "a": [:]], #"{"b":1,"a":{}}"#),
        ] as [(JSON, String)])
    func writesNothingThatNeedNotBeThere(_ value: JSON, _ text: String) throws {
        #expect(value.text == text)
        #expect(try JSON.parse(text) == value)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan])
    func whatIsNoNumberBecomesNull(_ value: Double) {
        #expect(JSON.array([.double(value)]).text == "[null]")
    }

    @Test func everyWholeNumberIsWrittenAsSwiftWritesIt() {
        var random = Xorshift(state: 7)
        var numbers: [Int64] = [0, .min, .max, .min + 1]
        var power: Int64 = 1
        for _ in 0..<18 {
            numbers += [power - 1, power, power + 1, -power]
            power *= 10
        }
        for shift in 0..<5_000 { numbers.append(Int64(bitPattern: random.next()) >> Int64(shift % 64)) }
        for number in numbers where JSON.int(number).text != "\(number)" { Issue.record("\(number)") }
    }

    @Test func everyDoubleIsReadBackAsItself() throws {
        var random = Xorshift(state: 42)
        for _ in 0..<20_000 {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            guard case .double(let again) = try JSON.parse(JSON.double(value).text) else {
                Issue.record("\(value) was not read back as a double")
                continue
            }
            #expect(again.bitPattern == value.bitPattern)
        }
    }

    @Test func appendsToWhatIsThere() {
        var bytes = Array("> ".utf8)
        JSON.array([1]).write(to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "> [1]")
    }

    @Test func prettyTextHasOneMemberPerLine() throws {
        let value: JSON = ["name": "disk", "empty": [], "none": [:], "parts": [1, ["a": nil]]]
        let pretty = """
            {
              "name": "disk",
              "empty": [],
              "none": {},
              "parts": [
                1,
                {
                  "a": null
                }
              ]
            }
            """
        #expect(value.pretty == pretty)
        #expect(try JSON.parse(pretty) == value)
    }
}
