// SPDX-License-Identifier: MIT

/// A byte of text as a character of ASCII. The bytes of all other characters, from 0x80 on, are none of these.
extension UInt8 {
    @inlinable package var isDigit: Bool { 0x30...0x39 ~= self }

    @inlinable package var isLetter: Bool { 0x61...0x7a ~= self | 0x20 }

    @inlinable package var isAlphanumeric: Bool { isLetter || isDigit }

    /// A space or a tab, isblank(3).
    @inlinable package var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// White space, with the ends of lines and pages, isspace(3).
    @inlinable package var isSpace: Bool { self == 0x20 || 0x09...0x0d ~= self }
}

extension Collection<UInt8> {
    /// Whether there are bytes, and all are digits.
    @inlinable package var areDigits: Bool { !isEmpty && allSatisfy { $0.isDigit } }
}

extension ArraySlice<UInt8> {
    /// Without white space at its ends.
    package var trimmed: Self { trimming(\.isSpace) }

    /// Without the byte-order mark that some editors write in front of UTF-8.
    package var withoutByteOrderMark: Self { starts(with: [0xef, 0xbb, 0xbf]) ? dropFirst(3) : self }
}

extension String {
    /// As a part of a URL: all bytes except the unreserved characters of RFC 3986, section 2.3, are escaped.
    package var percentEncoded: String {
        var text = ""
        for byte in utf8 {
            if byte.isAlphanumeric || "-._~".utf8.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + byte.digits(2, radix: 16, uppercase: true)
            }
        }
        return text
    }
}

extension BinaryInteger {
    /// `1 widget`, `3 widgets`.
    package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }

    /// At least so many digits, with zeros in front. The number is not negative.
    package func digits(_ least: Int, radix: Int = 10, uppercase: Bool = false) -> String {
        let digits = String(self, radix: radix, uppercase: uppercase)
        return String(repeating: "0", count: Swift.max(0, least - digits.utf8.count)) + digits
    }
}
