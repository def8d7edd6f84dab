// SPDX-License-Identifier: MIT
import Reactor
import Runner
import Scheduler
import SnapshotStore
import TodayModel

/// Drafts: what widgets show while the user edits them, and how editing ends. Everything outside the widget that changes a
/// draft is here.
@LoopActor
final class Editing {
    private let catalog: Catalog
    private let store: SnapshotStore
    private let scheduler: Scheduler
    private let runner: any WidgetRunner
    private let log: Log
    /// Fires when the oldest draft has been untouched for too long.
    private var patienceTimer: TimerSource?

    init(
        catalog: Catalog, store: SnapshotStore, scheduler: Scheduler, runner: any WidgetRunner, log: Log
    ) throws(ReactorError) {
        self.catalog = catalog
        self.store = store
        self.scheduler = scheduler
        self.runner = runner
        self.log = log
        patienceTimer = try TimerSource(.boottime) { [unowned self] in endOldDrafts() }
    }

    /// Whether the widget has to run because its last update was for an editor that has been closed.
    func owesUpdate(_ id: WidgetID) -> Bool { catalog[id].drewEditor && catalog.draft(of: id) == nil }

    // MARK: Requests of hosts

    /// Begins, continues or ends a widget's draft when a host requests an interaction. After an end, hosts do not show the
    /// editor, whatever the widget draws.
    func touch(_ id: WidgetID, for interaction: Interaction) {
        let now = catalog.now.boot
        switch interaction {
        case .beginEditing: store.changeInMemory(id) { $0.edit(at: now) }
        case .action:
            guard store.layers(of: id).isEdited(at: now) else { return }
            store.changeInMemory(id) { $0.edit(at: now) }
        case .endEditing: store.changeInMemory(id) { $0.draft?.isEnding = true }
        case .displayMode: break
        }
    }

    /// Restores the draft after the scheduler has refused an interaction. Otherwise a draft would never end, or the widget
    /// would show an editor that the daemon does not know about.
    ///
    /// - Parameter before: the widget's draft before the request.
    func requestRefused(_ interaction: Interaction, of id: WidgetID, before: Layers.Draft?) {
        switch interaction {
        case .beginEditing: store.changeInMemory(id) { $0.draft = before }
        case .endEditing: abandon(id)
        case .action, .displayMode: break
        }
    }

    // MARK: Runs

    /// Updates the draft when a run starts. Editing lasts from the start of BeginEditing to that of EndEditing; after
    /// EndEditing the widget draws its normal content again.
    ///
    /// - Returns: whether the run takes place during editing.
    func runStarts(_ ticket: RunTicket) -> Bool {
        let id = ticket.widget
        switch ticket.interaction {
        case .beginEditing?:
            // If the user has already ended editing, hosts do not show what this run draws, and EndEditing follows.
            store.changeInMemory(id) { $0.draft?.hasBegun = true }
            return true
        case .endEditing?:
            guard let draft = catalog.draft(of: id) else { return false }
            // The user's last request counts. More requests may wait: to begin editing again, and to end it.
            let isOver = draft.isEnding && !scheduler.editingWaits(for: id)
            store.changeInMemory(id) { if isOver { $0.draft = nil } else { $0.draft?.hasBegun = false } }
            return false
        case .action?, .displayMode?, nil:
            return catalog.draft(of: id)?.hasBegun ?? false
        }
    }

    /// Called when a run has ended. If BeginEditing failed, the program's state is unknown, so the runner ends it.
    func runEnded(_ outcome: RunOutcome) {
        let id = outcome.widget
        switch (outcome.result, outcome.interaction) {
        case (.failed, .beginEditing?): runner.dismiss(id)
        case (_, .beginEditing?): catalog[id].processes.beganEditing()
        case (.newData, nil), (.noData, nil):
            catalog[id].drewEditor = outcome.isEditing
        default: break
        }
    }

    /// Called when a planned run will not take place.
    func runDropped(_ ticket: RunTicket) {
        switch ticket.interaction {
        case .beginEditing?, .endEditing?: abandon(ticket.widget)
        case .action?, .displayMode?, nil: break
        }
    }

    /// Called when a resident has ended that was told to begin editing. Its draft ends with it.
    ///
    /// - Parameter isNewest: false if a newer process may continue with the draft's state, so that it ends too.
    func editorEnded(of id: WidgetID, isNewest: Bool) {
        guard catalog.draft(of: id)?.hasBegun == true else { return }
        if isNewest { store.changeInMemory(id) { $0.draft = nil } } else { abandon(id) }
    }

    // MARK: Ends

    /// Drops the draft of a widget that may not run, and ends its resident: the daemon cannot send it EndEditing, so
    /// the program has to start again.
    func abandon(_ id: WidgetID) {
        guard catalog.draft(of: id) != nil else { return }
        store.changeInMemory(id) { $0.draft = nil }
        runner.dismiss(id)
    }

    /// The widgets that are being edited.
    private var drafts: [(id: WidgetID, draft: Layers.Draft)] {
        catalog.records.values.filter(\.wasEdited).compactMap { record in
            store.layers(of: record.id).draft.map { (record.id, $0) }
        }
    }

    /// Called when drafts may have begun, changed or ended.
    func armPatience() {
        guard let next = drafts.lazy.filter({ !$0.draft.isEnding }).map(\.draft.ends).min() else {
            patienceTimer?.disarm()
            return
        }
        patienceTimer?.arm(at: next.microseconds)
    }

    /// Ends the drafts that no host has touched for too long.
    func endOldDrafts() {
        let now = catalog.now.boot
        for (id, draft) in drafts where !draft.isEnding && draft.ends <= now {
            log.info("\(id): no host has edited it for \(Layers.Draft.patience.text), so the edit is discarded")
            store.changeInMemory(id) { $0.draft?.isEnding = true }
            let requested = scheduler.request(id, interaction: .endEditing(isCancelled: true))
            if requested.answer.answer == .refused { abandon(id) }
        }
    }
}
