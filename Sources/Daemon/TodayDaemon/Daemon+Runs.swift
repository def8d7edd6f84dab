// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import Runner
import Scheduler
import SnapshotStore
import TodayModel

/// One run, from the moment that its widget is due to what is kept of it.
extension Daemon {
    /// A widget is due.
    func launch(_ ticket: RunTicket) {
        guard let manifest = catalog.manifest(of: ticket.widget) else {
            // It went in this very turn; the schedule wants to hear the end of every run that it started.
            return finish(RunOutcome(ticket, failure: "its manifest has gone", at: catalog.look().wall))
        }
        if ticket.errand == .beginEditing, catalog.draft(of: ticket.widget) == nil {
            return finish(RunOutcome(ticket, failure: "editing was over before it began", at: catalog.look().wall))
        }
        var request = RunRequest(
            run: ticket.run, manifest: manifest, reason: ticket.reason, mode: catalog.mode(of: manifest))
        request.errand = ticket.errand
        request.previous = catalog.own(of: ticket.widget)?.content
        request.sizes = catalog.sizes
        request.fits = hasDrawnFor(request)
        request.isEditing = isEditing(ticket)
        runs.began(
            ticket.run, of: ticket.widget, isUpdate: ticket.errand == nil, from: catalog.premises(of: manifest))
        event(.started, ticket.widget, "\(ticket.reason.rawValue)")
        waiters.started(run: ticket.run, widget: ticket.widget)
        if ticket.reason == .action { openRequests.began(ticket.widget) }
        runner.start(request)
    }

    /// A widget that stays has been started: it may speak for itself until it ends.
    func serve(_ descriptor: OwnedDescriptor, contextOf widget: WidgetID) -> ContextEnd {
        guard let served = service.serve(descriptor, contextOf: widget) else { return {} }
        contexts.began(served.id, of: widget)
        return { [self] in
            served.end()
            // What it drew while it was edited ends with it, and so does what another one goes on with.
            let wasEdited = contexts.isEdited(served.id, of: widget)
            let isNewest = contexts.ended(served.id, of: widget)
            guard wasEdited, catalog.draft(of: widget)?.hasBegun == true else { return }
            if isNewest { store.sketch(widget) { $0.draft = nil } } else { forgetDraft(of: widget) }
        }
    }

    /// A run for which a client may wait does not take place.
    func drop(_ ticket: RunTicket, because reason: String) {
        forgetDraft(of: ticket)
        waiters.finished(
            run: ticket.run, UpdateAnswer(id: ticket.widget, answer: .refused, reason: reason))
    }

    /// A run has ended.
    func finish(_ outcome: RunOutcome) {
        let premises = runs.ended(outcome.run)
        // What we end ourselves says nothing about the widget.
        if scheduler.finished(outcome), !isStopping {
            record(outcome, from: premises)
            noteEditing(outcome)
            settle(after: outcome, from: premises)
            noteSilence(of: outcome)
        }
        var answer = UpdateAnswer(outcome)
        if outcome.reason == .action { answer.open = openRequests.ended(outcome.widget) }
        waiters.finished(run: outcome.run, answer)
    }

    private func record(_ outcome: RunOutcome, from premises: Premises?) {
        report(outcome, wasFailing: store.lastUpdate(of: outcome.widget)?.result == .failed)
        if !outcome.isErrand, !outcome.isFailure { unsure.remove(outcome.widget) }
        store.record(outcome, seen: seen(by: outcome, from: premises), tried: premises)
    }

    /// A program has gone wrong between two calls of ours. It says nothing of what it was asked before.
    func recordMishap(_ outcome: RunOutcome) {
        report(outcome, wasFailing: store.lastUpdate(of: outcome.widget)?.result == .failed)
        store.log(outcome)
    }

    /// A new process has chosen no largest display mode: what the one before it chose counts no longer.
    private func noteSilence(of outcome: RunOutcome) {
        if case .failed = outcome.result { return }
        let id = outcome.widget
        guard contexts.ranWithoutChoice(id), store.memory(of: id).largestMode != nil else { return }
        store.remember(id) { $0.largestMode = nil }
        stored([id])
        settle(id, gently: true)
    }

    /// What a widget shows until its first answer.
    func place(_ content: Content, before widget: WidgetID) {
        guard catalog.own(of: widget) == nil else { return }
        store.sketch(widget) { $0.placeholder = content }
    }
}
