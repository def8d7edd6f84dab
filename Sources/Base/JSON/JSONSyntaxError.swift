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
    init(_ reason: String, at offset: Int, in input: UnsafeRawBufferPointer) {
        let position = TextPosition(of: offset, in: input)
        self.init(offset: offset, line: position.line, column: position.column, reason: reason)
    }
}
