// SPDX-License-Identifier: MIT
import Reactor
import SnapshotStore
import TodayModel

/// Carries out the calls that containing apps left while no daemon ran. Each is carried out once, and never after a
/// newer change.
extension Daemon {
    private static let restBetweenLooks: Int64 = 1_000_000

    /// The notes, and the changes that clients made while a group's note could not be read.
    struct Notes {
        /// The groups whose notes are being carried out and therefore locked, or cannot be read.
        var taken: Set<AppGroup> = []
        var busy: Set<AppGroup> = []
        var overtaken: [AppGroup: Set<PendingCalls.Subject>] = [:]
        /// The complaints that were logged about each group's note, because the daemon retries a note when the disk
        /// fails.
        var said: [AppGroup: Set<String>] = [:]
    }

    /// Carries out notes.
    ///
    /// - Parameter groups: the groups whose notes count; nil for all groups of widgets.
    func makePendingCalls(of groups: [AppGroup]? = nil) {
        notes.busy.subtract(groups ?? Array(notes.busy))
        let found = PendingCalls.found(
            in: settings.paths.stateDirectory, of: groups,
            belongs: { [catalog] id, group in catalog.manifest(of: id)?.appGroups.contains(group) == true },
            isKnown: { [catalog] group in !catalog.manifests(inGroup: group).isEmpty },
            onBusy: { if !notes.taken.contains($0) { notes.busy.insert($0) } })
        for calls in found where notes.taken.insert(calls.group).inserted {
            for complaint in calls.complaints { say(complaint, of: calls.group) }
            make(calls)
        }
        if !notes.busy.isEmpty { lookAgain() }
    }

    /// Carries out the notes about a subject before a client changes it. If a note cannot be read now, its call about
    /// this subject is dropped later, because it is older.
    func makeRoom(for change: Change) {
        guard let subject = PendingCalls.Subject(change) else { return }
        let groups =
            switch subject {
            case .hasContent(let id): catalog.manifest(of: id)?.appGroups ?? []
            case .value(let group, _): [group]
            }
        makePendingCalls(of: groups)
        for group in groups where notes.busy.contains(group) { notes.overtaken[group, default: []].insert(subject) }
    }

    /// Makes all changes at once, so that they precede later ones. If the disk fails, the daemon retries all of them.
    private func make(_ calls: PendingCalls) {
        let overtaken = notes.overtaken[calls.group] ?? []
        let changes = calls.changes.filter { PendingCalls.Subject($0).map(overtaken.contains) != true }
        var left = changes.count
        var isMade = true
        let end: @LoopActor () -> Void = { [weak self] in
            if isMade {
                calls.remove()
                // The group's next note is newer than those changes.
                self?.notes.overtaken[calls.group] = nil
                self?.notes.said[calls.group] = nil
            }
            // An unreadable note stays in `taken`, so that it is logged only once.
            if calls.isReadable { self?.notes.taken.remove(calls.group) }
            if !isMade { self?.lookAgain() }
        }
        guard left > 0 else { return end() }
        for change in changes {
            store.change(change) { [weak self] result in
                if case .failure(let refusal) = result {
                    self?.say("\(calls.path): \(refusal)", of: calls.group)
                    if case .notStored = refusal { isMade = false }
                }
                left -= 1
                if left == 0 { end() }
            }
        }
    }

    private func say(_ complaint: String, of group: AppGroup) {
        if notes.said[group, default: []].insert(complaint).inserted { log.warning(complaint) }
    }

    private func lookAgain() { noteTimer?.arm(after: Self.restBetweenLooks, slack: Self.restBetweenLooks) }
}
