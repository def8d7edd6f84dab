// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// JSON as the hosts of other dialects read it.
enum LenientJSON {
    /// More values than such an object has.
    private static let mostValues = 10_000

    static func parse(_ bytes: ArraySlice<UInt8>) throws(JSONSyntaxError) -> JSON {
        try JSON.parseLenient(bytes, maxValues: mostValues).value
    }

    /// The text of a value: a number and a boolean count as theirs.
    static func text(_ value: JSON?) -> String {
        switch value {
        case .string(let text): text
        case .bool, .int, .double: value?.text ?? ""
        case .null, .array, .object, nil: ""
        }
    }

    /// The error about a part of the output, with its position in the whole.
    static func error(_ error: JSONSyntaxError, in part: ArraySlice<UInt8>, of output: [UInt8]) -> OutputError {
        let place = output.withUnsafeBytes { TextPosition(of: part.startIndex + error.offset, in: $0) }
        return OutputError("output is not JSON: line \(place.line), column \(place.column): \(error.reason)")
    }

    /// The number of the line that contains a byte, counted from 1.
    static func line(of offset: Int, in output: [UInt8]) -> Int {
        output.withUnsafeBytes { TextPosition(of: offset, in: $0).line }
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
