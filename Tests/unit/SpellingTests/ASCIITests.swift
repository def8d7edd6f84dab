// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import Spelling

/// What a byte is as a character, as ctype(3) says in the C locale, in which the tests run.
@Suite struct ASCIITests {
    @Test func everyByteIsWhatTheCLibrarySays() {
        for byte in UInt8.min...UInt8.max {
            let code = Int32(byte)
            #expect(byte.isDigit == (isdigit(code) != 0), "\(byte)")
            #expect(byte.isLetter == (isalpha(code) != 0), "\(byte)")
            #expect(byte.isAlphanumeric == (isalnum(code) != 0), "\(byte)")
            #expect(byte.isBlank == (isblank(code) != 0), "\(byte)")
            #expect(byte.isSpace == (isspace(code) != 0), "\(byte)")
        }
    }

    @Test(arguments: [("", false), ("0", true), ("0123456789", true), ("1a", false), ("a1", false), ("٣", false)])
    func digits(text: String, are: Bool) {
        #expect(text.utf8.areDigits == are)
    }

    @Test(arguments: [
        ("", ""), ("aZ09-._~", "aZ09-._~"), ("a b&c=d/é", "a%20b%26c%3Dd%2F%C3%A9"), ("\n\u{7f}%", "%0A%7F%25"),
    ])
    func percentEncoding(text: String, encoded: String) {
        #expect(text.percentEncoded == encoded)
    }

    @Test(arguments: [
        ("", "", ""), (" \t\r\n\u{b}\u{c}a b\n ", " \t\r\n\u{b}\u{c}a b\n ", "a b"), ("\u{feff} a", " a", "\u{feff} a"),
        ("a\u{feff}", "a\u{feff}", "a\u{feff}"), ("\u{a0}a", "\u{a0}a", "\u{a0}a"), ("   ", "   ", ""),
    ])
    func bytesAreTrimmed(text: String, unmarked: String, trimmed: String) {
        let bytes = Array(text.utf8)[...]
        #expect(bytes.withoutByteOrderMark.elementsEqual(unmarked.utf8))
        #expect(bytes.trimmed.elementsEqual(trimmed.utf8))
    }

    @Test func nounsAreCounted() {
        #expect([0, 1, 2].map { $0.counted("more line") } == ["0 more lines", "1 more line", "2 more lines"])
    }

    @Test func digitsHaveZerosInFront() {
        #expect((7.digits(2), 12.digits(2), 2026.digits(2), 0.digits(1)) == ("07", "12", "2026", "0"))
        #expect(UInt8(0xa).digits(2, radix: 16) == "0a")
        #expect(UInt64.max.digits(20, radix: 16, uppercase: true) == "0000FFFFFFFFFFFFFFFF")
    }
}
