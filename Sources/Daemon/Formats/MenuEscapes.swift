// SPDX-License-Identifier: MIT

/// What a backslash means in the text of a line.
enum MenuEscapes {
    static func read(_ text: String, of dialect: MenuFormat.Dialect, _ attributes: MenuAttributes) -> String {
        guard text.utf8.contains(backslash) else { return text }
        switch dialect {
        case .argos: return attributes.readsEscapes ? compressed(text) : text
        // xbar reads the text as a string of Go, so that `\033[31m` is a colour. A text that is not one stays as it is.
        case .xbar: return attributes.readsANSI ? unquoted(text) ?? text : text
        // A title with a line feed has two lines; here it is one.
        case .bitbar, .swiftbar: return withLineFeeds(text)
        }
    }

    private static let backslash = UInt8(ascii: "\\")
    /// A backslash after this character ends a sequence for the terminal, such as that of a link.
    private static let escape: UInt8 = 0x1b

    /// As in g_strcompress(): a backslash before any other character stands for that character.
    private static func compressed(_ text: String) -> String {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == backslash, result.last != escape else {
                result.append(byte)
                continue
            }
            guard let letter = rest.first else { break }
            if let octal = takeNumber(from: &rest, digits: 1...3, radix: 8) {
                result.append(UInt8(truncatingIfNeeded: octal))
            } else {
                rest = rest.dropFirst()
                result.append(control(letter) ?? letter)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// An interpreted string literal of Go without its quotes; nil if it is not one.
    private static func unquoted(_ text: String) -> String? {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte != UInt8(ascii: "\"") else { return nil }
            guard byte == backslash, result.last != escape else {
                result.append(byte)
                continue
            }
            guard let letter = rest.first else { return nil }
            if let octal = takeNumber(from: &rest, digits: 3...3, radix: 8) {
                guard let value = UInt8(exactly: octal) else { return nil }
                result.append(value)
                continue
            }
            rest = rest.dropFirst()
            switch letter {
            case UInt8(ascii: "x"):
                guard let value = takeNumber(from: &rest, digits: 2...2, radix: 16) else { return nil }
                result.append(UInt8(truncatingIfNeeded: value))
            case UInt8(ascii: "u"), UInt8(ascii: "U"):
                let count = letter == UInt8(ascii: "u") ? 4 : 8
                guard let value = takeNumber(from: &rest, digits: count...count, radix: 16),
                    let scalar = Unicode.Scalar(value)
                else { return nil }
                result += String(scalar).utf8
            case backslash, UInt8(ascii: "\""): result.append(letter)
            default:
                guard let value = control(letter) ?? (letter == UInt8(ascii: "a") ? 0x07 : nil) else { return nil }
                result.append(value)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// `\n` alone.
    private static func withLineFeeds(_ text: String) -> String {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == backslash, rest.first == UInt8(ascii: "n"), result.last != escape {
                rest = rest.dropFirst()
                result.append(UInt8(ascii: "\n"))
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func control(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0c
        case UInt8(ascii: "n"): 0x0a
        case UInt8(ascii: "r"): 0x0d
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "v"): 0x0b
        default: nil
        }
    }

    /// Consumes a number of at most this many digits.
    private static func takeNumber(from rest: inout ArraySlice<UInt8>, digits: ClosedRange<Int>, radix: Int) -> UInt32?
    {
        let text = rest.prefix(digits.upperBound).prefix { byte in
            Character(Unicode.Scalar(byte)).hexDigitValue.map { $0 < radix } ?? false
        }
        guard digits.contains(text.count), let value = UInt32(String(decoding: text, as: UTF8.self), radix: radix)
        else {
            return nil
        }
        rest = rest.dropFirst(text.count)
        return value
    }
}
