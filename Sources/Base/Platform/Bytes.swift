// SPDX-License-Identifier: MIT

/// A hash that is the same in every process and on every machine: 64-bit FNV-1a. Swift's Hasher has another seed in each
/// process. It does not protect against a client that makes two inputs with one hash.
@usableFromInline
package struct StableHash: Hashable, Sendable {
    @usableFromInline var state: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    package init(_ bytes: some Sequence<UInt8>) { combine(bytes) }

    @inlinable package var value: UInt64 { state }

    /// Inlinable, because readers of calls hash each byte as they look at it.
    @inlinable package mutating func combine(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }

    @inlinable package mutating func combine(_ bytes: some Sequence<UInt8>) { for byte in bytes { combine(byte) } }
}

/// Where text from outside stops being UTF-8.
package enum InvalidUTF8 {
    /// The offset of the first byte that is not part of a valid sequence; nil if all bytes are UTF-8.
    package static func firstOffset(in bytes: UnsafeRawBufferPointer) -> Int? {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        while case .valid(let scalar) = parser.parseScalar(from: &iterator) { offset += scalar.count }
        return offset == bytes.count ? nil : offset
    }

    package static func firstOffset(in bytes: ArraySlice<UInt8>) -> Int? {
        // Unsafe: the pointer is used within the closure.
        bytes.withUnsafeBytes { firstOffset(in: $0) }
    }
}
