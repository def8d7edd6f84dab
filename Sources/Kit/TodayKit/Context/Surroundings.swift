// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Synchronization
import TodayModel

/// What this process is, and which todayd it can ask: a widget that todayd has started, a widget that its author has
/// started, or a containing app.
struct Surroundings: Sendable {
    var variables: EnvironmentVariables
    /// The connection that todayd gives to a widget; nil in any other process.
    var context: ContextService?

    /// One value for the process, because `GroupDefaults` works on any thread without being passed anything.
    private static let shared = Mutex(Surroundings(variables: .process))

    static var current: Surroundings {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    var daemon: DaemonService { DaemonService(sockets: variables.daemonSockets) }

    /// A widget asks over its own connection if it has one.
    var service: any DaemonCalls { context ?? daemon as any DaemonCalls }

    func service(forWidget identifier: String) -> any DaemonCalls {
        guard let context, ownIdentifier == identifier else { return daemon }
        return context
    }

    /// The identifier of this widget; nil in a process that todayd has not started.
    var ownIdentifier: String? {
        if let given = variables["TODAY_WIDGET"] { return given }
        return (try? context?.call("Describe"))?["id"]?.stringValue
    }
}

extension EnvironmentVariables {
    /// The sockets at which todayd may listen, the preferred one first.
    package var daemonSockets: [String] {
        if let given = self["TODAYD_SOCKET"] ?? self["TODAY_SOCKET"] { return [given] }
        let runtime = self["XDG_RUNTIME_DIR"] ?? "/run/user/\(getuid())"
        return ["\(runtime)/todayd/todayd.sock", "/run/todayd/todayd.sock"]
    }
}

/// Something that a widget's code asks of hosts, which offer it only if the manifest declares it as well.
enum ManifestDemand {
    case mode, editing

    /// Warns the author of a request that has no effect. todayd keeps what a widget writes to standard error for `todayctl
    /// status`, `preview` and `lint --run`.
    ///
    /// - Parameter isMade: whether the code asks for it.
    @MainActor func check(_ isMade: Bool) {
        let variables = Surroundings.current.variables
        switch self {
        case .mode where isMade && variables["TODAY_LARGEST_MODE"] == "compact":
            StandardError.write(
                "widgetLargestAvailableDisplayMode is expanded, but hosts offer no More: the manifest has no "
                    + "LargestDisplayMode=expanded")
        case .editing where isMade && variables["TODAY_ALLOWS_EDITING"] == "0":
            StandardError.write(
                "widgetAllowsEditing is true, but hosts offer no Info: the manifest has no AllowsEditing=yes")
        case .mode, .editing: break
        }
    }
}
