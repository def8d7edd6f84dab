// SPDX-License-Identifier: MIT

/// Bytes as text and back: RFC 4648, section 4.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                let sixth = Int(bits >> UInt32(18 - 6 * place) & 0x3f)
                text.append(place <= group.count ? alphabet[sixth] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil for text that is not base64.
    package static func decode(_ text: String) -> [UInt8]? {
        guard let digits = digits(of: text) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var count = 0
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }

    /// Whether `decode` gives bytes.
    package static func isText(_ text: String) -> Bool {
        digits(of: text)?.allSatisfy { value(of: $0) != nil } ?? false
    }

    /// The digits before the padding, which programs often leave out. Nil for a number of digits that no bytes encode to, and
    /// for more padding than that number needs.
    private static func digits(of text: String) -> Substring.UTF8View? {
        let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        let filling = text.utf8.dropFirst(digits.count)
        guard digits.count % 4 != 1, filling.allSatisfy({ $0 == UInt8(ascii: "=") }) else { return nil }
        return filling.isEmpty || (digits.count + filling.count) % 4 == 0 && filling.count < 3 ? digits : nil
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit) + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
