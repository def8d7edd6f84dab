// SPDX-License-Identifier: MIT
import Reactor
import SnapshotStore
import TodayModel

/// Decides which widgets are behind, that is, whose last successful run had other premises than now. The store keeps
/// what each widget has seen instead of the changes, so the daemon finds a change however long the widget could not
/// run.
extension Daemon {
    /// Has a widget run if it is behind. During a run it does nothing, because the end of the run checks again.
    ///
    /// - Parameters:
    ///   - news: what has just changed. It counts for a widget whose seen premises are unknown.
    ///   - gently: the widget itself may be the cause, so it always goes through the scheduler, which runs it at most
    ///     once per second for this reason.
    func settle(_ id: WidgetID, after news: Premises.Difference? = nil, gently: Bool = false) {
        guard let manifest = catalog.manifest(of: id), !runs.isRunning(id),
            let difference = difference(of: manifest) ?? (store.memory(of: id).seen == nil ? news : nil)
        else { return }
        // A running program draws its present data for another size; any other program has to run.
        if difference == .room, !gently, contexts.isServed(id) {
            _ = scheduler.request(id, interaction: .displayMode)
        } else {
            scheduler.markBehind(id, difference)
        }
    }

    /// Checks for changes during a run. An update is compared with its own premises, any other run with those of the
    /// last update.
    func settle(after outcome: RunOutcome, from premises: Premises?) {
        guard let premises, let manifest = catalog.manifest(of: outcome.widget) else { return }
        let difference =
            outcome.isInteraction ? difference(of: manifest) : premises.difference(to: catalog.premises(of: manifest))
        if let difference { scheduler.markBehind(outcome.widget, difference) }
    }

    private func difference(of manifest: Manifest) -> Premises.Difference? {
        let id = manifest.id
        let memory = store.memory(of: id)
        // The widget has failed with these premises and requested a later time, so it waits until they differ.
        if let tried = memory.tried, let notBefore = catalog.notBefore(of: id), notBefore > catalog.look().wall {
            return tried.difference(to: catalog.premises(of: manifest))
        }
        if let seen = memory.seen, let difference = seen.difference(to: catalog.premises(of: manifest)) {
            return difference
        }
        return overlooked.contains(id) && catalog.draft(of: id) == nil ? .defaults : nil
    }

    /// The premises that a widget has seen after a run; nil leaves them as they were.
    func seen(by outcome: RunOutcome, from premises: Premises?) -> Premises? {
        guard let premises, !outcome.isEditing else { return nil }
        if case .failed = outcome.result { return nil }
        if outcome.interaction == .displayMode, var seen = store.memory(of: outcome.widget).seen {
            (seen.mode, seen.size) = (premises.mode, premises.size)
            return seen
        }
        return outcome.isInteraction ? nil : premises
    }

    /// Whether the stored content is the widget's latest drawing, for the size of this request.
    func hasDrawnFor(_ request: RunRequest) -> Bool {
        guard !unsure.contains(request.widget) else { return false }
        guard let seen = store.memory(of: request.widget).seen, let mode = seen.mode, let size = seen.size else {
            return true
        }
        return mode == request.mode && size == request.sizes[mode]
    }

    /// Moves content to the pushed layer that a daemon with only one layer stored for a widget without a program. If
    /// the log has an update, the content came from a program that the widget had then.
    func adoptPushed(_ id: WidgetID) {
        guard catalog.manifest(of: id)?.update.isPushed == true, let own = catalog.own(of: id),
            store.lastUpdate(of: id) == nil
        else { return }
        store.adopt(Layers.Pushed(own.content, taken: own.taken), to: id)
    }
}
