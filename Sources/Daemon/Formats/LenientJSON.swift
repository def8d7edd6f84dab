// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// JSON as the hosts of other dialects read it: they accept control characters in strings, and a comma before a closing
/// bracket.
enum LenientJSON {
    /// More values than such an object has.
    private static let mostValues = 10_000

    static func parse(_ bytes: ArraySlice<UInt8>) throws(JSONSyntaxError) -> JSON {
        try JSON.parse(repaired(bytes), maxValues: mostValues)
    }

    /// The error about a part of the output, with its position in the whole.
    static func error(_ error: JSONSyntaxError, in part: ArraySlice<UInt8>, of output: [UInt8]) -> OutputError {
        let offset = part.startIndex + error.offset
        let line = line(of: offset, in: output)
        let before = output.prefix(offset)
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? before.startIndex
        let column = before[start...].reduce(1) { UTF8.isContinuation($1) ? $0 : $0 + 1 }
        return OutputError("output is not JSON: line \(line), column \(column): \(error.reason)")
    }

    /// The number of the line that contains a byte, counted from 1.
    static func line(of offset: Int, in output: [UInt8]) -> Int {
        output.prefix(offset).reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    }

    /// The bytes from an opening bracket to its closing one; nil if there is none.
    static func balanced(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var depth = 0
        var string = StringScan()
        for place in bytes.indices {
            if string.contains(bytes[place]) { continue }
            switch bytes[place] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth <= 0 { return bytes[...place] }
            default: break
            }
        }
        return nil
    }

    /// The number of bytes stays the same, so that positions stay right.
    private static func repaired(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var repaired = Array(bytes)
        var string = StringScan()
        var comma: Int?
        for place in repaired.indices {
            let byte = repaired[place]
            if string.contains(byte) {
                if byte < 0x20 { repaired[place] = UInt8(ascii: " ") }
                comma = nil
                continue
            }
            switch byte {
            case UInt8(ascii: ","): comma = place
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if let comma { repaired[comma] = UInt8(ascii: " ") }
                comma = nil
            case 0x09, 0x0a, 0x0d, 0x20: break
            default: comma = nil
            }
        }
        return repaired
    }

    /// Tells bytes in strings from other bytes.
    private struct StringScan {
        private var isInString = false
        private var isEscaped = false

        /// Whether the next byte is in a string; the quote that opens one is not.
        mutating func contains(_ byte: UInt8) -> Bool {
            guard isInString else {
                isInString = byte == UInt8(ascii: "\"")
                return false
            }
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return true
        }
    }
}

/// Notes on keys that a reader does not know.
enum KnownKeys {
    /// "unknown field, did you mean "color"?"; nil for a key that is known.
    static func complaint(about key: String, among known: [String]) -> String? {
        do throws(JSONMismatch) {
            try JSONField(root: .object([key: .null])).noOtherKeys(than: known)
            return nil
        } catch {
            return error.reason
        }
    }
}
