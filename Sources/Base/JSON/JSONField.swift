// SPDX-License-Identifier: MIT
import Spelling

/// A value in a JSON document and the path to it, so that errors of decoding name the place.
package struct JSONField: Sendable {
    package let value: JSON
    private let place: Place
    package let isTolerant: Bool

    /// The path to a field. Its text is made only for a message.
    private indirect enum Place: Sendable {
        case root(String)
        case key(String, Place)
        case element(Int, Place)

        var path: String {
            switch self {
            case .root(let name): name
            case .key(let key, let parent): JSONField.join(parent.path, key)
            case .element(let index, let parent): "\(parent.path)[\(index)]"
            }
        }
    }

    /// - Parameters:
    ///   - name: the text before the keys in `path`, such as a file's name; empty for none.
    ///   - isTolerant: whether unknown members are accepted, as in replies of a newer service.
    package init(root: JSON, name: String = "", isTolerant: Bool = false) {
        self.init(root, .root(name), isTolerant)
    }

    private init(_ value: JSON, _ place: Place, _ isTolerant: Bool) {
        self.value = value
        self.place = place
        self.isTolerant = isTolerant
    }

    /// The path from the root, such as `compact.children[3].value`.
    package var path: String { place.path }

    /// Quotes a key that is not a plain word, and shortens a long one: an untrusted program may have written it.
    private static func join(_ path: String, _ key: String) -> String {
        let isPlain = key.utf8.allSatisfy { $0.isAlphanumeric || "_-".utf8.contains($0) }
        if key.isEmpty || !isPlain { return "\(path)[\(quoted(key))]" }
        return path.isEmpty ? abbreviated(key) : "\(path).\(abbreviated(key))"
    }

    package static func quoted(_ text: String) -> String { JSON.string(abbreviated(text)).text }

    private static func abbreviated(_ text: String) -> String {
        text.shortened(to: 64)
    }

    package func fail(_ reason: String) -> JSONMismatch { JSONMismatch(path: path, reason: reason) }

    private func expected(_ what: String) -> JSONMismatch { fail("expected \(what), found \(value.kind)") }
}

// MARK: - Members of an object

extension JSONField {
    /// The member of this name, which must exist. A null exists, but has the wrong type.
    package func required(_ key: String) throws(JSONMismatch) -> JSONField {
        guard let member = try object()[key] else { throw field(key, .null).fail("is missing") }
        return field(key, member)
    }

    /// The member of this name, or nil when it is absent or null.
    package func optional(_ key: String) throws(JSONMismatch) -> JSONField? {
        guard let member = try object()[key], member != .null else { return nil }
        return field(key, member)
    }

    /// Complains about the first member whose name is not among these.
    ///
    /// - Parameter foreign: names by which other programs know something, each with what to write here. If one is the first,
    ///   all that there are get their advice: they come together.
    package func noOtherKeys(
        than known: [String], foreign: @autoclosure () -> [String: String] = [:]
    ) throws(JSONMismatch) {
        if isTolerant { return }
        let object = try object()
        for (key, value) in object where !known.contains(key) {
            let foreign = foreign()
            guard let advice = foreign[key] else { throw field(key, value).fail(Self.unknown("field", key, known)) }
            let others = object.compactMap { other, _ in
                other == key || known.contains(other) ? nil : foreign[other].map { "; for \(other) write \($0)" }
            }
            throw field(key, value).fail("unknown field; write \(advice)\(others.joined())")
        }
    }

    static func unknown(_ noun: String, _ name: String, _ known: [String]) -> String {
        guard let nearest = nearestName(to: name, among: known) else { return "unknown \(noun)" }
        return "unknown \(noun), did you mean \(quoted(nearest))?"
    }

    private func field(_ key: String, _ value: JSON) -> JSONField { JSONField(value, .key(key, place), isTolerant) }
}

// MARK: - The value

extension JSONField {
    package func string() throws(JSONMismatch) -> String {
        guard let string = value.stringValue else { throw expected("a string") }
        return string
    }

    /// A whole number; also one written with a fraction of zero.
    package func int() throws(JSONMismatch) -> Int {
        if let int = value.intValue.flatMap(Int.init(exactly:)) { return int }
        guard value.doubleValue == nil else { throw fail("expected a whole number, found \(value.text)") }
        throw expected("a whole number")
    }

    /// A whole number within bounds.
    package func int(in range: ClosedRange<Int>) throws(JSONMismatch) -> Int {
        let int = try int()
        guard range.contains(int) else {
            throw fail("expected a whole number from \(range.lowerBound) to \(range.upperBound), found \(int)")
        }
        return int
    }

    package func double() throws(JSONMismatch) -> Double {
        guard let double = value.doubleValue else { throw expected("a number") }
        return double
    }

    package func bool() throws(JSONMismatch) -> Bool {
        guard let bool = value.boolValue else { throw expected("true or false") }
        return bool
    }

    package func array() throws(JSONMismatch) -> [JSONField] {
        guard let elements = value.arrayValue else { throw expected("an array") }
        return elements.enumerated().map { JSONField($1, .element($0, place), isTolerant) }
    }

    package func object() throws(JSONMismatch) -> JSONObject {
        guard let object = value.objectValue else { throw expected("an object") }
        return object
    }

    /// The members of an object whose keys are data, each as a field.
    package func members() throws(JSONMismatch) -> [(key: String, field: JSONField)] {
        try object().map { ($0.key, field($0.key, $0.value)) }
    }

    package static func notOneOf(_ words: [String], _ word: String) -> String {
        "expected \(words.map(quoted).joined(separator: " or ")), found \(quoted(word))"
            + hint(for: word, among: words, quoted)
    }
}

/// Why a JSON document is not what the reader expects, and where.
package struct JSONMismatch: Error, Equatable, CustomStringConvertible {
    package let path: String
    package let reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    package var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}
