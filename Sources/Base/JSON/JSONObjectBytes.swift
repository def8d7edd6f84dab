// SPDX-License-Identifier: MIT

/// A JSON object put together as bytes, member by member: of values, and of what is bytes already because it was serialised
/// once for many readers.
package struct JSONObjectBytes: Sendable {
    private var bytes: [UInt8]
    private var isEmpty: Bool

    /// - Parameter capacity: about how long it gets.
    package init(capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
        bytes.append(UInt8(ascii: "{"))
        isEmpty = true
    }

    /// Goes on with an object that was ended.
    package init(reopening object: [UInt8]) {
        bytes = object
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

    /// The object.
    package consuming func end() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private mutating func begin(_ key: String) {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        JSON.string(key).write(to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }
}
