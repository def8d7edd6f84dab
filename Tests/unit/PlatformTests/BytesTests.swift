// SPDX-License-Identifier: MIT
import Platform
import Testing

@Suite struct StableHashTests {
    /// The vectors of the FNV specification.
    @Test(arguments: [
        ("", 0xcbf2_9ce4_8422_2325 as UInt64), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
    ])
    func aTextHasTheHashOfFNV1a(text: String, hash: UInt64) {
        #expect(StableHash(text.utf8).value == hash)
    }

    @Test func partsHashAsTheWhole() {
        var hash = StableHash("foo".utf8)
        hash.combine(UInt8(ascii: "b"))
        hash.combine("ar".utf8)
        #expect(hash == StableHash("foobar".utf8))
    }
}

@Suite struct CStringsTests {
    /// The kernel would end it there.
    @Test func aStringWithNULIsNotAdded() {
        var strings = CStrings()
        let added = ["a", "b\0c", "", "d"].map { strings.append($0) }
        #expect(added == [true, false, true, true])
        let texts = strings.withPointers { pointers in
            (0..<4).map { index in pointers?[index].map { String(cString: $0) } }
        }
        #expect(texts == ["a", "", "d", nil])
    }

    @Test func aVariableWithNULIsNotAdded() {
        var strings = CStrings()
        let added = [("A", "1"), ("B", "x\0y"), ("C\0", "2"), ("D", ""), ("E", "ü=3")].map {
            strings.append(variable: $0, $1)
        }
        #expect(added == [true, false, false, true, true])
        let texts = strings.withPointers { pointers in
            (0..<4).map { index in pointers?[index].map { String(cString: $0) } }
        }
        #expect(texts == ["A=1", "D=", "E=ü=3", nil])
    }
}

@Suite struct InvalidUTF8Tests {
    private struct Rule: Sendable {
        let bytes: [UInt8]
        let offset: Int?
    }

    private static let rules: [Rule] = [
        Rule(bytes: [], offset: nil), Rule(bytes: Array("aé€😀".utf8), offset: nil),
        Rule(bytes: [0xff], offset: 0), Rule(bytes: [0x61, 0x80], offset: 1),
        // A euro sign without its last byte, at the end and before a letter.
        Rule(bytes: [0x61, 0xe2, 0x82], offset: 1), Rule(bytes: [0x61, 0xe2, 0x82, 0x61], offset: 1),
        // An overlong slash, half of a surrogate pair, and beyond the last scalar.
        Rule(bytes: [0xc0, 0xaf], offset: 0), Rule(bytes: [0xc3, 0xa9, 0xed, 0xa0, 0x80], offset: 2),
        Rule(bytes: [0xf4, 0x90, 0x80, 0x80], offset: 0),
    ]

    @Test(arguments: rules) private func theFirstInvalidByteIsFound(_ rule: Rule) {
        #expect(InvalidUTF8.firstOffset(in: rule.bytes[...]) == rule.offset)
        // Offsets count from the start of the slice.
        #expect(InvalidUTF8.firstOffset(in: ([0x61, 0x61] + rule.bytes)[2...]) == rule.offset)
    }
}
