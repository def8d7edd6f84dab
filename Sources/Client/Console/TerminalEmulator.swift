// SPDX-License-Identifier: MIT

import Platform

/// A terminal in a window, for a command that wants one while todayctl has none, because a bar started it.
package struct TerminalEmulator: Equatable {
    package let path: String
    /// The words between the terminal and its program.
    package let separator: [String]

    /// `$TERMINAL`, or otherwise the first that is installed.
    package init?(_ environment: EnvironmentVariables, search: String) {
        if let name = environment["TERMINAL"],
            let path = name.hasPrefix("/") ? name : SpawnedProgram.find(name, in: search)
        {
            self.path = path
            let base = path.split(separator: "/").last.map(String.init) ?? path
            separator = Self.known.first { $0.name == base }?.separator ?? ["-e"]
            return
        }
        for (name, separator) in Self.known {
            guard let path = SpawnedProgram.find(name, in: search) else { continue }
            (self.path, self.separator) = (path, separator)
            return
        }
        return nil
    }

    /// The choice of the desktop and the distribution comes first. The manual page of each says how it takes a program.
    private static let known: [(name: String, separator: [String])] = [
        ("xdg-terminal-exec", []), ("x-terminal-emulator", ["-e"]), ("foot", []), ("kitty", []), ("alacritty", ["-e"]),
        ("ghostty", ["-e"]), ("wezterm", ["start", "--"]), ("konsole", ["-e"]), ("gnome-terminal", ["--"]),
        ("ptyxis", ["--"]), ("kgx", ["--"]), ("xfce4-terminal", ["-x"]), ("urxvt", ["-e"]), ("st", ["-e"]),
        ("xterm", ["-e"]),
    ]

    /// What to start. The window stays until the user has read what the program printed.
    package func words(for command: [String]) -> [String] {
        [path] + separator + ["/bin/sh", "-c", Self.script] + command
    }

    private static let script = """
        "$0" "$@"; status=$?; printf '\\n%s' "It ended with status $status. Enter closes this window."; read -r _; exit $status
        """
}
