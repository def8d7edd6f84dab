// SPDX-License-Identifier: MIT
import Testing

@testable import TodayClient

@Suite struct Base64Tests {
    /// RFC 4648, section 10, and the digits that differ most.
    static let vectors: [(text: String, bytes: String?)] = [
        ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba"),
        ("Zm9vYmFy", "foobar"), ("Zm8", "fo"), ("Z", nil), ("Zm9vY", nil), ("Zm 9", nil), ("Zm-_", nil),
        ("Zm9\u{E9}", nil),
    ]

    @Test(arguments: vectors.indices) func textIsReadAsBytes(index: Int) {
        let (text, bytes) = Self.vectors[index]
        #expect(Base64.decode(text) == bytes.map { Array($0.utf8) })
    }

    @Test func allDigitsAreRead() throws {
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        let bytes = try #require(Base64.decode(digits))
        #expect(bytes.count == 48 && bytes.prefix(3) == [0x00, 0x10, 0x83] && bytes.suffix(3) == [0xf3, 0xdf, 0xbf])
    }
}
