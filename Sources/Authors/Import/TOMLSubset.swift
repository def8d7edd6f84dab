// SPDX-License-Identifier: MIT
import JSON
import Spelling

/// The tables of a file in TOML, in their order: strings, numbers, booleans, arrays, inline tables and comments; no dates. A
/// part that cannot be read costs only its key or table, and a failure says where it is.
struct TOMLSubset {
    struct Entry: Equatable {
        /// The parts of a dotted key.
        var key: [String]
        var value: JSON
        var line: Int
    }

    struct Table: Equatable {
        /// Empty for the part before the first header.
        var name: [String]
        /// `[[name]]`: one more element of an array of tables.
        var isElement: Bool
        var line: Int
        var entries: [Entry] = []

        /// The value of a key that has one part.
        subscript(key: String) -> Entry? { entries.last { $0.key.count == 1 && $0.key[0].isSpelled(as: key) } }
    }

    struct Failure: Error, Equatable {
        var line: Int
        var reason: String
    }

    private(set) var tables = [Table(name: [], isElement: false, line: 1)]
    private(set) var failures: [Failure] = []

    init(_ bytes: [UInt8]) {
        var scanner = TOMLScanner(bytes)
        // Lines below a header that cannot be read belong to no other table.
        var isLost = false
        while true {
            scanner.skip(lines: true)
            guard let next = scanner.next else { return }
            let (start, line) = (scanner.position, scanner.line)
            do throws(Failure) {
                if next == UInt8(ascii: "[") {
                    isLost = true
                    let (name, isElement) = try scanner.header()
                    tables.append(Table(name: name, isElement: isElement, line: line))
                    isLost = false
                } else {
                    let entry = try Entry(key: scanner.key(), value: scanner.assignment(), line: line)
                    try scanner.endOfLine()
                    if !isLost { tables[tables.count - 1].entries.append(entry) }
                }
            } catch {
                failures.append(error)
                scanner.goOn(after: start, line: line)
            }
        }
    }
}

/// Reads headers, keys and values from bytes of valid UTF-8.
private struct TOMLScanner {
    let input: [UInt8]
    private(set) var position = 0
    private(set) var line = 1
    /// How many arrays and inline tables may be open.
    private static let mostLevels = 8
    private static let bare = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-".utf8)

    init(_ input: [UInt8]) { self.input = input }

    var next: UInt8? { position < input.count ? input[position] : nil }

    private func fail(_ reason: String) -> TOMLSubset.Failure { TOMLSubset.Failure(line: line, reason: reason) }

    private mutating func take() -> UInt8? {
        guard let byte = next else { return nil }
        if byte == UInt8(ascii: "\n") { line += 1 }
        position += 1
        return byte
    }

    /// Consumes the text if it comes next.
    private mutating func takes(_ text: StaticString) -> Bool {
        let isNext = text.withUTF8Buffer { input[position...].starts(with: $0) }
        if isNext { position += text.utf8CodeUnitCount }
        return isNext
    }

    private mutating func take(while isTaken: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = next, isTaken(byte) { position += 1 }
        return String(decoding: input[start..<position], as: UTF8.self)
    }

    /// Skips blanks and a comment; with `lines`, also line ends and further comments.
    mutating func skip(lines: Bool = false) {
        repeat {
            _ = take(while: \.isBlank)
            if next == UInt8(ascii: "#") { _ = take { $0 != UInt8(ascii: "\n") } }
        } while lines && (takes("\r") || next == UInt8(ascii: "\n") && take() != nil)
    }

    mutating func endOfLine() throws(TOMLSubset.Failure) {
        skip()
        _ = takes("\r")
        guard next == nil || take() == UInt8(ascii: "\n") else { throw fail("something follows the value") }
    }

    /// Continues after the line in which a failed entry begins.
    mutating func goOn(after start: Int, line: Int) {
        (position, self.line) = (start, line)
        while let byte = take(), byte != UInt8(ascii: "\n") {}
    }

    mutating func header() throws(TOMLSubset.Failure) -> (name: [String], isElement: Bool) {
        position += 1
        let isElement = takes("[")
        let name = try key()
        guard takes("]"), !isElement || takes("]") else {
            throw fail("the table's name has no closing \(isElement ? "]]" : "]")")
        }
        try endOfLine()
        return (name, isElement)
    }

    /// A dotted key, and the blanks after it.
    mutating func key() throws(TOMLSubset.Failure) -> [String] {
        var parts: [String] = []
        repeat {
            skip()
            let isQuoted = next == UInt8(ascii: "\"") || next == UInt8(ascii: "'")
            let part = isQuoted ? try string() : take(while: Self.bare.contains)
            if part.isEmpty, !isQuoted { throw fail("there is no key here") }
            parts.append(part)
            skip()
            guard parts.count <= Self.mostLevels else { throw fail("the key has too many parts") }
        } while takes(".")
        return parts
    }

    /// The equals sign and the value after a key.
    mutating func assignment(level: Int = 0) throws(TOMLSubset.Failure) -> JSON {
        guard takes("=") else { throw fail("there is no = after the key") }
        return try value(level)
    }

    private mutating func value(_ level: Int) throws(TOMLSubset.Failure) -> JSON {
        skip()
        guard level <= Self.mostLevels else { throw fail("more than \(Self.mostLevels) brackets are open") }
        if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") { return .string(try string()) }
        if takes("[") {
            var elements: [JSON] = []
            try list(until: "]") { scanner throws(TOMLSubset.Failure) in elements.append(try scanner.value(level + 1)) }
            return .array(elements)
        }
        if takes("{") {
            var object = JSONObject()
            try list(until: "}") { scanner throws(TOMLSubset.Failure) in
                object[try scanner.key().joined(separator: ".")] = try scanner.assignment(level: level + 1)
            }
            return .object(object)
        }
        let word = take { Self.bare.contains($0) || "+.:".utf8.contains($0) }
        if word == "true" || word == "false" { return .bool(word == "true") }
        let digits = String(word.filter { $0 != "_" })
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where digits.hasPrefix(prefix) {
            if let number = Int64(digits.dropFirst(2), radix: radix) { return .int(number) }
        }
        if let number = Int64(digits) { return .int(number) }
        guard let number = Double(digits), number.isFinite else {
            throw fail("this is not a value; a string is written in quotes")
        }
        return .double(number)
    }

    private mutating func list(
        until end: StaticString, _ element: (inout TOMLScanner) throws(TOMLSubset.Failure) -> Void
    ) throws(TOMLSubset.Failure) {
        while true {
            skip(lines: true)
            if takes(end) { return }
            try element(&self)
            skip(lines: true)
            if takes(",") { continue }
            guard takes(end) else { throw fail("there is no \(end) or comma after the value") }
            return
        }
    }

    /// A string in one or three quotes of either kind.
    private mutating func string() throws(TOMLSubset.Failure) -> String {
        let opening = line
        let quote = next ?? 0
        let isTriple = takes("\"\"\"") || takes("'''")
        // A line end right after the opening three quotes is not part of the string.
        if isTriple, takes("\r\n") || takes("\n") { line += 1 }
        if !isTriple { position += 1 }
        var text: [UInt8] = []
        while let byte = take(), isTriple || byte != UInt8(ascii: "\n") {
            if byte == quote {
                if !isTriple { return String(decoding: text, as: UTF8.self) }
                // Up to two quotes may come right before the closing ones.
                let count = 1 + take { $0 == quote }.utf8.count
                text += repeatElement(quote, count: count >= 3 ? count - 3 : count)
                if count >= 3 { return String(decoding: text, as: UTF8.self) }
            } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                try escape(into: &text)
            } else {
                text.append(byte)
            }
        }
        throw TOMLSubset.Failure(line: opening, reason: "the string is not closed")
    }

    private mutating func escape(into text: inout [UInt8]) throws(TOMLSubset.Failure) {
        guard let letter = take() else { throw fail("the string is not closed") }
        let plain = zip("btnfre\"\\".utf8, [0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x1b, 0x22, 0x5c] as [UInt8])
        if let byte = plain.first(where: { $0.0 == letter })?.1 { return text.append(byte) }
        if let count = zip("xuU".utf8, [2, 4, 8]).first(where: { $0.0 == letter })?.1 {
            let digits = String(decoding: input[position..<min(position + count, input.count)], as: UTF8.self)
            guard digits.utf8.count == count, digits.allSatisfy(\.isHexDigit), let number = UInt32(digits, radix: 16),
                let scalar = Unicode.Scalar(number)
            else { throw fail("an escape with a number needs \(count) hexadecimal digits of a character") }
            text += String(Character(scalar)).utf8
            return position += count
        }
        // At the end of a line, a backslash removes all blanks and line ends that follow.
        guard letter.isBlank || letter == 0x0a || letter == 0x0d else {
            throw fail("there is no escape \\\(Unicode.Scalar(letter))")
        }
        while let byte = next, byte.isBlank || byte == 0x0a || byte == 0x0d { _ = take() }
    }
}
