// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import Runner
import Scheduler
import SnapshotStore
import TodayModel

/// One run, from the time it is due to the stored result.
extension Daemon {
    /// Starts the run of a widget that is due.
    func launch(_ ticket: RunTicket) {
        guard let manifest = catalog.manifest(of: ticket.widget) else {
            // The manifest went in this turn. The scheduler must get the end of every run that it started.
            return finish(RunOutcome(ticket, failure: "its manifest has gone", at: catalog.look().wall))
        }
        if ticket.interaction == .beginEditing, catalog.draft(of: ticket.widget) == nil {
            return finish(RunOutcome(ticket, failure: "editing was over before it began", at: catalog.look().wall))
        }
        var request = RunRequest(
            run: ticket.run, manifest: manifest, reason: ticket.reason, mode: catalog.mode(of: manifest))
        request.interaction = ticket.interaction
        request.previous = catalog.own(of: ticket.widget)?.content
        request.sizes = catalog.sizes
        request.fits = hasDrawnFor(request)
        request.isEditing = isEditing(ticket)
        runs.began(
            ticket.run, of: ticket.widget, isUpdate: ticket.interaction == nil, from: catalog.premises(of: manifest))
        event(.started, ticket.widget, "\(ticket.reason.rawValue)")
        waiters.started(run: ticket.run, widget: ticket.widget)
        if ticket.reason == .action { openRequests.began(ticket.widget) }
        runner.start(request)
    }

    /// Serves the extension context of a started widget that stays, until its program ends.
    func serve(_ descriptor: OwnedDescriptor, contextOf widget: WidgetID) -> ContextEnd {
        guard let served = service.serve(descriptor, contextOf: widget) else { return {} }
        contexts.began(served.id, of: widget)
        return { [self] in
            served.end()
            // The draft ends with the process that drew it. A newer process may continue with the draft's state, so it
            // ends too.
            let wasEdited = contexts.isEdited(served.id, of: widget)
            let isNewest = contexts.ended(served.id, of: widget)
            guard wasEdited, catalog.draft(of: widget)?.hasBegun == true else { return }
            if isNewest { store.sketch(widget) { $0.draft = nil } } else { forgetDraft(of: widget) }
        }
    }

    /// Answers the clients of a run that will not take place.
    func drop(_ ticket: RunTicket, because reason: String) {
        forgetDraft(of: ticket)
        waiters.finished(
            run: ticket.run, UpdateAnswer(id: ticket.widget, answer: .refused, reason: reason))
    }

    /// Records an outcome and answers the clients that wait for it.
    func finish(_ outcome: RunOutcome) {
        let premises = runs.ended(outcome.run)
        // A run that the daemon ended itself shows nothing about the widget.
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
        if !outcome.isInteraction, !outcome.isFailure { unsure.remove(outcome.widget) }
        store.record(outcome, seen: seen(by: outcome, from: premises), tried: premises)
    }

    /// Records that a program that stays failed between two calls. The failure does not affect earlier results.
    func recordMishap(_ outcome: RunOutcome) {
        report(outcome, wasFailing: store.lastUpdate(of: outcome.widget)?.result == .failed)
        store.log(outcome)
    }

    /// Resets the largest display mode when a new process has not chosen one, because the choice of the process before
    /// no longer counts.
    private func noteSilence(of outcome: RunOutcome) {
        if case .failed = outcome.result { return }
        let id = outcome.widget
        guard contexts.ranWithoutChoice(id), store.memory(of: id).largestMode != nil else { return }
        store.remember(id) { $0.largestMode = nil }
        stored([id])
        settle(id, gently: true)
    }

    /// Sets what a widget shows until its first answer.
    func place(_ content: Content, before widget: WidgetID) {
        guard catalog.own(of: widget) == nil else { return }
        store.sketch(widget) { $0.placeholder = content }
    }
}
