// SPDX-License-Identifier: MIT

/// Where in a text something is, in the terms in which editors show it. Computed only for messages.
package struct TextPosition {
    /// Counted from 1.
    package let line: Int
    /// Counted in Unicode scalars from 1.
    package let column: Int

    package init(of offset: Int, in text: some RandomAccessCollection<UInt8>) {
        let before = text.prefix(offset)
        let lineBefore = before.reversed().prefix { $0 != UInt8(ascii: "\n") }
        line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        column = lineBefore.reduce(1) { UTF8.isContinuation($1) ? $0 : $0 + 1 }
    }
}
