// SPDX-License-Identifier: MIT
import Glibc
import Synchronization
import TodayModel

/// Where this process runs and whom it can ask: a widget of the daemon, a widget under development, or a containing app.
package struct Surroundings: Sendable {
    package var variables: Variables
    /// The connection that only a widget of the daemon has.
    package var context: ContextService?

    package init(variables: Variables, context: ContextService? = nil) {
        self.variables = variables
        self.context = context
    }

    /// One process has one: group defaults are made anywhere and on any thread, like those of Foundation.
    private static let shared = Mutex(Surroundings(variables: .process))

    package static var current: Surroundings {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    var daemon: DaemonService { DaemonService(sockets: variables.daemonSockets) }

    /// A widget asks as itself where it can.
    var service: any TodayService { context ?? daemon as any TodayService }

    func service(forWidget identifier: String) -> any TodayService {
        guard let context, ownIdentifier == identifier else { return daemon }
        return context
    }

    /// Nil where this is no widget of the daemon.
    var ownIdentifier: String? {
        if let given = variables["TODAY_WIDGET"] { return given }
        return (try? context?.call("Describe"))?["id"]?.stringValue
    }
}

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
