// SPDX-License-Identifier: MIT
import JSON

/// What a message can contain.
package protocol WireReadable: Sendable {
    /// A function, because another unlabelled initializer of String or Int would slow the compiler down everywhere.
    static func read(_ field: JSONField) throws(JSONMismatch) -> Self
}

/// A value that the member of a message can have.
package protocol WireValue: WireReadable {
    var json: JSON { get }
}

/// A word of an enumeration.
package protocol WireWord: WireValue, CaseIterable, RawRepresentable<String> {}

extension WireWord {
    package var json: JSON { .string(rawValue) }
    package static func read(_ field: JSONField) throws(JSONMismatch) -> Self { try field.choice() }
}

/// An object whose members are listed once: the same list writes and reads them.
package protocol WireObject: WireValue {
    /// What the members are read into.
    static var blank: Self { get }
    mutating func list(_ members: inout WireMembers)
}

extension WireObject {
    package var json: JSON {
        var (copy, members) = (self, WireMembers())
        copy.list(&members)
        return .object(members.object)
    }

    package static func read(_ field: JSONField) throws(JSONMismatch) -> Self { try Self(field) }

    package init(_ field: JSONField) throws(JSONMismatch) {
        self = .blank
        var members = WireMembers(of: field)
        list(&members)
        if let mismatch = members.mismatch { throw mismatch }
    }
}

/// Writes the members of an object one by one, or reads them.
package struct WireMembers {
    /// The object that is read; nil while one is written.
    private let field: JSONField?
    fileprivate var object = JSONObject()
    fileprivate var mismatch: JSONMismatch?

    fileprivate init(of field: JSONField? = nil) { self.field = field }

    /// A member that has to be there. One that a later version adds may not be: older daemons do not send it.
    package mutating func callAsFunction<Value: WireValue>(_ key: String, _ value: inout Value) {
        guard field != nil else { return object[key] = value.json }
        read { field throws(JSONMismatch) in value = try Value.read(field.required(key)) }
    }

    /// A member that is left out without a value.
    package mutating func callAsFunction<Value: WireValue>(_ key: String, _ value: inout Value?) {
        guard field != nil else { return object[key] = value?.json }
        read { field throws(JSONMismatch) in value = try field.optional(key).map(Value.read) }
    }

    /// A member without which the value stays as it is.
    package mutating func callAsFunction<Value: WireValue>(ifAny key: String, _ value: inout Value) {
        guard field != nil else { return object[key] = value.json }
        read { field throws(JSONMismatch) in if let field = try field.optional(key) { value = try Value.read(field) } }
    }

    /// A member that is left out while it is empty.
    package mutating func callAsFunction<Value: WireValue & Collection>(unlessEmpty key: String, _ value: inout Value) {
        if field != nil || !value.isEmpty { self(ifAny: key, &value) }
    }

    /// A word that counts only if it is known here: a newer daemon may have more.
    package mutating func callAsFunction<Word: WireWord>(known key: String, _ word: inout Word?) {
        guard field != nil else { return object[key] = word?.json }
        read { field throws(JSONMismatch) in
            word = try field.optional(key).flatMap { Word(rawValue: $0.value.stringValue ?? "") }
        }
    }

    /// A member that follows from others, so that no reader needs it.
    package mutating func write(_ key: String, _ value: @autoclosure () -> JSON?) {
        if field == nil { object[key] = value() }
    }

    /// Reads something, unless the message is wrong already.
    package mutating func read(_ body: (JSONField) throws(JSONMismatch) -> Void) {
        guard let field, mismatch == nil else { return }
        do throws(JSONMismatch) { try body(field) } catch { mismatch = error }
    }
}

// MARK: - Values

extension JSON: WireValue {
    package var json: JSON { self }
    package static func read(_ field: JSONField) throws(JSONMismatch) -> Self { field.value }
}

extension String: WireValue {
    package var json: JSON { .string(self) }
    package static func read(_ field: JSONField) throws(JSONMismatch) -> Self { try field.string() }
}

extension Bool: WireValue {
    package var json: JSON { .bool(self) }
    package static func read(_ field: JSONField) throws(JSONMismatch) -> Self { try field.bool() }
}

extension Int: WireValue {
    package var json: JSON { .int(Int64(self)) }
    package static func read(_ field: JSONField) throws(JSONMismatch) -> Self { try field.int() }
}

extension Int64: WireValue {
    package var json: JSON { .int(self) }
    package static func read(_ field: JSONField) throws(JSONMismatch) -> Self { Int64(try field.int()) }
}

extension Int32: WireValue {
    package var json: JSON { .int(Int64(self)) }
    package static func read(_ field: JSONField) throws(JSONMismatch) -> Self {
        Self(truncatingIfNeeded: try field.int())
    }
}

extension Double: WireValue {
    package var json: JSON { .double(self) }
    package static func read(_ field: JSONField) throws(JSONMismatch) -> Self { try field.double() }
}

extension WallTime: WireValue {
    package var json: JSON { .int(microseconds) }
    package static func read(_ field: JSONField) throws(JSONMismatch) -> Self { try field.wallTime() }
}

extension TimeSpan: WireValue {
    package var json: JSON { .int(microseconds) }
    package static func read(_ field: JSONField) throws(JSONMismatch) -> Self {
        Self(microseconds: Int64(try field.int()))
    }
}

extension WidgetID: WireValue {
    package var json: JSON { .string(text) }
    package static func read(_ field: JSONField) throws(JSONMismatch) -> Self { try field.widget() }
}

extension Array: WireReadable where Element: WireReadable {
    package static func read(_ field: JSONField) throws(JSONMismatch) -> Self {
        var elements: Self = []
        for element in try field.array() { elements.append(try Element.read(element)) }
        return elements
    }
}

extension Array: WireValue where Element: WireValue {
    package var json: JSON { .array(map(\.json)) }
}

extension JSONObject {
    /// A member of a reply. A newer daemon may send more than this version knows.
    package func member<Value: WireReadable>(
        _ key: String, _: Value.Type = Value.self
    ) throws(JSONMismatch) -> Value {
        try Value.read(JSONField(root: .object(self), isTolerant: true).required(key))
    }
}
