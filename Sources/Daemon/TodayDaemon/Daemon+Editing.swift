// SPDX-License-Identifier: MIT
import Reactor
import Scheduler
import SnapshotStore
import TodayModel

/// Drafts: what widgets show while they are edited, and how that ends.
extension Daemon {
    /// Whether a run takes place while its widget is edited. With the launch of EndEditing the widget draws again what it
    /// has to say.
    func isEditing(_ ticket: RunTicket) -> Bool {
        guard catalog.draft(of: ticket.widget) != nil else { return false }
        if case .endEditing? = ticket.errand {
            store.sketch(ticket.widget) { $0.draft = nil }
            return false
        }
        return true
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

    /// Sees to it that drafts end that no host touches any more.
    func watchDrafts() {
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
        watchDrafts()
    }
}
