// SPDX-License-Identifier: MIT

/// What is wrong with a program's output, in words and with the place.
package struct OutputError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    static let empty = OutputError("printed nothing")
}
