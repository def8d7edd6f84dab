// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import Registry
import SnapshotStore
import TodayModel

/// Clients' changes and requests for runs, after the methods of the protocol have checked who may make them.
extension Daemon {
    /// Makes a change durable, unless a manifest forbids it.
    func change(_ change: Change, then: @escaping Completion<Void>) {
        if let refusal = catalog.refusal(of: change) { return then(.failure(refusal)) }
        store.change(change, completion: then)
    }

    /// Requests the perform-update of one widget, or (nil) of all that may run. Returns one answer per widget at once.
    /// If an answer is not final, the listener gets later ones up to the final one, possibly before this method
    /// returns. `listener` is nil if no client waits.
    func update(_ id: WidgetID?, listener: (any UpdateListener)?) -> [UpdateAnswer] {
        if let id { return [request(id, nil, listener)] }
        // Hidden, disabled and pushed widgets do not run, so they give no answer.
        return catalog.widgets().filter { id in
            guard let manifest = catalog.validManifest(of: id), !manifest.update.isPushed else { return false }
            return catalog.obstacle(of: id) == nil
        }.map { request($0, nil, listener) }
    }

    /// Runs a widget because the user has touched it. Answers like `update` for one widget.
    func perform(
        _ interaction: Interaction, of id: WidgetID, listener: (any UpdateListener)?
    ) throws(Refusal) -> UpdateAnswer {
        if let refusal = catalog.refusal(of: interaction, for: id) { throw refusal }
        let before = catalog.draft(of: id)
        editing.touch(id, for: interaction)
        let answer = request(id, interaction, listener)
        if answer.answer == .refused { editing.requestRefused(interaction, of: id, before: before) }
        return answer
    }

    private func request(
        _ id: WidgetID, _ interaction: Interaction?, _ listener: (any UpdateListener)?
    ) -> UpdateAnswer {
        guard catalog.validManifest(of: id) != nil else {
            return UpdateAnswer(id: id, answer: .refused, reason: catalog.reasonForInvalidity(of: id))
        }
        let requested = scheduler.request(id, interaction: interaction)
        if let listener, let run = requested.run { catalog[id].waiters.add(run: run, listener) }
        return requested.answer
    }

    // MARK: Widgets that run

    /// Sets the largest display mode that a widget has for now. `context` is the extension context that requested it.
    func setLargestDisplayMode(_ mode: DisplayMode, of widget: WidgetID, context: SessionID) {
        guard catalog[widget].processes.acceptMode(from: context) else { return }
        store.remember(widget) { $0.largestMode = mode }
        largestModeChanged(of: widget)
    }

    /// Keeps a URL that a widget wants opened for the host where the user pressed a button. Returns the reason if the
    /// daemon refuses.
    func openURL(_ url: String, for widget: WidgetID) -> String? {
        guard let manifest = catalog.validManifest(of: widget) else { return catalog.reasonForInvalidity(of: widget) }
        let record = catalog[widget]
        let refusal = record.press.open(url, for: manifest)
        if let refusal { record.output.refusedToOpen(url, because: refusal) }
        return refusal
    }
}
