// SPDX-License-Identifier: MIT
import Glibc

/// Environment variables by name. An empty variable counts as unset.
package struct EnvironmentVariables: Sendable {
    private let lookUp: @Sendable (String) -> String?

    package init(_ lookUp: @escaping @Sendable (String) -> String?) { self.lookUp = lookUp }

    package init(_ values: [String: String]) { self.init { values[$0] } }

    /// The variables of this process. getenv(3) returns a pointer into the environment; the text is copied at once.
    package static let process = EnvironmentVariables { name in getenv(name).map { String(cString: $0) } }

    package subscript(name: String) -> String? { lookUp(name).flatMap { $0.isEmpty ? nil : $0 } }
}
