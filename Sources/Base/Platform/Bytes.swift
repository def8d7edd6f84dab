// SPDX-License-Identifier: MIT

import Glibc

/// A hash that is the same in every process and on every machine: 64-bit FNV-1a. Swift's Hasher has a new seed in each process.
/// FNV does not protect against a client that constructs two inputs with one hash.
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

extension UnsafeMutablePointer<dirent> {
    /// The name of an entry of readdir(3), which ends with a NUL; repaired where it is not UTF-8.
    package var name: String {
        // Unsafe: the entry is valid until the next call on the same stream.
        withUnsafePointer(to: &pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
    }
}

/// An array of C strings for execve(2): the NUL-terminated bytes, and the offset of each string.
package struct CStrings {
    private var bytes: [UInt8] = []
    private var offsets: [Int] = []

    package init() {}

    /// Adds a string.
    ///
    /// - Returns: false for a string with a NUL byte, which is not added: the kernel would end it there.
    package mutating func append(_ string: String) -> Bool {
        let start = bytes.count
        return add(string) && end(from: start)
    }

    /// Adds `NAME=value`, like a string.
    package mutating func append(variable name: String, _ value: String) -> Bool {
        let start = bytes.count
        return add(name) && add("=") && add(value) && end(from: start)
    }

    /// The bytes of an invalid string remain, but no offset leads to them.
    private mutating func end(from start: Int) -> Bool {
        offsets.append(start)
        bytes.append(0)
        return true
    }

    /// - Returns: false for a string with a NUL byte, of which nothing is added.
    private mutating func add(_ string: String) -> Bool {
        var string = string
        return string.withUTF8 { text in
            // memchr(3) looks at many bytes at once.
            if let start = text.baseAddress, memchr(start, 0, text.count) != nil { return false }
            bytes.append(contentsOf: text)
            return true
        }
    }

    /// Adds a string of C as it is, even one that is not UTF-8.
    package mutating func append(copyOf string: UnsafePointer<CChar>) {
        offsets.append(bytes.count)
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: string, count: strlen(string) + 1))
    }

    /// Calls `body` with a NULL-terminated array of pointers, valid only during the call.
    ///
    /// Unsafe: the pointers lead into `bytes`, which does not move while the closure borrows it. C may read any memory
    /// as characters.
    package mutating func withPointers<Result>(
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
    ) -> Result {
        let offsets = offsets
        return bytes.withUnsafeMutableBytes { buffer in
            var pointers = offsets.map { buffer.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            pointers.append(nil)
            return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }
}
