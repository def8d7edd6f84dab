// SPDX-License-Identifier: MIT

/// What a program may want that `Level=strict` of a sandbox withholds: a word of `todayctl import --allow`.
package enum SandboxWish: String, CaseIterable, Sendable {
    case network, session, files, machine

    /// For a question: `weather wants …`.
    package var words: String {
        switch self {
        case .network: "the network"
        case .session: "your session: its bus, windows and sound"
        case .files: "files of your home"
        case .machine: "the machine's processes, disks or devices"
        }
    }
}

/// What the user lets imported programs reach.
package enum SandboxConsent: Hashable, Sendable {
    /// Each gets what it wants of these, and nothing else.
    case wishes(Set<SandboxWish>)
    /// Everything, also what it does not seem to want.
    case everything

    package static let everyWish = SandboxConsent.wishes(Set(SandboxWish.allCases))
    /// The values of `--allow`.
    package static let words = SandboxWish.allCases.map(\.rawValue) + ["all", "nothing"]

    /// From the values of `--allow`; nil where there are none.
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
