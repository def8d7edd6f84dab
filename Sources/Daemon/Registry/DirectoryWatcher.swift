// SPDX-License-Identifier: MIT
import Files
import Glibc
import Platform
import Reactor

/// Watches a changing set of directories, including directories that do not exist yet.
@LoopActor
final class DirectoryWatcher {
    /// An entry of a wanted directory has changed.
    var onEvent: (_ directory: String, _ event: DirectoryEvent) -> Void = { _, _ in }
    /// A directory was made or removed, or the kernel lost events: read everything again.
    var onDirectoriesChanged: () -> Void = {}
    /// Why a directory cannot be watched, by path.
    private(set) var failures: [String: ReactorError] = [:]

    private static let mostPlans = 1_000

    private var plan = WatchPlan(wanted: [])
    private var sources: [String: Watch] = [:]

    private struct Watch {
        let source: DirectorySource
        /// Which directory the path led to when it was watched. It leads to another one after a symbolic link in the path
        /// has changed.
        let directory: FileIdentity?
    }

    /// Changes the set of directories. Returns the wanted directories that were not watched before: what was read from them
    /// may be out of date.
    func watch(_ wanted: some Sequence<String>) -> Set<String> {
        var fresh: Set<String> = []
        // Make a new plan if a directory was made or removed between the plan and its watches. If that never ends, the
        // watches that exist report the last change.
        for _ in 0..<Self.mostPlans {
            fresh.formUnion(replacePlan(WatchPlan(wanted: wanted)))
            if plan == WatchPlan(wanted: wanted),
                !failures.values.contains(where: { [ENOENT, ENOTDIR].contains($0.code) })
            {
                break
            }
        }
        return fresh.filter { sources[$0] != nil }
    }

    private func replacePlan(_ new: WatchPlan) -> Set<String> {
        var fresh: Set<String> = []
        failures = [:]
        for (path, watch) in sources
        where new.roles[path]?.isWanted != plan.roles[path]?.isWanted || watch.directory != FileIdentity(of: path) {
            watch.source.cancel()
            sources[path] = nil
        }
        plan = new
        for (path, role) in new.roles where sources[path] == nil {
            do throws(ReactorError) {
                let directory = FileIdentity(of: path)
                let mask: DirectoryEvents =
                    role.isWanted ? .entryChanges : [.created, .movedTo, .selfDeleted, .selfMoved]
                let source = try DirectorySource(path: path, mask: mask) { [unowned self] event in
                    handle(event, in: path)
                }
                sources[path] = Watch(source: source, directory: directory)
                if role.isWanted { fresh.insert(path) }
            } catch {
                failures[path] = error
            }
        }
        return fresh
    }

    private func handle(_ event: DirectoryEvent, in path: String) {
        guard let role = plan.roles[path] else { return }
        if !event.kinds.isDisjoint(with: [.selfDeleted, .selfMoved, .ended, .unmounted]) {
            // The directories below it have moved with it, or have been replaced.
            for (other, watch) in sources where other == path || other.hasPrefix(path + "/") {
                watch.source.cancel()
                sources[other] = nil
            }
            onDirectoriesChanged()
        } else if event.kinds.contains(.overflow) || role.awaited.contains(event.name) {
            onDirectoriesChanged()
        }
        if role.isWanted, !event.name.isEmpty { onEvent(path, event) }
    }
}

/// Which directories to watch so that no change of a wanted one is missed. In place of a missing directory, its nearest
/// existing parent is watched for the next name of the path.
struct WatchPlan: Hashable {
    struct Role: Hashable {
        /// Every entry matters.
        var isWanted = false
        /// These names matter: one of them may lead to a wanted directory.
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
