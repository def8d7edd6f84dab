// SPDX-License-Identifier: MIT

/// Where an instance of todayd looks for manifests unless it is told other places, the strongest place first.
package enum ManifestDirectories {
    /// The system instance's: what administrators write is stronger than what is there until the next boot, that is
    /// stronger than what they have built themselves, and all are stronger than the distribution's.
    package static let system = ["/etc", "/run", "/usr/local/share", "/usr/share"].map(below)

    /// A user instance's, after the XDG Base Directory Specification: relative paths in the variables do not count.
    package static func user(_ variable: (String) -> String?) -> [String] {
        func directories(_ name: String, otherwise: [String]) -> [String] {
            guard let value = variable(name), !value.isEmpty else { return otherwise }
            return value.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        }
        let home = variable("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let bases =
            directories("XDG_CONFIG_HOME", otherwise: home.map { ["\($0)/.config"] } ?? []).prefix(1)
            + directories("XDG_RUNTIME_DIR", otherwise: []).prefix(1)
            + directories("XDG_DATA_HOME", otherwise: home.map { ["\($0)/.local/share"] } ?? []).prefix(1)
            + directories("XDG_DATA_DIRS", otherwise: ["/usr/local/share", "/usr/share"])
        return bases.map(below)
    }

    private static func below(_ base: String) -> String {
        var base = base
        while base.hasSuffix("/") { base.removeLast() }
        return "\(base)/todayd/widgets"
    }
}
