// SPDX-License-Identifier: MIT
import Files

/// Where manifests, plugins and todayd.conf are looked for, the strongest place first.
package struct SearchPath: Hashable, Sendable {
    /// The directories of manifests.
    package let widgetDirectories: [String]
    /// Reads this file and no other todayd.conf.
    package var configurationFile: String?

    /// Explicit directories replace the usual ones.
    package init(widgetDirectories: [String], configurationFile: String? = nil) {
        self.widgetDirectories = widgetDirectories.map(Self.clean).reduce(into: []) { list, directory in
            if !list.contains(directory) { list.append(directory) }
        }
        self.configurationFile = configurationFile
    }

    /// The system instance's: what administrators write is stronger than what is there until the next boot, that is
    /// stronger than what they have built themselves, and all are stronger than the distribution's.
    package static let system = SearchPath(
        widgetDirectories: ["/etc", "/run", "/usr/local/share", "/usr/share"].map { "\($0)/todayd/widgets" })

    /// A user instance's, after the XDG Base Directory Specification: relative paths in the variables do not count.
    package static func user(environment: [String: String]) -> SearchPath {
        func directories(_ name: String, otherwise: [String]) -> [String] {
            guard let value = environment[name], !value.isEmpty else { return otherwise }
            return value.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let bases =
            directories("XDG_CONFIG_HOME", otherwise: home.map { ["\($0)/.config"] } ?? []).prefix(1)
            + directories("XDG_RUNTIME_DIR", otherwise: []).prefix(1)
            + directories("XDG_DATA_HOME", otherwise: home.map { ["\($0)/.local/share"] } ?? []).prefix(1)
            + directories("XDG_DATA_DIRS", otherwise: ["/usr/local/share", "/usr/share"])
        return SearchPath(widgetDirectories: bases.map { clean($0) + "/todayd/widgets" })
    }

    /// With what was installed beside this program: below the prefix in whose `bin` it lies, the weakest of all.
    package func appending(installedWith program: String) -> SearchPath {
        let directory = Paths.parent(of: program)
        guard directory.hasSuffix("/bin") else { return self }
        return SearchPath(
            widgetDirectories: widgetDirectories + ["\(directory.dropLast(4))/share/todayd/widgets"],
            configurationFile: configurationFile)
    }

    /// The directories that hold `widgets`: todayd.conf lies there, beside them.
    package var bases: [String] {
        widgetDirectories.map(Paths.parent).reduce(into: []) { list, base in
            if !list.contains(base) { list.append(base) }
        }
    }

    /// The directories of xbar-style scripts, also beside them.
    package var pluginDirectories: [String] { bases.map { $0 == "/" ? "/plugins" : "\($0)/plugins" } }

    private static func clean(_ path: String) -> String {
        var path = path
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
