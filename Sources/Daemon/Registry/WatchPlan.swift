// SPDX-License-Identifier: MIT
import Files

/// Which directories have to be watched so that nothing about the wanted ones is missed, whether they are there or not:
/// in place of a missing one the nearest that exists, for the next name on the way.
struct WatchPlan: Hashable {
    struct Role: Hashable {
        /// Everything in it matters.
        var isWanted = false
        /// Only these names matter: with one of them a wanted directory may have come.
        var awaited: Set<String> = []
    }

    private(set) var roles: [String: Role] = [:]

    init(wanted: some Sequence<String>, exists: (String) -> Bool = Paths.isDirectory) {
        for directory in wanted {
            if exists(directory) {
                roles[directory, default: Role()].isWanted = true
                continue
            }
            var missing = directory
            var parent = Paths.parent(of: missing)
            while parent != missing, !exists(parent) {
                missing = parent
                parent = Paths.parent(of: missing)
            }
            if parent != missing { roles[parent, default: Role()].awaited.insert(Paths.name(of: missing)) }
        }
    }
}
