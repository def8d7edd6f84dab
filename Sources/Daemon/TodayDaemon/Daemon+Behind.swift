// SPDX-License-Identifier: MIT
import Reactor
import SnapshotStore
import TodayModel

/// Who is behind: whose last successful run was made from other things than there are now. Not the change is kept, but
/// what each widget has seen; so a change is found however long the widget could not run.
extension Daemon {
    /// Has a widget run if it is behind. A run in progress is looked at when it has ended.
    ///
    /// - Parameters:
    ///   - news: what has just changed, for a widget of which is not known what it has seen.
    ///   - gently: the widget itself may be the cause, so it comes once a second at most.
    func settle(_ id: WidgetID, after news: Premises.Difference? = nil, gently: Bool = false) {
        guard let manifest = catalog.manifest(of: id), !runs.isRunning(id),
            let difference = difference(of: manifest) ?? (store.memory(of: id).seen == nil ? news : nil)
        else { return }
        // A program that is there draws what it has for another size; any other has to run.
        if difference == .room, !gently, contexts.isServed(id) {
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
        let id = manifest.id
        let memory = store.memory(of: id)
        // One that has failed and said when to come again has failed with these: it waits until they are others.
        if let tried = memory.tried, let notBefore = catalog.notBefore(of: id), notBefore > catalog.look().wall {
            return tried.difference(to: catalog.premises(of: manifest))
        }
        if let seen = memory.seen, let difference = seen.difference(to: catalog.premises(of: manifest)) {
            return difference
        }
        return overlooked.contains(id) && catalog.draft(of: id) == nil ? .defaults : nil
    }

    /// What a widget has seen when a run has ended; nil for as much as before.
    func seen(by outcome: RunOutcome, from premises: Premises?) -> Premises? {
        guard let premises, !outcome.isEditing else { return nil }
        if case .failed = outcome.result { return nil }
        if outcome.errand == .displayMode, var seen = store.memory(of: outcome.widget).seen {
            (seen.mode, seen.size) = (premises.mode, premises.size)
            return seen
        }
        return outcome.isErrand ? nil : premises
    }

    /// Whether what todayd has of a widget is what the widget has drawn last, and for the size of this request.
    func hasDrawnFor(_ request: RunRequest) -> Bool {
        guard !unsure.contains(request.widget) else { return false }
        guard let seen = store.memory(of: request.widget).seen, let mode = seen.mode, let size = seen.size else {
            return true
        }
        return mode == request.mode && size == request.sizes[mode]
    }

    /// What was pushed to a widget without a program by a version that knew one layer. An update of its own is from a
    /// program that it had then.
    func adoptPushed(_ id: WidgetID) {
        guard catalog.manifest(of: id)?.update.isPushed == true, let own = catalog.own(of: id),
            store.lastUpdate(of: id) == nil
        else { return }
        store.adopt(Layers.Pushed(own.content, taken: own.taken), to: id)
    }
}
