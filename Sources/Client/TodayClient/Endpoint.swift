// SPDX-License-Identifier: MIT

import Arguments
import Glibc
import Varlink

/// The socket of the daemon that is meant.
struct Endpoint: Equatable {
    enum Kind {
        case user, system, given
    }

    let path: String
    let kind: Kind
    /// The variable with which the user's daemon is found is missing: it may run elsewhere.
    var isGuessed = false
    /// The user's daemon was meant and does not run: the system's answers in its place.
    var isFallback = false

    /// What was asked for, else what the variables say, else the user's own daemon, else the system's where only that is
    /// there. $TODAYD_SOCKET is the user's word; $TODAY_SOCKET is in the environment of every run, so that a widget
    /// reaches the daemon that runs it (docs/environment.md).
    init(
        _ arguments: ParsedArguments, environment: Environment, uid: uid_t = getuid(),
        exists: (String) -> Bool = { access($0, F_OK) == 0 }
    ) {
        var user = Endpoint(path: Self.userPath(environment, uid: uid), kind: .user)
        user.isGuessed = environment["XDG_RUNTIME_DIR"] == nil
        let system = Endpoint(path: Self.systemPath, kind: .system)
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

    /// Whether root has named this socket and has started the todayd behind it. Where process 1 listens, it does so for a
    /// todayd of another user, which is started when a client comes: systemd.socket(5). Number 0 is a process that this
    /// namespace does not see.
    func isRoots(_ listener: SocketListener?) -> Bool {
        guard kind == .given, let listener else { return false }
        return listener.user == 0 && listener.process > 1
    }

    private static let systemPath = "/run/todayd/todayd.sock"

    /// Where the user's own daemon listens.
    static func userPath(_ environment: Environment, uid: uid_t) -> String {
        "\(environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(uid)")/todayd/todayd.sock"
    }

    init(path: String, kind: Kind) {
        self.path = path
        self.kind = kind
    }

    /// The client says this once, where the system's daemon answers and the user has named no daemon.
    static let fallbackNotice =
        "the system's todayd answers, as your own does not run: 'systemctl --user enable --now todayd' starts yours, "
        + "--system asks for the system's without this line"

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
