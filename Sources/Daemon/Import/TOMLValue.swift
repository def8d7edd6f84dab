// SPDX-License-Identifier: MIT
import JSON

/// Values of TOML.
extension TOMLScanner {
    /// The equals sign and the value behind a key.
    mutating func assignment() throws(TOMLSubset.Failure) -> JSON {
        guard consume(UInt8(ascii: "=")) else { throw failure("there is no = behind the key") }
        return try value(level: 0)
    }

    private mutating func value(level: Int) throws(TOMLSubset.Failure) -> JSON {
        skipBlanks()
        guard level <= Self.mostLevels else { throw failure("more than \(Self.mostLevels) brackets are open") }
        switch next {
        case UInt8(ascii: "\""): return .string(try isTriple ? multilineString() : basicString())
        case UInt8(ascii: "'"): return .string(try isTriple ? multilineLiteral() : literalString())
        case UInt8(ascii: "["): return try array(level)
        case UInt8(ascii: "{"): return try inlineTable(level)
        default: return try scalar()
        }
    }

    private mutating func array(_ level: Int) throws(TOMLSubset.Failure) -> JSON {
        advance()
        var elements: [JSON] = []
        while true {
            skipLines()
            if consume(UInt8(ascii: "]")) { return .array(elements) }
            elements.append(try value(level: level + 1))
            skipLines()
            if consume(UInt8(ascii: ",")) { continue }
            guard next == UInt8(ascii: "]") else { throw failure("the array is not closed") }
        }
    }

    private mutating func inlineTable(_ level: Int) throws(TOMLSubset.Failure) -> JSON {
        advance()
        var object = JSONObject()
        while true {
            skipLines()
            if consume(UInt8(ascii: "}")) { return .object(object) }
            let key = try key()
            guard consume(UInt8(ascii: "=")) else { throw failure("there is no = behind the key") }
            object[key.joined(separator: ".")] = try value(level: level + 1)
            skipLines()
            if consume(UInt8(ascii: ",")) { continue }
            guard next == UInt8(ascii: "}") else { throw failure("the inline table is not closed") }
        }
    }

    /// A number, a boolean, or a date.
    private mutating func scalar() throws(TOMLSubset.Failure) -> JSON {
        let start = position
        while let byte = next, Self.isOfScalar(byte) { position += 1 }
        let word = String(decoding: input[start..<position], as: UTF8.self)
        if word.isEmpty { throw failure("there is no value") }
        if word == "true" { return .bool(true) }
        if word == "false" { return .bool(false) }
        if let number = Self.number(word) { return number }
        return try date(word)
    }

    private static func isOfScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "."), UInt8(ascii: ":"):
            true
        default: false
        }
    }

    private func date(_ word: String) throws(TOMLSubset.Failure) -> JSON {
        let isDate = word.utf8.allSatisfy { byte in
            byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || "-:.+TZtz".utf8.contains(byte)
        }
        guard isDate, word.utf8.count >= 8 else { throw failure("this is no value; a text stands in quotes") }
        return .string(word)
    }

    private static func number(_ word: String) -> JSON? {
        let digits = String(word.filter { $0 != "_" })
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where digits.hasPrefix(prefix) {
            return Int64(digits.dropFirst(2), radix: radix).map(JSON.int)
        }
        if let number = Int64(digits) { return .int(number) }
        guard let number = Double(digits), digits.utf8.contains(where: { $0 >= 0x30 && $0 <= 0x39 }), number.isFinite
        else { return nil }
        return .double(number)
    }

    // MARK: - Strings

    private var isTriple: Bool { next == byte(after: 1) && next == byte(after: 2) }

    mutating func literalString() throws(TOMLSubset.Failure) -> String {
        advance()
        let start = position
        while let byte = next, byte != UInt8(ascii: "\n") {
            position += 1
            if byte == UInt8(ascii: "'") { return String(decoding: input[start..<(position - 1)], as: UTF8.self) }
        }
        throw failure("the string is not closed")
    }

    mutating func basicString() throws(TOMLSubset.Failure) -> String {
        advance()
        var text: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: "\n") {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(into: &text)
            default: text.append(byte)
            }
        }
        throw failure("the string is not closed")
    }

    private mutating func multilineLiteral() throws(TOMLSubset.Failure) -> String {
        try multiline(quote: UInt8(ascii: "'"), hasEscapes: false)
    }

    private mutating func multilineString() throws(TOMLSubset.Failure) -> String {
        try multiline(quote: UInt8(ascii: "\""), hasEscapes: true)
    }

    private mutating func multiline(quote: UInt8, hasEscapes: Bool) throws(TOMLSubset.Failure) -> String {
        let opening = line
        position += 3
        // A line end right behind the quotes does not count.
        if next == UInt8(ascii: "\r"), byte(after: 1) == UInt8(ascii: "\n") { advance() }
        if next == UInt8(ascii: "\n") { advance() }
        var text: [UInt8] = []
        while let byte = next {
            if byte == quote, isTriple {
                position += 3
                // Up to two quotes may stand before the closing ones.
                while next == quote {
                    text.append(quote)
                    position += 1
                }
                return String(decoding: text, as: UTF8.self)
            }
            advance()
            if hasEscapes, byte == UInt8(ascii: "\\") { try escape(into: &text) } else { text.append(byte) }
        }
        throw TOMLSubset.Failure(line: opening, reason: "the string is not closed")
    }

    private mutating func escape(into text: inout [UInt8]) throws(TOMLSubset.Failure) {
        guard let letter = next else { throw failure("the string is not closed") }
        switch letter {
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "e"): text.append(0x1b)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(letter)
        case UInt8(ascii: "x"): return try character(2, into: &text)
        case UInt8(ascii: "u"): return try character(4, into: &text)
        case UInt8(ascii: "U"): return try character(8, into: &text)
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: " "), UInt8(ascii: "\t"):
            // A backslash at the end of a line takes away all blanks and line ends that follow.
            while let byte = next, INIText.isBlank(byte) || byte == 0x0a || byte == 0x0d { advance() }
            return
        default: throw failure("there is no escape \\\(Unicode.Scalar(letter))")
        }
        position += 1
    }

    private mutating func character(_ count: Int, into text: inout [UInt8]) throws(TOMLSubset.Failure) {
        position += 1
        let digits = input[position..<min(position + count, input.count)]
        guard digits.count == count, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
            let scalar = Unicode.Scalar(number)
        else { throw failure("an escape with a number needs \(count) hexadecimal digits of a character") }
        text += String(Character(scalar)).utf8
        position += count
    }
}
