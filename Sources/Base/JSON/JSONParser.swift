// SPDX-License-Identifier: MIT
import Spelling

extension JSON {
    /// Reads one JSON document: RFC 8259 and nothing more lenient, in UTF-8, without a byte-order mark.
    ///
    /// - Parameters:
    ///   - maxDepth: how many arrays and objects may be open at once; bounds the stack this needs.
    ///   - maxValues: how many values there may be in all; bounds the time and the memory this takes, of which two bytes
    ///     of a document may need a hundred.
    package static func parse(
        _ bytes: some Collection<UInt8>, maxDepth: Int = 128, maxValues: Int = .max
    ) throws(JSONSyntaxError) -> JSON {
        try JSONParser.parse(bytes, isLenient: false, maxDepth, maxValues).value
    }

    /// Reads a document as the programs of bars write it: with comments, with commas before closing brackets, and with
    /// control characters and `\x41` in strings.
    ///
    /// - Returns: the value, and where the keys of its outermost objects are.
    package static func parseLenient(
        _ bytes: some Collection<UInt8>, maxDepth: Int = 128, maxValues: Int
    ) throws(JSONSyntaxError) -> (value: JSON, keys: [OuterKey]) {
        try JSONParser.parse(bytes, isLenient: true, maxDepth, maxValues)
    }

    /// A key of the outermost object, or of an object in the outermost array.
    package struct OuterKey {
        package let text: String
        /// Which element of the outermost array has it; 0 without one.
        package let element: Int
        /// Counted in bytes from 0.
        package let offset: Int
    }

    package static func parse(
        _ text: String, maxDepth: Int = 128, maxValues: Int = .max
    ) throws(JSONSyntaxError) -> JSON {
        try parse(text.utf8, maxDepth: maxDepth, maxValues: maxValues)
    }
}

/// One pass over the bytes of a document.
///
/// Unsafe: it reads a raw buffer, because every byte of every message passes here. Each access checks the position
/// against the length, and no value keeps a pointer into the buffer.
struct JSONParser {
    let input: UnsafeRawBufferPointer
    var position = 0
    let isLenient: Bool
    private let maxDepth: Int
    private let maxValues: Int
    private var values = 0
    /// Only of a lenient document.
    private var keys: [JSON.OuterKey] = []
    /// The element of the outermost array that is read.
    private var element: Int?

    private init(_ input: UnsafeRawBufferPointer, isLenient: Bool, maxDepth: Int, maxValues: Int) {
        self.input = input
        self.isLenient = isLenient
        self.maxDepth = maxDepth
        self.maxValues = maxValues
    }

    /// Not a Result: for its first one a process looks through all conformances of the program, an eighth of a short command's time.
    private enum Outcome {
        case document(JSON, [JSON.OuterKey])
        case failure(JSONSyntaxError)
    }

    fileprivate static func parse(
        _ bytes: some Collection<UInt8>, isLenient: Bool, _ maxDepth: Int, _ maxValues: Int
    ) throws(JSONSyntaxError) -> (value: JSON, keys: [JSON.OuterKey]) {
        func outcome(_ input: UnsafeRawBufferPointer) -> Outcome {
            var parser = JSONParser(input, isLenient: isLenient, maxDepth: maxDepth, maxValues: maxValues)
            do throws(JSONSyntaxError) {
                return .document(try parser.document(), parser.keys)
            } catch {
                return .failure(error)
            }
        }
        // The standard library's `rethrows` loses the type of an error, so the closure returns it.
        let found =
            bytes.withContiguousStorageIfAvailable { outcome(UnsafeRawBufferPointer($0)) }
            ?? Array(bytes).withUnsafeBytes { outcome($0) }
        switch found {
        case .document(let value, let keys): return (value, keys)
        case .failure(let error): throw error
        }
    }

    private mutating func document() throws(JSONSyntaxError) -> JSON {
        skipWhitespace()
        let value = try value(depth: 0)
        skipWhitespace()
        guard position == input.count else { throw unexpected("the end") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSON {
        values += 1
        guard values <= maxValues else { throw failure("more than \(maxValues) values") }
        switch next {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "-"): return try number()
        case let byte? where isDigit(byte): return try number()
        case UInt8(ascii: "t") where consume("true"): return .bool(true)
        case UInt8(ascii: "f") where consume("false"): return .bool(false)
        case UInt8(ascii: "n") where consume("null"): return .null
        default: throw unexpected("a value")
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONObject {
        try open(depth)
        var object = JSONObject()
        if consume(UInt8(ascii: "}")) { return object }
        while true {
            guard next == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
            let start = position
            let key = try string()
            if isLenient, depth == 1 || depth == 2 && element != nil {
                keys.append(JSON.OuterKey(text: key, element: element ?? 0, offset: start))
            }
            skipWhitespace()
            guard consume(UInt8(ascii: ":")) else { throw unexpected("':'") }
            skipWhitespace()
            object[key] = try value(depth: depth)
            skipWhitespace()
            if consume(UInt8(ascii: "}")) { return object }
            guard consume(UInt8(ascii: ",")) else { throw unexpected("',' or '}'") }
            skipWhitespace()
            if isLenient, consume(UInt8(ascii: "}")) { return object }
        }
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> [JSON] {
        try open(depth)
        var elements: [JSON] = []
        if consume(UInt8(ascii: "]")) { return elements }
        while true {
            if depth == 1 { element = elements.count }
            elements.append(try value(depth: depth))
            skipWhitespace()
            if consume(UInt8(ascii: "]")) { return elements }
            guard consume(UInt8(ascii: ",")) else { throw unexpected("',' or ']'") }
            skipWhitespace()
            if isLenient, consume(UInt8(ascii: "]")) { return elements }
        }
    }

    private mutating func open(_ depth: Int) throws(JSONSyntaxError) {
        guard depth <= maxDepth else { throw failure("nested more than \(maxDepth) levels deep") }
        position += 1
        skipWhitespace()
    }
}

extension JSONParser {
    /// The byte at the position, or nil at the end.
    var next: UInt8? { position < input.count ? input[position] : nil }

    mutating func skipWhitespace() {
        repeat {
            while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
        } while isLenient && skipComment()
    }

    /// Skips `// …` and `/* … */`; false if there is none, or none that is closed.
    private mutating func skipComment() -> Bool {
        let start = position
        if consume("//") {
            while let byte = next, byte != UInt8(ascii: "\n") { position += 1 }
            return true
        }
        guard consume("/*") else { return false }
        while position < input.count {
            if consume("*/") { return true }
            position += 1
        }
        position = start
        return false
    }

    mutating func consume(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func consume(_ word: StaticString) -> Bool {
        let end = position + word.utf8CodeUnitCount
        guard end <= input.count else { return false }
        for offset in 0..<word.utf8CodeUnitCount where input[position + offset] != word.utf8Start[offset] {
            return false
        }
        position = end
        return true
    }

    func failure(_ reason: String, at offset: Int? = nil) -> JSONSyntaxError {
        JSONSyntaxError(reason, at: offset ?? position, in: input)
    }

    func unexpected(_ expected: String) -> JSONSyntaxError {
        let isComment = isLenient && input[position...].starts(with: "/*".utf8)
        return failure(isComment ? "the comment is not closed" : "expected \(expected), found \(found)")
    }

    /// The text at the position, for a message: a whole word (`NaN`, `None`), or one character.
    private var found: String {
        guard let next else { return "the end" }
        let word = input[position...].prefix(20).prefix { $0.isLetter }
        if !word.isEmpty { return "'\(String(decoding: word, as: UTF8.self))'" }
        if next > 0x20 && next < 0x7F { return "'\(Character(Unicode.Scalar(next)))'" }
        if next >= 0x80,
            let scalar = String(decoding: input[position...].prefix(4), as: UTF8.self).unicodeScalars.first,
            scalar.properties.isAlphabetic
        {
            return "'\(Character(scalar))'"
        }
        return Self.named(next)
    }

    static func named(_ byte: UInt8) -> String { "byte 0x\(byte.digits(2, radix: 16, uppercase: true))" }
}

/// Why some bytes are not JSON, and where.
package struct JSONSyntaxError: Error, Equatable, CustomStringConvertible {
    /// Counted in bytes from 0.
    package let offset: Int
    /// Counted from 1.
    package let line: Int
    /// Counted in Unicode scalars from 1, which is what editors show.
    package let column: Int
    package let reason: String

    package var description: String { "line \(line), column \(column): \(reason)" }
}

extension JSONSyntaxError {
    init(_ reason: String, at offset: Int, in input: UnsafeRawBufferPointer) {
        let position = TextPosition(of: offset, in: input)
        self.init(offset: offset, line: position.line, column: position.column, reason: reason)
    }
}

/// A position in a text as editors show it. It is computed only for messages.
package struct TextPosition {
    /// Counted from 1.
    package let line: Int
    /// Counted in Unicode scalars from 1.
    package let column: Int

    package init(of offset: Int, in text: UnsafeRawBufferPointer) {
        var (line, column) = (1, 1)
        for byte in text.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if !UTF8.isContinuation(byte) {
                column += 1
            }
        }
        self.line = line
        self.column = column
    }
}
