// SPDX-License-Identifier: MIT
import Glibc

/// Environment variables by name; an empty one counts as unset.
package struct Variables: Sendable {
    private let lookUp: @Sendable (String) -> String?

    package init(_ lookUp: @escaping @Sendable (String) -> String?) { self.lookUp = lookUp }

    package init(_ values: [String: String]) { self.init { values[$0] } }

    /// This process's own.
    package static let process = Variables { name in getenv(name).map { String(cString: $0) } }

    package subscript(name: String) -> String? { lookUp(name).flatMap { $0.isEmpty ? nil : $0 } }

    /// The daemon's own sockets, the one that is meant first.
    package var daemonSockets: [String] {
        if let given = self["TODAYD_SOCKET"] ?? self["TODAY_SOCKET"] { return [given] }
        let runtime = self["XDG_RUNTIME_DIR"] ?? "/run/user/\(getuid())"
        return ["\(runtime)/todayd/todayd.sock", "/run/todayd/todayd.sock"]
    }
}
