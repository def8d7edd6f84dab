// SPDX-License-Identifier: MIT
import Glibc

/// Something the kernel or libsystemd refused, in words: "cannot watch descriptor 7: Operation not permitted".
package struct ReactorError: Error, Equatable, CustomStringConvertible {
    /// What was attempted, as the end of a sentence that begins with "cannot".
    package let action: String
    /// The errno value.
    package let code: Int32
    /// Why it failed, where there is more to say than errno's text.
    package let reason: String

    package init(_ action: String, code: Int32, reason: String? = nil) {
        self.action = action
        self.code = code
        self.reason = reason ?? String(cString: strerror(code))
    }

    package var description: String { "cannot \(action): \(reason)" }
}

/// Turns libsystemd's convention, a negative errno, into a thrown error.
@discardableResult
func check(_ result: Int32, _ action: @autoclosure () -> String) throws(ReactorError) -> Int32 {
    guard result >= 0 else { throw ReactorError(action(), code: -result) }
    return result
}
