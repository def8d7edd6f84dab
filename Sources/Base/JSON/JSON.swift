// SPDX-License-Identifier: MIT
import Spelling

/// A JSON value (RFC 8259).
///
/// Whole numbers that fit keep all their 64 bits; every other number is a double. Strings are equal when their bytes are.
package enum JSON: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSON])
    case object(JSONObject)
}

extension JSON {
    package init(_ value: Bool) { self = .bool(value) }
    package init(_ value: Int) { self = .int(Int64(value)) }
    package init(_ values: [String]) { self = .array(values.map(JSON.string)) }
    package init(_ values: [JSONObject]) { self = .array(values.map(JSON.object)) }

    /// The value of a key, or nil when this is not an object or has no such key.
    package subscript(key: String) -> JSON? { objectValue?[key] }

    package var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    package var arrayValue: [JSON]? { if case .array(let value) = self { value } else { nil } }
    package var objectValue: JSONObject? { if case .object(let value) = self { value } else { nil } }

    /// The whole number, even if it was written as `3.0` or `3e2`; JSON does not tell these apart.
    package var intValue: Int64? {
        switch self {
        case .int(let value): value
        case .double(let value): Int64(exactly: value)
        default: nil
        }
    }

    package var doubleValue: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// What kind of value this is, as a phrase for messages: "a string".
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .int, .double: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSON {
    /// About how much memory it takes, which may be far more than its text.
    package var bytes: Int {
        let own = MemoryLayout<JSON>.stride
        return switch self {
        case .null, .bool, .int, .double: own
        case .string(let text): own + text.utf8.count
        case .array(let elements): elements.reduce(own) { $0 + $1.bytes }
        case .object(let members): members.reduce(own) { $0 + $1.key.utf8.count + own + $1.value.bytes }
        }
    }
}

extension JSON: Equatable {
    package static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.string(let left), .string(let right)): left.isSpelled(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

extension JSON: CustomStringConvertible {
    package var description: String { text }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .int(value) }
}

extension JSON: ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSON)...) { self = .object(JSONObject(elements)) }
}
