// SPDX-License-Identifier: MIT
import Files
import TodayModel

/// The directories of manifests, plugins and todayd.conf, the strongest first.
package struct SearchPath: Hashable, Sendable {
    /// The directories of manifests.
    package let widgetDirectories: [String]
    /// The only todayd.conf to read; nil reads those in the usual places.
    package var configurationFile: String?
    /// The settings that count unless todayd.conf sets others.
    package var defaults = Settings()

    /// Explicit directories replace the usual ones.
    package init(widgetDirectories: [String], configurationFile: String? = nil) {
        self.widgetDirectories = widgetDirectories.map(Self.clean).reduce(into: []) { list, directory in
            if !list.contains(directory) { list.append(directory) }
        }
        self.configurationFile = configurationFile
    }

    /// The directories of the system instance.
    package static let system = SearchPath(widgetDirectories: ManifestDirectories.system)

    /// The directories of a user instance.
    package static func user(environment: [String: String]) -> SearchPath {
        SearchPath(widgetDirectories: ManifestDirectories.user { environment[$0] })
    }

    /// Adds `share/todayd/widgets` of the prefix whose `bin` contains the program, as the weakest directory.
    package func appending(installedWith program: String) -> SearchPath {
        let directory = Paths.parent(of: program)
        guard let place = ["/bin", "/libexec/todayd"].first(where: directory.hasSuffix) else { return self }
        return SearchPath(
            widgetDirectories: widgetDirectories + ["\(directory.dropLast(place.count))/share/todayd/widgets"],
            configurationFile: configurationFile)
    }

    /// The parents of the manifest directories, which contain todayd.conf.
    package var bases: [String] {
        widgetDirectories.map(Paths.parent).reduce(into: []) { list, base in
            if !list.contains(base) { list.append(base) }
        }
    }

    /// The directories of xbar-style scripts.
    package var pluginDirectories: [String] { bases.map { $0 == "/" ? "/plugins" : "\($0)/plugins" } }

    /// Whether widgets are looked for in this directory.
    func isSearched(_ directory: String) -> Bool {
        widgetDirectories.contains(directory) || pluginDirectories.contains(directory)
    }

    private static func clean(_ path: String) -> String {
        var path = path
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
