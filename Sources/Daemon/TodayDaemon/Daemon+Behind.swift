// SPDX-License-Identifier: MIT
import Reactor
import SnapshotStore
import TodayModel

/// Decides which widgets are behind, that is, whose last successful run had other inputs than now. The store keeps
/// what each widget has seen instead of the changes, so the daemon finds a change however long the widget could not
/// run.
extension Daemon {
    /// Runs a widget if it is behind. During a run it does nothing, because the end of the run checks again.
    ///
    /// - Parameters:
    ///   - news: what has just changed. It counts for a widget whose seen inputs are unknown.
    ///   - isRateLimited: the widget itself may be the cause, so it is marked behind, which runs it at most once per
    ///     second, instead of requested.
    func runIfBehind(_ id: WidgetID, after news: UpdateInputs.Difference? = nil, isRateLimited: Bool = false) {
        guard let manifest = catalog.validManifest(of: id), catalog[id].run == nil,
            let difference = difference(of: manifest) ?? (store.memory(of: id).seen == nil ? news : nil)
        else { return }
        // A resident draws its present data for another size; any other program has to run again.
        if difference == .room, !isRateLimited, catalog[id].processes.isRunning {
            _ = scheduler.request(id, interaction: .displayMode)
        } else {
            scheduler.markBehind(id, difference)
        }
    }

    /// Runs a widget again if something changed during its run. An update is compared with its own inputs, any other run with
    /// those of the last update.
    func runAgainIfBehind(after outcome: RunOutcome, from inputs: UpdateInputs) {
        guard let manifest = catalog.validManifest(of: outcome.widget) else { return }
        let difference =
            outcome.isInteraction ? difference(of: manifest) : inputs.difference(to: catalog.inputs(of: manifest))
        if let difference { scheduler.markBehind(outcome.widget, difference) }
    }

    private func difference(of manifest: Manifest) -> UpdateInputs.Difference? {
        let id = manifest.id
        // A running program was started with its inputs, whether or not it has printed anything since.
        if manifest.update.stays, let inputs = catalog[id].stream.inputs {
            return inputs.difference(to: catalog.inputs(of: manifest)) ?? (editing.owesUpdate(id) ? .defaults : nil)
        }
        let memory = store.memory(of: id)
        let inputs = catalog.inputs(of: manifest)
        if let tried = memory.tried {
            // The failure says nothing about other inputs, even if they are those of the last success.
            if let difference = tried.difference(to: inputs) { return difference }
            // The widget has requested a later time, which holds for these inputs.
            if let notBefore = catalog.notBefore(of: id), notBefore > catalog.now.wall { return nil }
        }
        if let difference = memory.seen?.difference(to: inputs) { return difference }
        return editing.owesUpdate(id) ? .defaults : nil
    }

    /// The inputs that a widget has seen after a run; nil leaves them as they were.
    func seen(by outcome: RunOutcome, from inputs: UpdateInputs?) -> UpdateInputs? {
        guard let inputs, !outcome.isEditing, !outcome.isSilent else { return nil }
        if case .failed = outcome.result { return nil }
        if outcome.interaction == .displayMode, var seen = store.memory(of: outcome.widget).seen {
            (seen.mode, seen.size) = (inputs.mode, inputs.size)
            return seen
        }
        return outcome.isInteraction ? nil : inputs
    }

    /// Whether the stored content is the widget's latest drawing, for the size of this request.
    func hasDrawnFor(_ request: RunRequest) -> Bool {
        guard !catalog[request.widget].mayBeOutdated else { return false }
        guard let seen = store.memory(of: request.widget).seen, let mode = seen.mode, let size = seen.size else {
            return true
        }
        return mode == request.mode && size == request.sizes[mode]
    }
}
