// SPDX-License-Identifier: MIT

import Arguments
import Glibc
import Platform
import Varlink

/// The socket of the daemon that the user means.
package struct DaemonSocket: Equatable {
    package enum Kind {
        case user, system
        /// Named by an option or a variable.
        case given
    }

    package let path: String
    package let kind: Kind
    /// $XDG_RUNTIME_DIR is not set, so the user's daemon may listen elsewhere.
    var isGuessed = false
    /// The system's daemon answers, because the user's does not run and the user has named none.
    package var isFallback = false

    /// Takes the socket from the options, otherwise from the variables, otherwise the user's own, or the system's if only that
    /// one exists. Users set $TODAYD_SOCKET. The daemon sets $TODAY_SOCKET for every run, so that a widget reaches the daemon
    /// that runs it (docs/environment.md).
    package init(
        _ arguments: ParsedArguments, environment: EnvironmentVariables, uid: uid_t = getuid(),
        exists: (String) -> Bool = { access($0, F_OK) == 0 }
    ) {
        var user = DaemonSocket(path: Self.userPath(environment, uid: uid), kind: .user)
        user.isGuessed = environment["XDG_RUNTIME_DIR"] == nil
        let system = DaemonSocket(path: Self.systemPath, kind: .system)
        if let path = arguments.value("socket") {
            self.init(path: path, kind: .given)
        } else if arguments.has("user") {
            self = user
        } else if arguments.has("system") {
            self = system
        } else if let path = environment["TODAYD_SOCKET"] ?? environment["TODAY_SOCKET"] {
            self.init(path: path, kind: .given)
        } else if exists(user.path) {
            self = user
        } else if uid == 0 {
            self = system
        } else if exists(system.path) {
            self = system
            isFallback = true
        } else {
            self = user
        }
    }

    /// Whether root has named this socket and started the todayd that listens at it. Process 1 listens for a todayd of another
    /// user, which it starts at the first connection: systemd.socket(5). Process 0 is one outside of this PID namespace.
    package func isStartedByRoot(_ listener: SocketListener?) -> Bool {
        guard kind == .given, let listener else { return false }
        return listener.user == 0 && listener.process > 1
    }

    /// The options with which another todayctl talks to the same daemon.
    package var options: [String] {
        switch kind {
        case .user: ["--user"]
        case .system: ["--system"]
        case .given: ["--socket", path]
        }
    }

    private static let systemPath = "/run/todayd/todayd.sock"

    /// The socket of the user's own daemon.
    static func userPath(_ environment: EnvironmentVariables, uid: uid_t) -> String {
        "\(environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(uid)")/todayd/todayd.sock"
    }

    package init(path: String, kind: Kind) {
        self.path = path
        self.kind = kind
    }

    /// The client prints this once, if `isFallback`.
    package static let fallbackNotice =
        "the system's todayd answers, as your own does not run: 'systemctl --user enable --now todayd' starts yours, "
        + "--system asks for the system's without this line"

    /// What to do if no daemon listens there.
    package var remedy: String {
        switch kind {
        case .user where isGuessed:
            "XDG_RUNTIME_DIR is not set, so it was looked for at \(path); log in through PAM, or give --socket PATH"
        case .user: "systemctl --user start todayd.socket"
        case .system: "systemctl start todayd.socket"
        case .given: "nothing answers at \(path); start it with 'todayd --socket \(path)'"
        }
    }
}
