// SPDX-License-Identifier: MIT
import JSON

/// A value of defaults: one of the types of JSON.
public enum DefaultsValue: Hashable, Sendable {
    /// Text.
    case string(String)
    /// A whole number.
    case int(Int)
    /// Any other number.
    case double(Double)
    /// A truth value.
    case bool(Bool)
    /// Several values in order.
    case array([DefaultsValue])
    /// Values by key.
    case dictionary([String: DefaultsValue])
}

extension DefaultsValue {
    /// Nil for null. Arrays and dictionaries drop the nulls in them.
    init?(_ json: JSON) {
        switch json {
        case .null: return nil
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(Int(value))
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .array(let values): self = .array(values.compactMap(DefaultsValue.init))
        case .object(let members): self = .dictionary(Self.dictionary(members))
        }
    }

    static func dictionary(_ object: JSONObject) -> [String: DefaultsValue] {
        var values: [String: DefaultsValue] = [:]
        for (key, value) in object { values[key] = DefaultsValue(value) }
        return values
    }

    var json: JSON {
        switch self {
        case .string(let value): .string(value)
        case .int(let value): JSON(value)
        case .double(let value): .double(value)
        case .bool(let value): .bool(value)
        case .array(let values): .array(values.map(\.json))
        case .dictionary(let values):
            .object(JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }))
        }
    }

    /// Whether JSON can express the value: it has neither infinities nor NaN.
    var isStorable: Bool {
        switch self {
        case .double(let value): value.isFinite
        case .array(let values): values.allSatisfy(\.isStorable)
        case .dictionary(let values): values.values.allSatisfy(\.isStorable)
        case .string, .int, .bool: true
        }
    }
}

/// A type whose values can be set as defaults.
public protocol DefaultsStorable {
    /// The value as defaults keep it.
    var defaultsValue: DefaultsValue { get }
}

extension DefaultsValue: DefaultsStorable {
    /// This value.
    public var defaultsValue: DefaultsValue { self }
}

extension String: DefaultsStorable {
    /// The text as a value.
    public var defaultsValue: DefaultsValue { .string(self) }
}

extension Int: DefaultsStorable {
    /// The whole number as a value.
    public var defaultsValue: DefaultsValue { .int(self) }
}

extension Double: DefaultsStorable {
    /// The number as a value.
    public var defaultsValue: DefaultsValue { .double(self) }
}

extension Bool: DefaultsStorable {
    /// The truth value as a value.
    public var defaultsValue: DefaultsValue { .bool(self) }
}

extension Array: DefaultsStorable where Element: DefaultsStorable {
    /// The elements as an array of values.
    public var defaultsValue: DefaultsValue { .array(map(\.defaultsValue)) }
}

extension Dictionary: DefaultsStorable where Key == String, Value: DefaultsStorable {
    /// The values as a dictionary of values.
    public var defaultsValue: DefaultsValue { .dictionary(mapValues(\.defaultsValue)) }
}
