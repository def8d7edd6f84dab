// SPDX-License-Identifier: MIT
import TodayModel

/// Where the daemon listens and stores its state, decided from options, environment and user.
package struct InstancePaths: Equatable {
    package let kind: DaemonStatus.Instance
    /// The path where the daemon listens, or of the socket that the service manager passed.
    package var socket: String
    package let stateDirectory: String

    struct Missing: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    init(options: DaemonOptions, environment: [String: String], isRoot: Bool) throws(Missing) {
        // The XDG Base Directory Specification ignores relative paths.
        func variable(_ name: String) -> String? {
            guard let value = environment[name], value.hasPrefix("/") else { return nil }
            return value
        }
        kind = options.instance ?? (isRoot ? .system : .user)

        if let socket = options.socket {
            self.socket = socket
        } else if kind == .system {
            socket = "/run/todayd/todayd.sock"
        } else if let runtime = variable("XDG_RUNTIME_DIR") {
            socket = "\(runtime)/todayd/todayd.sock"
        } else {
            throw Missing(description: "XDG_RUNTIME_DIR is not set: log in through PAM, or give --socket PATH")
        }

        if let state = options.stateDirectory {
            stateDirectory = state
        } else if let state = variable("STATE_DIRECTORY")?.split(separator: ":").first {
            // systemd sets it from StateDirectory=: systemd.exec(5).
            stateDirectory = String(state)
        } else if kind == .system {
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
