// SPDX-License-Identifier: MIT
import JSON
import Spelling

/// JSON as the configuration files of these programs allow it: with comments, with commas before closing brackets, and with
/// line feeds and `\x41` in strings. It knows the lines of the keys of its outermost objects.
struct CommentedJSON {
    struct Failure: Error, Equatable {
        var line: Int
        var reason: String
    }

    let value: JSON
    /// Keys that an object has twice; the last one counts.
    let repeated: [(key: String, line: Int)]
    private let lines: [Key: Int]

    private struct Key: Hashable {
        /// The element of the outermost array, or 0.
        var element: Int
        var key: SpelledText
    }

    private static let mostValues = 100_000
    private static let mostLevels = 64

    init(_ bytes: [UInt8]) throws(Failure) {
        var cleaner = JSONCleaner(bytes)
        try cleaner.run()
        do throws(JSONSyntaxError) {
            value = try JSON.parse(cleaner.output, maxDepth: Self.mostLevels, maxValues: Self.mostValues)
        } catch {
            throw Failure(line: cleaner.line(of: error.offset), reason: error.reason)
        }
        var lines: [Key: Int] = [:]
        var repeated: [(String, Int)] = []
        for found in cleaner.keys {
            let text = String(decoding: found.bytes, as: UTF8.self)
            if lines.updateValue(found.line, forKey: Key(element: found.element, key: SpelledText(text))) != nil {
                repeated.append((text, found.line))
            }
        }
        self.lines = lines
        self.repeated = repeated
        if Self.hasTooManyMarks(value) {
            throw Failure(line: 1, reason: "more than \(CombiningMarks.most) combining marks on one letter")
        }
    }

    /// The line of a key of the outermost object, or of an object in the outermost array.
    func line(of key: String, inElement element: Int = 0) -> Int? {
        lines[Key(element: element, key: SpelledText(key))]
    }

    private static func hasTooManyMarks(_ value: JSON) -> Bool {
        switch value {
        case .null, .bool, .int, .double: false
        case .string(let text): text.hasTooManyMarks
        case .array(let elements): elements.contains(where: hasTooManyMarks)
        case .object(let object): object.contains { $0.key.hasTooManyMarks || hasTooManyMarks($0.value) }
        }
    }
}

/// Makes strict JSON of the bytes, in one pass.
private struct JSONCleaner {
    struct Found {
        var bytes: ArraySlice<UInt8>
        var element: Int
        var line: Int
    }

    private let input: [UInt8]
    private var position = 0
    private(set) var output: [UInt8] = []
    private(set) var keys: [Found] = []

    /// The offset in the output at which each line begins, from the second on.
    private var lineStarts: [Int] = []
    /// A comma in the output that so far only a closing bracket could follow.
    private var comma: Int?
    /// Whether each open bracket belongs to an object.
    private var isObject: [Bool] = []
    private var element = 0
    /// The last string, if it may be a key.
    private var candidate: (bytes: ArraySlice<UInt8>, line: Int)?

    init(_ input: [UInt8]) {
        self.input = input
        output.reserveCapacity(input.count + 64)
    }

    private var line: Int { lineStarts.count + 1 }

    func line(of offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while low < high {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low + 1
    }

    mutating func run() throws(CommentedJSON.Failure) {
        while position < input.count {
            let byte = input[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): try string()
            case UInt8(ascii: "/"): try comment()
            case UInt8(ascii: "\n"):
                output.append(byte)
                lineStarts.append(output.count)
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): output.append(byte)
            default: token(byte)
            }
        }
    }

    private mutating func token(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): isObject.append(byte == UInt8(ascii: "{"))
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if let comma { output[comma] = UInt8(ascii: " ") }
            _ = isObject.popLast()
        case UInt8(ascii: ":"): key()
        default: break
        }
        comma = byte == UInt8(ascii: ",") ? output.count : nil
        if byte == UInt8(ascii: ","), isObject == [false] { element += 1 }
        candidate = nil
        output.append(byte)
    }

    /// The string before the colon is a key. Only those of the outermost objects are kept.
    private mutating func key() {
        guard let candidate, isObject == [true] || isObject == [false, true] else { return }
        keys.append(Found(bytes: candidate.bytes, element: element, line: candidate.line))
    }

    private mutating func comment() throws(CommentedJSON.Failure) {
        let opening = line
        guard position < input.count else { return output.append(UInt8(ascii: "/")) }
        switch input[position] {
        case UInt8(ascii: "/"):
            while position < input.count, input[position] != UInt8(ascii: "\n") { position += 1 }
        case UInt8(ascii: "*"):
            position += 1
            while position < input.count {
                let byte = input[position]
                position += 1
                if byte == UInt8(ascii: "\n") {
                    output.append(byte)
                    lineStarts.append(output.count)
                }
                if byte == UInt8(ascii: "*"), position < input.count, input[position] == UInt8(ascii: "/") {
                    position += 1
                    return output.append(UInt8(ascii: " "))
                }
            }
            throw CommentedJSON.Failure(line: opening, reason: "the comment is not closed")
        default: output.append(UInt8(ascii: "/"))
        }
    }

    private mutating func string() throws(CommentedJSON.Failure) {
        let opening = line
        let start = position
        comma = nil
        output.append(UInt8(ascii: "\""))
        while position < input.count {
            let byte = input[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                output.append(byte)
                candidate = (input[start..<(position - 1)], opening)
                return
            case UInt8(ascii: "\\"): escape()
            case 0..<0x20:
                output += Array("\\u00".utf8)
                output += [Self.digit(byte >> 4), Self.digit(byte & 15)]
                if byte == UInt8(ascii: "\n") { lineStarts.append(output.count) }
            default: output.append(byte)
            }
        }
        throw CommentedJSON.Failure(line: opening, reason: "the string is not closed")
    }

    private mutating func escape() {
        output.append(UInt8(ascii: "\\"))
        guard position < input.count else { return }
        let byte = input[position]
        position += 1
        if byte == UInt8(ascii: "x") { output += Array("u00".utf8) } else { output.append(byte) }
        if byte == UInt8(ascii: "\n") { lineStarts.append(output.count) }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
