// SPDX-License-Identifier: MIT
import Reactor
import Scheduler
import SnapshotStore
import TodayModel

/// Drafts: what widgets show while the user edits them, and how editing ends.
extension Daemon {
    /// Whether a run takes place during editing. Editing lasts from the launch of BeginEditing to that of EndEditing;
    /// after EndEditing the widget draws its normal content again.
    func isEditing(_ ticket: RunTicket) -> Bool {
        let id = ticket.widget
        switch ticket.interaction {
        case .beginEditing?:
            // If the user has already ended editing, hosts do not show what this run draws, and EndEditing follows.
            store.sketch(id) { $0.draft?.hasBegun = true }
            return true
        case .endEditing?:
            guard let draft = catalog.draft(of: id) else { return false }
            // The user's last request counts. More requests may wait: to begin editing again, and to end it.
            let isOver = draft.isEnding && !scheduler.editingWaits(for: id)
            store.sketch(id) { if isOver { $0.draft = nil } else { $0.draft?.hasBegun = false } }
            return false
        case .action?, .displayMode?, nil:
            return catalog.draft(of: id)?.hasBegun ?? false
        }
    }

    /// Notes what a run means for editing. If BeginEditing failed, the program's state is unknown, so the runner ends
    /// it. If an update drew an editor, the widget must run again after editing.
    func noteEditing(_ outcome: RunOutcome) {
        let id = outcome.widget
        switch (outcome.result, outcome.interaction) {
        case (.failed, .beginEditing?): runner.dismiss(id)
        case (_, .beginEditing?): contexts.beganEditing(id)
        case (.newData, nil), (.noData, nil):
            if outcome.isEditing { overlooked.insert(id) } else { overlooked.remove(id) }
        default: break
        }
    }

    /// Restores the draft after a refused request. Otherwise a draft would never end, or the widget would show an
    /// editor of which the daemon does not know.
    ///
    /// - Parameter before: the widget's draft before the request.
    func editingRefused(_ interaction: Interaction, of id: WidgetID, before: Layers.Draft?) {
        switch interaction {
        case .beginEditing: store.sketch(id) { $0.draft = before }
        case .endEditing: forgetDraft(of: id)
        case .action, .displayMode: break
        }
    }

    /// Drops the draft of a widget that may not run. The daemon cannot send it EndEditing either, so the program has to
    /// start again.
    func forgetDraft(of id: WidgetID) {
        guard catalog.draft(of: id) != nil else { return }
        store.sketch(id) { $0.draft = nil }
        runner.dismiss(id)
    }

    /// Drops the draft of a planned run that will not take place.
    func forgetDraft(of ticket: RunTicket) {
        switch ticket.interaction {
        case .beginEditing?, .endEditing?: forgetDraft(of: ticket.widget)
        case .action?, .displayMode?, nil: break
        }
    }

    /// Arms the timer for drafts that no host touches, and checks widgets whose draft has ended for changes in the
    /// meantime.
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
            let requested = scheduler.request(id, interaction: .endEditing(isCancelled: true))
            if requested.answer.answer == .refused { forgetDraft(of: id) }
        }
    }
}
