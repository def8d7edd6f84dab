// SPDX-License-Identifier: MIT
import Reactor
import SnapshotStore
import TodayModel

/// What containing apps have left for a todayd that did not run. It is done once, and never after what is newer.
extension Daemon {
    private static let restBetweenLooks: Int64 = 1_000_000

    /// Notes, and what clients have changed since while the note of a group could not be read.
    struct Notes {
        /// The groups whose notes are being acted on, and therefore locked, or cannot be.
        var taken: Set<AppGroup> = []
        var busy: Set<AppGroup> = []
        var overtaken: [AppGroup: Set<PendingCalls.Subject>] = [:]
        /// What was said of the note of a group, which is tried again and again where the disk does not take it.
        var said: [AppGroup: Set<String>] = [:]
    }

    /// Acts on notes.
    ///
    /// - Parameter groups: only on those of these groups; nil is all to which widgets belong.
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

    /// A client changes something: what was left before is done before. What cannot be read now comes too late for this.
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

    /// All at once, so that they come before whatever is changed from now on. What the disk cannot take is tried again,
    /// with all the others.
    private func make(_ calls: PendingCalls) {
        let overtaken = notes.overtaken[calls.group] ?? []
        let changes = calls.changes.filter { PendingCalls.Subject($0).map(overtaken.contains) != true }
        var left = changes.count
        var isMade = true
        let end: @LoopActor () -> Void = { [weak self] in
            if isMade {
                calls.remove()
                // The next note of the group is newer than that.
                self?.notes.overtaken[calls.group] = nil
                self?.notes.said[calls.group] = nil
            }
            // Of one that cannot be read it is said once.
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
