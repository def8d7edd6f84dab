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
