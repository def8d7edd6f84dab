// SPDX-License-Identifier: MIT
import Spelling

/// The members of a JSON object in the order in which they were written.
///
/// A key occurs once: setting it again replaces its value and keeps its place, so of duplicate keys in a document the
/// last one wins. Keys are the same when their bytes are (RFC 8259, 8.3). Two objects are equal when they have the same
/// members, in whatever order.
package struct JSONObject: Sendable {
    package typealias Member = (key: String, value: JSON)

    private var members: [Member] = []

    /// The position of each key, for objects with many keys. Most objects have a handful of keys, and an item has two
    /// dozen, for which a linear search is faster; for a million keys it would take quadratic time.
    private var index: [SpelledText: Int]?
    private static let largestWithoutIndex = 32

    package init() {}

    package init(_ members: some Sequence<(String, JSON)>) {
        for (key, value) in members { self[key] = value }
    }

    package var count: Int { members.count }
    package var isEmpty: Bool { members.isEmpty }
    package var keys: [String] { members.map(\.key) }

    /// The value of a key. Setting nil removes the member; a JSON null is set as `.null`.
    package subscript(key: String) -> JSON? {
        get {
            position(of: key).map { members[$0].value }
        }
        set {
            switch (position(of: key), newValue) {
            case (let position?, let value?): members[position].value = value
            case (let position?, nil): remove(at: position)
            case (nil, let value?): append(key, value)
            case (nil, nil): break
            }
        }
    }

    package func contains(_ key: String) -> Bool { position(of: key) != nil }

    private func position(of key: String) -> Int? {
        if let index { return index[SpelledText(key)] }
        // isSpelled compares the lengths, too; here most members are spared the call into another module.
        let length = key.utf8.count
        return members.firstIndex { $0.key.utf8.count == length && $0.key.isSpelled(as: key) }
    }

    private mutating func append(_ key: String, _ value: JSON) {
        members.append((key, value))
        if index != nil {
            index?[SpelledText(key)] = members.count - 1
        } else if members.count > Self.largestWithoutIndex {
            buildIndex()
        }
    }

    private mutating func remove(at position: Int) {
        members.remove(at: position)
        index = nil
        if members.count > Self.largestWithoutIndex { buildIndex() }
    }

    private mutating func buildIndex() {
        index = Dictionary(uniqueKeysWithValues: members.enumerated().map { (SpelledText($1.key), $0) })
    }
}

extension JSONObject: Sequence {
    package func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }
    package var underestimatedCount: Int { members.count }
}

extension JSONObject: Equatable {
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }
}

extension JSONObject: CustomStringConvertible {
    package var description: String { JSON.object(self).text }
}

/// Builds the bytes of a JSON object, member by member, from values and from bytes that were serialised once for many
/// readers.
package struct JSONObjectBytes: Sendable {
    private var bytes: [UInt8]
    private var isEmpty: Bool

    /// - Parameter capacity: the expected length in bytes.
    package init(capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
        bytes.append(UInt8(ascii: "{"))
        isEmpty = true
    }

    /// Continues an object that was ended.
    ///
    /// - Parameter room: the expected length in bytes of what is added.
    package init(reopening object: [UInt8], room: Int = 0) {
        bytes = []
        bytes.reserveCapacity(object.count + room)
        bytes += object
        bytes.removeLast()
        isEmpty = object.count == 2
    }

    package mutating func add(_ key: String, _ value: JSON) {
        begin(key)
        value.write(to: &bytes)
    }

    /// - Parameter value: one JSON value.
    package mutating func add(_ key: String, bytes value: [UInt8]) {
        begin(key)
        bytes.append(contentsOf: value)
    }

    /// - Parameter elements: one JSON value each.
    package mutating func add(_ key: String, array elements: [[UInt8]]) {
        begin(key)
        bytes.append(UInt8(ascii: "["))
        for (place, element) in elements.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// The object, and a byte that ends it as a message.
    package consuming func end(_ terminator: UInt8? = nil) -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        if let terminator { bytes.append(terminator) }
        return bytes
    }

    private mutating func begin(_ key: String) {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        JSON.string(key).write(to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }
}
