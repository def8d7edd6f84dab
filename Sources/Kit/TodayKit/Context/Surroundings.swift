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
