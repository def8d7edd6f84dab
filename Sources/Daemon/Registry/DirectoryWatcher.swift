// SPDX-License-Identifier: MIT
import Files
import Glibc
import Reactor

/// Watches a changing set of directories, also such as do not exist yet.
@LoopActor
final class DirectoryWatcher {
    /// Something happened to a name in a wanted directory.
    var onEvent: (_ directory: String, _ event: DirectoryEvent) -> Void = { _, _ in }
    /// A directory has come or gone, or events were lost: look at everything again.
    var onUpheaval: () -> Void = {}
    /// What cannot be watched, by path.
    private(set) var failures: [String: ReactorError] = [:]

    private static let mostPlans = 1_000

    private var plan = WatchPlan(wanted: [])
    private var sources: [String: Watch] = [:]

    private struct Watch {
        let source: DirectorySource
        /// What was at the path then: a link above it may lead elsewhere by now.
        let place: FileMark.Place?
    }

    /// Changes what is watched, and returns the wanted directories that are watched from now on: what was read in
    /// them before may be out of date.
    func watch(_ wanted: some Sequence<String>) -> Set<String> {
        var fresh: Set<String> = []
        // A directory that comes or goes between the plan and its watches is what the next plan is about. Where that
        // never ends, the watches that there are tell of the end.
        for _ in 0..<Self.mostPlans {
            fresh.formUnion(follow(WatchPlan(wanted: wanted)))
            if plan == WatchPlan(wanted: wanted),
                !failures.values.contains(where: { [ENOENT, ENOTDIR].contains($0.code) })
            {
                break
            }
        }
        return fresh.filter { sources[$0] != nil }
    }

    private func follow(_ new: WatchPlan) -> Set<String> {
        var fresh: Set<String> = []
        failures = [:]
        for (path, watch) in sources
        where new.roles[path]?.isWanted != plan.roles[path]?.isWanted || watch.place != FileMark.Place(of: path) {
            watch.source.cancel()
            sources[path] = nil
        }
        plan = new
        for (path, role) in new.roles where sources[path] == nil {
            do throws(ReactorError) {
                let place = FileMark.Place(of: path)
                let mask: DirectoryEvents =
                    role.isWanted ? .entryChanges : [.created, .movedTo, .selfDeleted, .selfMoved]
                let source = try DirectorySource(path: path, mask: mask) { [unowned self] event in
                    take(event, in: path)
                }
                sources[path] = Watch(source: source, place: place)
                if role.isWanted { fresh.insert(path) }
            } catch {
                failures[path] = error
            }
        }
        return fresh
    }

    private func take(_ event: DirectoryEvent, in path: String) {
        guard let role = plan.roles[path] else { return }
        if !event.kinds.isDisjoint(with: [.selfDeleted, .selfMoved, .ended, .unmounted]) {
            // What lay below has gone along, or is another directory now.
            for (other, watch) in sources where other == path || other.hasPrefix(path + "/") {
                watch.source.cancel()
                sources[other] = nil
            }
            onUpheaval()
        } else if event.kinds.contains(.overflow) || role.awaited.contains(event.name) {
            onUpheaval()
        }
        if role.isWanted, !event.name.isEmpty { onEvent(path, event) }
    }
}
