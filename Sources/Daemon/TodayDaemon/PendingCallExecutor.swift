// SPDX-License-Identifier: MIT
import Reactor
import SnapshotStore
import TodayModel

/// Carries out the calls that containing apps left while no daemon ran. Each is carried out once, and never after a
/// newer change.
@LoopActor
final class PendingCallExecutor {
    /// How far the calls of one group are.
    struct Progress: Equatable {
        enum Phase: Equatable {
            case idle
            /// An app is writing the file, so the daemon tries again.
            case lockedByApp
            /// The daemon itself holds the lock until all changes are stored.
            case inProgress
            /// The file stays until the next start, so that the user can examine it.
            case unreadable
        }

        var phase = Phase.idle
        /// What clients have changed while an app held the lock. The pending calls about it are older.
        var overtaken: Set<PendingCalls.Subject> = []
        /// The complaints that were logged. The daemon retries calls when the disk fails.
        var logged: Set<String> = []
    }

    private static let retryPause: Int64 = 1_000_000

    /// The groups whose file of calls was seen, until nothing of it is left.
    private(set) var progress: [AppGroup: Progress] = [:]
    private let stateDirectory: String
    private let catalog: Catalog
    private let store: SnapshotStore
    private let log: Log
    private var retryTimer: TimerSource?

    init(stateDirectory: String, catalog: Catalog, store: SnapshotStore, log: Log) throws(ReactorError) {
        self.stateDirectory = stateDirectory
        self.catalog = catalog
        self.store = store
        self.log = log
        retryTimer = try TimerSource(.monotonic) { [unowned self] in carryOut() }
    }

    /// Carries out the pending calls.
    ///
    /// - Parameter groups: the groups whose calls count; nil for all groups of widgets.
    func carryOut(of groups: [AppGroup]? = nil) {
        for group in groups ?? Array(progress.keys) where phase(of: group) == .lockedByApp {
            progress[group]?.phase = .idle
        }
        let found = PendingCalls.found(
            in: stateDirectory, of: groups,
            belongs: { id, group in catalog.validManifest(of: id)?.appGroups.contains(group) == true },
            isKnown: { group in !catalog.readableManifests(inGroup: group).isEmpty },
            onBusy: { if phase(of: $0) == .idle { progress[$0, default: Progress()].phase = .lockedByApp } })
        for calls in found where phase(of: calls.group) == .idle {
            for complaint in calls.complaints { warn(complaint, about: calls.group) }
            if calls.isReadable {
                progress[calls.group, default: Progress()].phase = .inProgress
                carryOut(calls)
            } else {
                progress[calls.group] = Progress(phase: .unreadable)
            }
        }
        if progress.values.contains(where: { $0.phase == .lockedByApp }) { retryLater() }
    }

    /// Carries out the older calls about a subject before a client changes it. Where an app holds the lock, the calls
    /// about this subject are dropped later.
    func carryOut(before change: Change) {
        guard let subject = PendingCalls.Subject(change) else { return }
        let groups =
            switch subject {
            case .hasContent(let id): catalog.validManifest(of: id)?.appGroups ?? []
            case .value(let group, _): [group]
            }
        carryOut(of: groups)
        for group in groups where phase(of: group) == .lockedByApp { progress[group]?.overtaken.insert(subject) }
    }

    private func phase(of group: AppGroup) -> Progress.Phase { progress[group]?.phase ?? .idle }

    /// Makes all changes at once, so that they precede later ones. If the disk fails, the daemon retries all of them.
    private func carryOut(_ calls: PendingCalls) {
        let group = calls.group
        let overtaken = progress[group]?.overtaken ?? []
        let changes = calls.changes.filter { PendingCalls.Subject($0).map(overtaken.contains) != true }
        var left = changes.count
        var isStored = true
        let end: @LoopActor () -> Void = { [weak self] in
            if isStored {
                calls.remove()
                self?.progress[group] = nil
            } else {
                self?.progress[group]?.phase = .idle
                self?.retryLater()
            }
        }
        guard left > 0 else { return end() }
        for change in changes {
            store.change(change) { [weak self] result in
                if case .failure(let refusal) = result {
                    self?.warn("\(calls.path): \(refusal)", about: group)
                    if case .notStored = refusal { isStored = false }
                }
                left -= 1
                if left == 0 { end() }
            }
        }
    }

    private func warn(_ complaint: String, about group: AppGroup) {
        if progress[group, default: Progress()].logged.insert(complaint).inserted { log.warning(complaint) }
    }

    private func retryLater() { retryTimer?.arm(after: Self.retryPause, slack: Self.retryPause) }
}
