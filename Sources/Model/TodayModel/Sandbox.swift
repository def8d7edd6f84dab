// SPDX-License-Identifier: MIT

/// What the program of a widget may reach of the machine: `[Sandbox]` of a manifest.
package struct Sandbox: Hashable, Sendable {
    package enum Level: String, CaseIterable, Sendable {
        /// All that the user of the daemon may.
        case none
        /// The system's programs and its own files, and the network.
        case network
        /// The same without the network.
        case strict
    }

    /// A file or directory that it has besides.
    package struct Door: Hashable, Sendable {
        package var path: String
        /// It need not exist: `-` in front of the path, as in systemd.exec(5).
        package var isOptional: Bool

        package init(_ path: String, isOptional: Bool = false) {
            self.path = path
            self.isOptional = isOptional
        }
    }

    package var level = Level.none
    /// Nil is as the level has it.
    package var network: Bool?
    package var readable: [Door] = []
    package var writable: [Door] = []
    package var devices: [Door] = []
    /// The bus of the user's session.
    package var bus = false

    package init(level: Level = .none) { self.level = level }

    package var hasNetwork: Bool { network ?? (level != .strict) }
    /// Whether anything is withheld.
    package var isClosed: Bool { level != .none || !hasNetwork }

    /// In words: `strict: no network, no home; reads /srv`. Nil where nothing is withheld.
    package var words: String? {
        guard isClosed else { return nil }
        var withheld = hasNetwork ? [] : ["no network"]
        if level != .none { withheld += ["no home", "nothing writable but its own"] }
        func paths(_ verb: String, _ doors: [Door]) -> [String] {
            doors.isEmpty ? [] : ["\(verb) \(doors.map(\.path).joined(separator: ", "))"]
        }
        let doors =
            paths("reads", readable) + paths("writes", writable) + paths("uses", devices) + (bus ? ["has the bus"] : [])
        return "\(level.rawValue): \(([withheld.joined(separator: ", ")] + doors).joined(separator: "; "))"
    }
}
