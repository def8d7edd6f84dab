// SPDX-License-Identifier: MIT
import Glibc

/// Something libsystemd could not do, in words.
package struct SystemdError: Error, Equatable, CustomStringConvertible {
    /// What was attempted, as the end of a sentence that begins with "cannot".
    package let action: String
    /// The errno value.
    package let code: Int32

    package init(_ action: String, code: Int32) {
        self.action = action
        self.code = code
    }

    package var description: String { "cannot \(action): \(String(cString: strerror(code)))" }
}
