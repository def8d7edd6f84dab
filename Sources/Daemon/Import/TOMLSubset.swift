// SPDX-License-Identifier: MIT
import JSON
import Spelling

/// The tables of a file in TOML, in their order: all strings, numbers, booleans, arrays, inline tables and comments. Dates
/// and times are texts. What cannot be read costs its own key or table, and a failure says where.
struct TOMLSubset {
    struct Entry: Equatable {
        /// The parts of a dotted key.
        var key: [String]
        var value: JSON
        var line: Int
    }

    struct Table: Equatable {
        /// Empty for what stands before the first header.
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
        var isLost = false
        while true {
            scanner.skipLines()
            guard let next = scanner.next else { return }
            let start = scanner.position
            let line = scanner.line
            do throws(Failure) {
                if next == UInt8(ascii: "[") {
                    isLost = true
                    let (name, isElement) = try scanner.header()
                    try scanner.endOfLine()
                    tables.append(Table(name: name, isElement: isElement, line: line))
                    isLost = false
                } else {
                    let key = try scanner.key()
                    let value = try scanner.assignment()
                    try scanner.endOfLine()
                    if !isLost { tables[tables.count - 1].entries.append(Entry(key: key, value: value, line: line)) }
                }
            } catch {
                failures.append(error)
                scanner.recover(from: start, line: line)
            }
        }
    }
}

/// Reads headers, keys and values from bytes of valid UTF-8.
struct TOMLScanner {
    let input: [UInt8]
    var position = 0
    var line = 1
    /// How many arrays and inline tables may be open.
    static let mostLevels = 8

    init(_ input: [UInt8]) { self.input = input }

    var next: UInt8? { position < input.count ? input[position] : nil }

    func byte(after count: Int) -> UInt8? { position + count < input.count ? input[position + count] : nil }

    mutating func consume(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        advance()
        return true
    }

    mutating func advance() {
        if next == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    func failure(_ reason: String) -> TOMLSubset.Failure { TOMLSubset.Failure(line: line, reason: reason) }

    mutating func skipBlanks() {
        while let byte = next, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { position += 1 }
    }

    mutating func skipComment() {
        guard next == UInt8(ascii: "#") else { return }
        while let byte = next, byte != UInt8(ascii: "\n") { position += 1 }
    }

    /// Skips blanks, comments and line ends.
    mutating func skipLines() {
        while true {
            skipBlanks()
            skipComment()
            guard next == UInt8(ascii: "\n") || next == UInt8(ascii: "\r") else { return }
            advance()
        }
    }

    mutating func endOfLine() throws(TOMLSubset.Failure) {
        skipBlanks()
        skipComment()
        if next == UInt8(ascii: "\r") { advance() }
        guard next == nil || next == UInt8(ascii: "\n") else { throw failure("something follows the value") }
        advance()
    }

    /// Goes on behind the line in which the failed entry begins.
    mutating func recover(from start: Int, line: Int) {
        position = start
        self.line = line
        while let byte = next, byte != UInt8(ascii: "\n") { position += 1 }
        advance()
    }

    // MARK: - Keys

    mutating func header() throws(TOMLSubset.Failure) -> (name: [String], isElement: Bool) {
        advance()
        let isElement = consume(UInt8(ascii: "["))
        let name = try key()
        guard consume(UInt8(ascii: "]")), !isElement || consume(UInt8(ascii: "]")) else {
            throw failure("the table's name has no closing \(isElement ? "]]" : "]")")
        }
        return (name, isElement)
    }

    /// A dotted key, and the blanks behind it.
    mutating func key() throws(TOMLSubset.Failure) -> [String] {
        var parts: [String] = []
        repeat {
            skipBlanks()
            parts.append(try keyPart())
            skipBlanks()
            guard parts.count <= Self.mostLevels else { throw failure("the key has too many parts") }
        } while consume(UInt8(ascii: "."))
        return parts
    }

    private mutating func keyPart() throws(TOMLSubset.Failure) -> String {
        if next == UInt8(ascii: "\"") { return try basicString() }
        if next == UInt8(ascii: "'") { return try literalString() }
        let start = position
        while let byte = next, Self.isBare(byte) { position += 1 }
        guard position > start else { throw failure("there is no key here") }
        return String(decoding: input[start..<position], as: UTF8.self)
    }

    private static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
