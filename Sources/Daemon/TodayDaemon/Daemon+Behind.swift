// SPDX-License-Identifier: MIT
import SnapshotStore
import TodayModel

/// Who is behind: whose last successful run was made from other things than there are now. Not the change is kept, but
/// what each widget has seen; so a change is found however long the widget could not run.
extension Daemon {
    /// Has a widget run if it is behind. A run in progress is looked at when it has ended.
    ///
    /// - Parameters:
    ///   - news: what has just changed; a widget that has never succeeded has seen nothing to compare it with.
    ///   - gently: the widget itself may be the cause, so it comes once a second at most.
    func settle(_ id: WidgetID, after news: Premises.Difference? = nil, gently: Bool = false) {
        guard let manifest = catalog.manifest(of: id), !runs.isRunning(id),
            let difference = difference(of: manifest) ?? news
        else { return }
        // A program that stays draws what it has for another size; any other has to run.
        if difference == .room, !gently, manifest.update.contentProtocol == .varlink {
            _ = scheduler.request(id, errand: .displayMode)
        } else {
            scheduler.isBehind(id, difference)
        }
    }

    /// Something may have changed while a run was in progress. Of an update it is what that has not read; of anything else
    /// what the last update has not.
    func settle(after outcome: RunOutcome, from premises: Premises?) {
        guard let premises, let manifest = catalog.manifest(of: outcome.widget) else { return }
        let difference =
            outcome.isErrand ? difference(of: manifest) : premises.difference(to: catalog.premises(of: manifest))
        if let difference { scheduler.isBehind(outcome.widget, difference) }
    }

    private func difference(of manifest: Manifest) -> Premises.Difference? {
        store.memory(of: manifest.id).seen?.difference(to: catalog.premises(of: manifest))
    }

    /// What a widget has seen when a run has ended; nil for as much as before.
    func seen(by outcome: RunOutcome, from premises: Premises?) -> Premises? {
        guard let premises else { return nil }
        if case .failed = outcome.result { return nil }
        if outcome.errand == .displayMode, var seen = store.memory(of: outcome.widget).seen {
            (seen.mode, seen.size) = (premises.mode, premises.size)
            return seen
        }
        return outcome.isErrand || outcome.isEditing ? nil : premises
    }

    /// What was pushed to a widget without a program by a version that knew one layer.
    func adoptPushed(_ id: WidgetID) {
        guard catalog.manifest(of: id)?.update.isPushed == true, let own = catalog.own(of: id) else { return }
        store.adopt(Layers.Pushed(own.content, taken: own.taken), to: id)
    }

    /// Makes the calls that containing apps have left while no daemon was there.
    func makePendingCalls() {
        let found = PendingCalls.found(in: settings.paths.stateDirectory) { id, group in
            catalog.manifest(of: id)?.appGroups.contains(group) == true
        }
        for calls in found {
            for complaint in calls.complaints { log.warning(complaint) }
            var failures = 0
            var remaining = calls.changes.count
            if remaining == 0 { calls.remove() }
            for change in calls.changes {
                store.change(change) { [log] result in
                    remaining -= 1
                    if case .failure(let failure) = result {
                        log.warning("\(calls.path): \(failure)")
                        failures += failure.kind == .refused ? 0 : 1
                    }
                    // What the disk could not take is tried again at the next start.
                    if remaining == 0, failures == 0 { calls.remove() }
                }
            }
        }
    }
}
