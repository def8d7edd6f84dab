// SPDX-License-Identifier: MIT
import JSON
import Testing
import Varlink

@Suite struct JSONParserHostileInputTests {
    private static let document = #"{"a":[1,-2.5e3,true,null,"x\n\u00e9\ud83c\udf26ü"],"b":{"c":{}},"c":"🌦"}"#

    @Test func everyTruncationOfADocumentIsRefused() throws {
        let bytes = Array(Self.document.utf8)
        #expect(throws: Never.self) { try JSON.parse(bytes) }
        for length in 0..<bytes.count {
            #expect { try JSON.parse(bytes[..<length]) } throws: { error in
                guard let offset = (error as? JSONSyntaxError)?.offset else { return false }
                return offset <= length
            }
        }
    }

    @Test func everyByteReplacedByEveryOtherIsAnsweredAndWhatIsAcceptedRoundTrips() throws {
        let bytes = Array(Self.document.utf8)
        var accepted = 0
        for position in bytes.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = bytes
                changed[position] = byte
                guard let value = try? JSON.parse(changed) else { continue }
                accepted += 1
                #expect(try JSON.parse(value.text) == value)
            }
        }
        #expect(accepted > bytes.count)
    }

    @Test func randomBytesNeverHarm() {
        var random = Xorshift(state: 0x5EED)
        let alphabet = Array(#"{}[]",:\0123456789.eE+-truefalsn u"#.utf8) + [0x00, 0x0A, 0x80, 0xC3, 0xA9, 0xFF]
        var refused = 0
        for _ in 0..<20_000 {
            let count = Int(random.next() % 24)
            let bytes = (0..<count).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
            do throws(JSONSyntaxError) {
                let value = try JSON.parse(bytes)
                #expect(try JSON.parse(value.text) == value)
            } catch {
                refused += 1
                #expect(error.offset <= bytes.count)
            }
        }
        #expect(refused > 10_000)
    }

    @Test func aMillionKeysTakeNoQuadraticTime() throws {
        let keys = 100_000
        let text = "{\((0..<keys).map { "\"key\($0)\":\($0)" }.joined(separator: ","))}"
        let object = try #require(JSON.parse(text).objectValue)
        #expect(object.count == keys)
        #expect(object["key99999"] == 99_999)
    }

    @Test func valuesAreCounted() throws {
        let document = "[\(Array(repeating: "[1]", count: 50).joined(separator: ","))]"
        #expect(throws: Never.self) { try JSON.parse(document, maxValues: 101) }
        #expect {
            try JSON.parse(document, maxValues: 100)
        } throws: { error in
            "\(error)".contains("more than 100 values")
        }
        let call = "{\"method\":\"a.b\",\"parameters\":{\"a\":[\(String(repeating: "0,", count: 100_000))0]}}"
        #expect(throws: VarlinkProtocolError.self) { try VarlinkCall(parsing: Array(call.utf8)) }
    }

    /// To compare such a string would take hours.
    @Test(arguments: ["\u{315}\u{300}", #"\u0315\u0300"#, "\u{f73}\u{f71}"])
    func aHeapOfCombiningMarksIsRefused(marks: String) throws {
        let heap = String(repeating: marks, count: 500_000)
        for document in [#"{"a\#(heap)":1,"a\#(heap)":2}"#, #"["a\#(heap)"]"#] {
            #expect {
                try JSON.parse(document)
            } throws: { error in
                "\(error)".contains("a string with more than 30 combining marks on one letter")
            }
        }
        let bearable = "a" + String(repeating: "\u{315}\u{300}", count: 15)
        #expect(try JSON.parse("[\"\(bearable)\u{e9}\(bearable)\"]") == [.string("\(bearable)\u{e9}\(bearable)")])
    }

    @Test func aNumberOfAMillionDigitsIsReadAsADouble() throws {
        let digits = String(repeating: "1", count: 300)
        #expect(try JSON.parse(digits).doubleValue != nil)
        #expect(try JSON.parse("0.\(String(repeating: "3", count: 1_000_000))").doubleValue == 1.0 / 3)
        #expect(throws: JSONSyntaxError.self) { try JSON.parse(String(repeating: "9", count: 1_000_000)) }
    }
}

/// Random numbers that are the same in every run (Marsaglia, Xorshift RNGs, 2003).
struct Xorshift: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
