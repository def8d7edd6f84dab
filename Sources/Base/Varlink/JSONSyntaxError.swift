// SPDX-License-Identifier: MIT

/// Why some bytes are not JSON, and where.
package struct JSONSyntaxError: Error, Equatable, CustomStringConvertible {
    /// Counted in bytes from 0.
    package let offset: Int
    /// Counted from 1.
    package let line: Int
    /// Counted in Unicode scalars from 1, which is what editors show.
    package let column: Int
    package let reason: String

    package var description: String { "line \(line), column \(column): \(reason)" }
}

extension JSONSyntaxError {
    /// The line and the column are computed here, because only a message needs them.
    init(_ reason: String, at offset: Int, in input: UnsafeRawBufferPointer) {
        let before = input[..<offset]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        self.offset = offset
        self.line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        self.column = before[lineStart...].reduce(1) { UTF8.isContinuation($1) ? $0 : $0 + 1 }
        self.reason = reason
    }
}
