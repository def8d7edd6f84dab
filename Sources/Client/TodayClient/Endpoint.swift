// SPDX-License-Identifier: MIT

import Arguments
import Glibc

/// The socket of the daemon that is meant.
struct Endpoint: Equatable {
    enum Kind {
        case user, system, given
    }

    let path: String
    let kind: Kind
    /// The variable with which the user's daemon is found is missing: it may run elsewhere.
    var isGuessed = false

    /// What was asked for, else what the variables say, else the user's own daemon, else the system's where only that is
    /// there. $TODAYD_SOCKET is the user's word; $TODAY_SOCKET is in the environment of every run, so that a widget
    /// reaches the daemon that runs it (docs/environment.md).
    init(
        _ arguments: ParsedArguments, environment: Environment, uid: uid_t = getuid(),
        exists: (String) -> Bool = { access($0, F_OK) == 0 }
    ) {
        let runtime = environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(uid)"
        var user = Endpoint(path: "\(runtime)/todayd/todayd.sock", kind: .user)
        user.isGuessed = environment["XDG_RUNTIME_DIR"] == nil
        let system = Endpoint(path: "/run/todayd/todayd.sock", kind: .system)
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
        } else {
            self = uid == 0 || exists(system.path) ? system : user
        }
    }

    init(path: String, kind: Kind) {
        self.path = path
        self.kind = kind
    }

    /// How to get a daemon that listens there.
    var remedy: String {
        switch kind {
        case .user where isGuessed:
            "XDG_RUNTIME_DIR is not set, so it was looked for at \(path); log in through PAM, or give --socket PATH"
        case .user: "systemctl --user start todayd.socket"
        case .system: "systemctl start todayd.socket"
        case .given: "nothing answers at \(path); start it with 'todayd --socket \(path)'"
        }
    }
}
