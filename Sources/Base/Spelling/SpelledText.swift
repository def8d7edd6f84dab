// SPDX-License-Identifier: MIT

/// Text that is equal to other text only when both are spelt alike, byte by byte, as files, SQLite and JSON compare
/// names. For String's own `==`, é is the same as e with an acute accent after it.
package struct SpelledText: Hashable, Sendable, Comparable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: SpelledText, right: SpelledText) -> Bool { left.text.isSpelled(as: right.text) }

    package static func < (left: SpelledText, right: SpelledText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isHashed == nil { for byte in text.utf8 { hasher.combine(byte) } }
        // As String does it: what follows must not be taken for a part of this.
        hasher.combine(0xFF as UInt8)
    }
}

extension String {
    /// Whether two texts are the same bytes.
    package func isSpelled(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// The beginning, so many bytes of UTF-8 at most, with an ellipsis where something is missing. Not by characters:
    /// one of those may be as long as it likes.
    package func shortened(to bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: bytes)
        while end > utf8.startIndex, UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
        return String(self[..<end]) + "…"
    }
}
