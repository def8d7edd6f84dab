// SPDX-License-Identifier: MIT
import Files
import TodayModel

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

    /// The system instance's.
    package static let system = SearchPath(widgetDirectories: ManifestDirectories.system)

    /// A user instance's.
    package static func user(environment: [String: String]) -> SearchPath {
        SearchPath(widgetDirectories: ManifestDirectories.user { environment[$0] })
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
