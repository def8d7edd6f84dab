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

    /// Reads an object in which an unknown member is a mistake, unless the field is tolerant.
    ///
    /// - Parameter foreign: `JSONField.noOtherKeys`.
    init(exactly field: JSONField, foreign: @autoclosure () -> [String: String] = [:]) throws(JSONMismatch) {
        self = .blank
        var members = WireMembers(of: field)
        list(&members)
        // A misspelt name comes before what is missing because of it.
        if !field.isTolerant, members.mismatch != nil || members.found != field.value.objectValue?.count {
            try field.noOtherKeys(than: Self.names, foreign: foreign())
        }
        if let mismatch = members.mismatch { throw mismatch }
    }

    /// The names of all members.
    static var names: [String] {
        var (blank, members) = (blank, WireMembers())
        members.names = []
        blank.list(&members)
        return members.names ?? []
    }
}

/// Writes the members of an object one by one, or reads them.
package struct WireMembers {
    /// The object that is read; nil while one is written.
    private let field: JSONField?
    fileprivate var object = JSONObject()
    fileprivate var mismatch: JSONMismatch?
    /// How many of the members that are read exist.
    fileprivate var found = 0
    /// Collects the names of all members, if they are wanted.
    fileprivate var names: [String]?

    fileprivate init(of field: JSONField? = nil) { self.field = field }

    var isWriting: Bool { field == nil }

    /// A member that has to be there. One that a later version adds may not be: older daemons do not send it.
    package mutating func callAsFunction<Value: WireValue>(_ key: String, _ value: inout Value) {
        if isWriting { write(key, value.json) } else { read(required: key, &value, Value.read) }
    }

    /// A member that is left out without a value.
    package mutating func callAsFunction<Value: WireValue>(_ key: String, _ value: inout Value?) {
        if isWriting { return write(key, value?.json) }
        read(ifAny: key, &value) { field throws(JSONMismatch) -> Value? in try Value.read(field) }
    }

    /// A member without which the value stays as it is.
    package mutating func callAsFunction<Value: WireValue>(ifAny key: String, _ value: inout Value) {
        if isWriting { write(key, value.json) } else { read(ifAny: key, &value, Value.read) }
    }

    /// A member that is left out while it is empty.
    package mutating func callAsFunction<Value: WireValue & Collection>(unlessEmpty key: String, _ value: inout Value) {
        if isWriting { write(key, value.json, unless: value.isEmpty) } else { read(ifAny: key, &value, Value.read) }
    }

    /// A member that is left out while it has its usual value.
    mutating func callAsFunction<Value: WireValue & Equatable>(_ key: String, _ value: inout Value, unless usual: Value)
    {
        if isWriting { write(key, value.json, unless: value == usual) } else { read(ifAny: key, &value, Value.read) }
    }

    /// A word that counts only if it is known here: a newer daemon may have more.
    package mutating func callAsFunction<Word: WireWord>(known key: String, _ word: inout Word?) {
        if isWriting { return write(key, word?.json) }
        var text: String?
        read(ifAny: key, &text) { field throws(JSONMismatch) in field.value.stringValue }
        word = text.flatMap(Word.init(rawValue:))
    }

    /// A member that follows from others, or that `read` reads.
    package mutating func write(
        _ key: String, _ value: @autoclosure () -> JSON?, unless isLeftOut: @autoclosure () -> Bool = false
    ) {
        guard let field else {
            names?.append(key)
            if !isLeftOut() { object[key] = value() }
            return
        }
        if field.value[key] != nil { found += 1 }
    }

    /// Reads a member in a way of its own, if it is there.
    mutating func read(_ key: String, _ body: (JSONField) throws(JSONMismatch) -> Void) {
        read { field throws(JSONMismatch) in if let member = try field.optional(key) { try body(member) } }
    }

    /// Reads something, unless the message is wrong already.
    package mutating func read(_ body: (JSONField) throws(JSONMismatch) -> Void) {
        guard let field, mismatch == nil else { return }
        do throws(JSONMismatch) { try body(field) } catch { mismatch = error }
    }

    // MARK: Members

    fileprivate typealias Reading<Value> = (JSONField) throws(JSONMismatch) -> Value

    fileprivate mutating func read<Value>(required key: String, _ value: inout Value, _ read: Reading<Value>) {
        guard let field, mismatch == nil else { return }
        do throws(JSONMismatch) {
            value = try read(try field.required(key))
            found += 1
        } catch { mismatch = error }
    }

    fileprivate mutating func read<Value>(ifAny key: String, _ value: inout Value, _ read: Reading<Value>) {
        guard let field, mismatch == nil else { return }
        do throws(JSONMismatch) {
            guard let member = try field.optional(key) else { return }
            value = try read(member)
            found += 1
        } catch { mismatch = error }
    }
}

// MARK: - Members with rules

/// A value that a member can restrict.
protocol RuledValue: WireValue, Equatable {
    associatedtype Rule
    static func read(_ field: JSONField, _ rule: Rule) throws(JSONMismatch) -> Self
}

extension String: RuledValue {
    static func read(_ field: JSONField, _ rule: TextRule) throws(JSONMismatch) -> Self { try field.text(rule) }
}

extension Int: RuledValue {
    static func read(_ field: JSONField, _ rule: ClosedRange<Int>) throws(JSONMismatch) -> Self {
        try field.int(in: rule)
    }
}

extension Double: RuledValue {
    static func read(_ field: JSONField, _ rule: ClosedRange<Double>) throws(JSONMismatch) -> Self {
        try field.number(in: rule)
    }
}

extension WireMembers {
    mutating func callAsFunction<Value: RuledValue>(_ key: String, _ value: inout Value, _ rule: Value.Rule) {
        if isWriting { return write(key, value.json) }
        read(required: key, &value) { field throws(JSONMismatch) in try Value.read(field, rule) }
    }

    mutating func callAsFunction<Value: RuledValue>(_ key: String, _ value: inout Value?, _ rule: Value.Rule) {
        if isWriting { return write(key, value?.json) }
        read(ifAny: key, &value) { field throws(JSONMismatch) in try Value.read(field, rule) }
    }

    mutating func callAsFunction<Value: RuledValue>(
        _ key: String, _ value: inout Value, unless usual: Value, _ rule: Value.Rule
    ) {
        if isWriting { return write(key, value.json, unless: value == usual) }
        read(ifAny: key, &value) { field throws(JSONMismatch) in try Value.read(field, rule) }
    }

    /// A list of at most so many values, which is left out while it is empty.
    mutating func callAsFunction<Value: RuledValue>(
        _ key: String, _ values: inout [Value], upTo most: Int, _ rule: Value.Rule
    ) {
        if isWriting { return write(key, values.json, unless: values.isEmpty) }
        read(ifAny: key, &values) { list throws(JSONMismatch) in
            try list.array(upTo: most) { field throws(JSONMismatch) in try Value.read(field, rule) }
        }
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
