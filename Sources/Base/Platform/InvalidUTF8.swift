// SPDX-License-Identifier: MIT

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
