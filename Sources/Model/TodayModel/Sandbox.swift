// SPDX-License-Identifier: MIT
import Spelling

/// What a widget's program may access: `[Sandbox]` of a manifest.
package struct Sandbox: Hashable, Sendable {
    package enum Level: String, CaseIterable, Sendable {
        /// Everything that the user of the daemon may access.
        case none
        /// The system's programs and its own files, and the network.
        case network
        /// The same without the network.
        case strict
    }

    /// A file or directory that it may access in addition.
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
    /// Nil means what the level says.
    package var network: Bool?
    package var readable: [Door] = []
    package var writable: [Door] = []
    package var devices: [Door] = []
    /// The bus of the user's session.
    package var bus = false

    package init(level: Level = .none) { self.level = level }

    /// Besides the homes, the directories that hold nothing, or something of its own, if a level withholds files.
    package static let hiddenPlaces = ["/tmp", "/var", "/run", "/mnt", "/media", "/srv"]

    private static let refusals = ["new namespace", "setting up uid map", "RTM_NEWADDR", "Can't mount proc"]

    /// What to do about an error of bwrap(1), if the machine permits it no namespaces.
    package static func cure(ofRefusal message: String) -> String? {
        guard message.hasPrefix("bwrap: "), refusals.contains(where: message.includes) else { return nil }
        return "this machine permits it no namespaces; Ubuntu 24.04 does with its profile from apparmor-profiles "
            + "(see [Sandbox] in todayd.widget(5))"
    }

    package var hasNetwork: Bool { network ?? (level != .strict) }
    /// Whether anything is withheld.
    package var isClosed: Bool { level != .none || !hasNetwork }

    /// In words: `strict: no network, no home; reads /srv`. Nil if nothing is withheld.
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

/// What a program may want that `Level=strict` withholds: a word of `todayctl import --allow`.
package enum SandboxWish: String, CaseIterable, Sendable {
    case network, session, files, machine

    /// For a question: `weather wants …`.
    package var words: String {
        switch self {
        case .network: "the network"
        case .session: "your session: its bus, windows and sound"
        case .files: "further files"
        case .machine: "the machine's processes, disks or devices"
        }
    }
}

/// What the user allows imported programs to access.
package enum SandboxConsent: Hashable, Sendable {
    /// Each gets what it wants of these, and nothing else.
    case wishes(Set<SandboxWish>)
    /// Everything, including what it does not seem to want.
    case everything

    package static let everyWish = SandboxConsent.wishes(Set(SandboxWish.allCases))
    /// The values of `--allow`.
    package static let words = SandboxWish.allCases.map(\.rawValue) + ["all", "nothing"]

    /// From the values of `--allow`; nil if there are none.
    package init?(_ words: [String]) {
        if words.isEmpty { return nil }
        self = words.contains("all") ? .everything : .wishes(Set(words.compactMap(SandboxWish.init)))
    }

    /// The options that say it.
    package var options: [String] {
        let words: [String] =
            switch self {
            case .everything: ["all"]
            case .wishes(let wishes) where wishes.isEmpty: ["nothing"]
            case .wishes(let wishes): SandboxWish.allCases.filter(wishes.contains).map(\.rawValue)
            }
        return words.map { "--allow=\($0)" }
    }

    package func allows(_ wish: SandboxWish) -> Bool {
        switch self {
        case .everything: true
        case .wishes(let wishes): wishes.contains(wish)
        }
    }
}
