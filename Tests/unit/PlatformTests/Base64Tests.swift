// SPDX-License-Identifier: MIT
import Testing

@testable import Platform

@Suite struct Base64Tests {
    /// RFC 4648, section 10, and the digits that differ most.
    static let vectors: [(text: String, bytes: String?)] = [
        ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba"),
        ("Zm9vYmFy", "foobar"), ("Zm8", "fo"), ("Z", nil), ("Zm9vY", nil), ("Zm 9", nil), ("Zm-_", nil),
        ("Zm9\u{E9}", nil), ("Zg=", nil), ("Zg===", nil), ("Zm9v=", nil), ("Zg=v", nil), ("=", nil), ("Zm9v====", nil),
    ]

    @Test(arguments: vectors.indices) func textIsReadAsBytes(index: Int) {
        let (text, bytes) = Self.vectors[index]
        #expect(Base64.decode(text) == bytes.map { Array($0.utf8) })
        #expect(Base64.isText(text) == (bytes != nil))
        if let bytes, text.count % 4 == 0 { #expect(Base64.encode(Array(bytes.utf8)) == text) }
    }

    @Test func allDigitsAreRead() throws {
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        let bytes = try #require(Base64.decode(digits))
        #expect(Base64.encode(bytes) == digits)
        #expect(bytes.count == 48 && bytes.prefix(3) == [0x00, 0x10, 0x83] && bytes.suffix(3) == [0xf3, 0xdf, 0xbf])
    }
}
