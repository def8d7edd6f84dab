// SPDX-License-Identifier: MIT
import Reactor
import Scheduler
import SnapshotStore
import TodayModel

/// Drafts: what widgets show while they are edited, and how that ends.
extension Daemon {
    /// Whether a run takes place while its widget is edited: from the launch of BeginEditing to that of EndEditing, with
    /// which the widget draws again what it has to say.
    func isEditing(_ ticket: RunTicket) -> Bool {
        let id = ticket.widget
        switch ticket.errand {
        case .beginEditing?:
            // The user may be done already: then what it draws is for no eyes, and the end of editing follows.
            store.sketch(id) { $0.draft?.hasBegun = true }
            return true
        case .endEditing?:
            guard let draft = catalog.draft(of: id) else { return false }
            // What the user wanted last counts, and more of it may wait: to edit again, and to be done with that.
            let isOver = draft.isEnding && !scheduler.editingWaits(for: id)
            store.sketch(id) { if isOver { $0.draft = nil } else { $0.draft?.hasBegun = false } }
            return false
        case .action?, .displayMode?, nil:
            return catalog.draft(of: id)?.hasBegun ?? false
        }
    }

    /// What a run says of editing: one that has not begun has left the program in between, and an update that gave an
    /// editor has to be made again.
    func noteEditing(_ outcome: RunOutcome) {
        let id = outcome.widget
        switch (outcome.result, outcome.errand) {
        case (.failed, .beginEditing?): runner.dismiss(id)
        case (_, .beginEditing?): contexts.beganEditing(id)
        case (.newData, nil), (.noData, nil):
            if outcome.isEditing { overlooked.insert(id) } else { overlooked.remove(id) }
        default: break
        }
    }

    /// Nothing is asked of the widget: it must be left neither with a draft that does not end nor with an editor that
    /// todayd knows nothing of.
    ///
    /// - Parameter before: its draft before it was asked.
    func editingRefused(_ errand: Errand, of id: WidgetID, before: Layers.Draft?) {
        switch errand {
        case .beginEditing: store.sketch(id) { $0.draft = before }
        case .endEditing: forgetDraft(of: id)
        case .action, .displayMode: break
        }
    }

    /// A widget that may not run cannot be edited, nor told that it is over: its program has to begin anew.
    func forgetDraft(of id: WidgetID) {
        guard catalog.draft(of: id) != nil else { return }
        store.sketch(id) { $0.draft = nil }
        runner.dismiss(id)
    }

    /// A planned run will never be.
    func forgetDraft(of ticket: RunTicket) {
        switch ticket.errand {
        case .beginEditing?, .endEditing?: forgetDraft(of: ticket.widget)
        case .action?, .displayMode?, nil: break
        }
    }

    /// Sees to it that drafts end that no host touches any more, and that what changed meanwhile is not forgotten.
    func watchDrafts() {
        let ended = edited.subtracting(store.drafts.keys)
        edited = Set(store.drafts.keys)
        for id in ended { settle(id, gently: true) }
        guard let next = store.drafts.values.lazy.filter({ !$0.isEnding }).map(\.ends).min() else {
            draftTimer?.disarm()
            return
        }
        draftTimer?.arm(at: next.microseconds)
    }

    func endOldDrafts() {
        let now = catalog.look().boot
        for (id, draft) in store.drafts where !draft.isEnding && draft.ends <= now {
            log.info("\(id): no host has edited it for \(Layers.Draft.patience.text), so it is as before")
            store.sketch(id) { $0.draft?.isEnding = true }
            let reception = scheduler.request(id, errand: .endEditing(isCancelled: true))
            if reception.answer.answer == .refused { forgetDraft(of: id) }
        }
    }
}
