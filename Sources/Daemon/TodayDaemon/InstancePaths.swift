// SPDX-License-Identifier: MIT
import TodayModel

/// Where the daemon listens and where it keeps things: a decision from options, environment and user.
struct InstancePaths: Equatable {
    let instance: DaemonStatus.Instance
    /// Where to listen, or where a socket listens that systemd has passed.
    var socket: String
    let stateDirectory: String

    struct Missing: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    init(options: DaemonOptions, environment: [String: String], isRoot: Bool) throws(Missing) {
        // Relative paths in these variables do not count: XDG Base Directory Specification.
        func variable(_ name: String) -> String? {
            guard let value = environment[name], value.hasPrefix("/") else { return nil }
            return value
        }
        instance = options.instance ?? (isRoot ? .system : .user)

        if let socket = options.socket {
            self.socket = socket
        } else if instance == .system {
            socket = "/run/todayd/todayd.sock"
        } else if let runtime = variable("XDG_RUNTIME_DIR") {
            socket = "\(runtime)/todayd/todayd.sock"
        } else {
            throw Missing(description: "XDG_RUNTIME_DIR is not set: log in through PAM, or give --socket PATH")
        }

        if let state = options.stateDirectory {
            stateDirectory = state
        } else if let state = variable("STATE_DIRECTORY")?.split(separator: ":").first {
            // Set by systemd from StateDirectory=, see systemd.exec(5).
            stateDirectory = String(state)
        } else if instance == .system {
            stateDirectory = "/var/lib/todayd"
        } else if let state = variable("XDG_STATE_HOME") {
            stateDirectory = "\(state)/todayd"
        } else if let home = variable("HOME") {
            stateDirectory = "\(home)/.local/state/todayd"
        } else {
            throw Missing(description: "HOME is not set: give --state DIR")
        }
    }
}
