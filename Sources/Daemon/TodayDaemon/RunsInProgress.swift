// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import Scheduler
import TodayModel

/// The runs in progress, and what each is made from.
struct RunsInProgress {
    private struct Run {
        let widget: WidgetID
        /// An update; anything else makes nothing of the widget newer.
        let isUpdate: Bool
        var premises: Premises
    }

    private var runs: [UInt64: Run] = [:]

    mutating func began(_ run: UInt64, of widget: WidgetID, isUpdate: Bool, from premises: Premises) {
        runs[run] = Run(widget: widget, isUpdate: isUpdate, premises: premises)
    }

    /// What the run was made from; nil for a run that never began.
    mutating func ended(_ run: UInt64) -> Premises? { runs.removeValue(forKey: run)?.premises }

    func isRunning(_ widget: WidgetID) -> Bool { runs.values.contains { $0.widget == widget } }

    /// A group's defaults were changed. What a widget changes itself while it updates, it knows; what another client has
    /// changed before that, it may not.
    ///
    /// - Parameters:
    ///   - revision: the last one.
    ///   - writers: the writer of each change, up to that revision; nil stands for one that is no widget.
    mutating func changed(_ group: AppGroup, to revision: Int64, by writers: [WidgetID?]) {
        let first = revision - Int64(writers.count)
        for (run, current) in runs where current.isUpdate {
            var seen = current.premises.groups[group] ?? 0
            for (before, writer) in zip(first..., writers) where writer == current.widget && seen == before {
                seen = before + 1
            }
            runs[run]?.premises.groups[group] = seen
        }
    }
}

/// Who waits for which run, until each has its final answer.
@LoopActor
final class UpdateWaiters {
    private struct Waiter {
        weak var listener: (any UpdateListener)?
    }

    /// Those who wait for one run. Who has left is found out when they have become twice as many.
    private struct Party {
        private(set) var waiters: [Waiter] = []
        private var roomBeforeLooking = 64

        mutating func add(_ listener: any UpdateListener) {
            if waiters.count >= roomBeforeLooking {
                waiters.removeAll { $0.listener == nil }
                roomBeforeLooking = max(64, 2 * waiters.count)
            }
            waiters.append(Waiter(listener: listener))
        }
    }

    private var waiting: [UInt64: Party] = [:]

    /// How many are kept in mind, those who have left among them.
    var count: Int { waiting.values.reduce(0) { $0 + $1.waiters.count } }

    func add(run: UInt64, _ listener: any UpdateListener) { waiting[run, default: Party()].add(listener) }

    /// The run has begun.
    func started(run: UInt64, widget: WidgetID) {
        tell(waiting[run], UpdateAnswer(id: widget, answer: .started))
    }

    /// The run has ended, or will never be.
    func finished(run: UInt64, _ answer: UpdateAnswer) { tell(waiting.removeValue(forKey: run), answer) }

    private func tell(_ party: Party?, _ answer: UpdateAnswer) {
        party?.waiters.forEach { $0.listener?.receive(answer) }
    }
}

extension UpdateAnswer {
    /// The final answer which an outcome is.
    init(_ outcome: RunOutcome) {
        switch outcome.result {
        case .newData: self.init(id: outcome.widget, answer: .newData)
        case .noData: self.init(id: outcome.widget, answer: .noData)
        case .failed(let reason): self.init(id: outcome.widget, answer: .failed, reason: reason)
        }
    }
}

extension RunOutcome {
    /// Of a run that could not even be begun.
    init(_ ticket: RunTicket, failure: String, at now: WallTime) {
        self.init(
            widget: ticket.widget, run: ticket.run, reason: ticket.reason, started: now, duration: .zero,
            result: .failed(failure))
    }
}

/// What widgets want opened. The daemon opens nothing: it has no screen, and may have no user. The host where the user
/// pressed a button gets the URL with the answer, so there must be one that waits.
final class OpenRequests {
    private var performing: [WidgetID: String?] = [:]

    /// A widget performs an action.
    func began(_ widget: WidgetID) { performing[widget] = .some(nil) }

    /// The action has ended: what is to be opened.
    func ended(_ widget: WidgetID) -> String? { performing.removeValue(forKey: widget) ?? nil }

    /// Takes a URL, or says why not.
    func open(_ url: String, for manifest: Manifest) -> String? {
        if let reason = URLScheme.refusal(of: url, for: manifest.id, declaring: manifest.urlSchemes) { return reason }
        switch performing[manifest.id] {
        case nil: return "nobody has pressed a button of \(manifest.id): URLs are opened while an action is performed"
        case .some(.some): return "one action opens one URL"
        case .some(nil):
            performing[manifest.id] = url
            return nil
        }
    }
}

/// The extension contexts of widgets that stay. A widget may have several processes for a while: the newest speaks for
/// it, and the end of an old one changes nothing.
final class WidgetContexts {
    private struct Current {
        let id: ContextID
        /// It has chosen a largest display mode, or its first run has shown that it chooses none.
        var hasSpoken = false
    }

    private var current: [WidgetID: Current] = [:]
    /// The context of the process that was told to begin editing.
    private var edited: [WidgetID: ContextID] = [:]

    func began(_ id: ContextID, of widget: WidgetID) {
        guard current[widget].map({ $0.id < id }) ?? true else { return }
        current[widget] = Current(id: id)
    }

    /// Whether a process of the widget is there.
    func isServed(_ widget: WidgetID) -> Bool { current[widget] != nil }

    /// The newest process of a widget has begun to be edited.
    func beganEditing(_ widget: WidgetID) { edited[widget] = current[widget]?.id }

    func isEdited(_ id: ContextID, of widget: WidgetID) -> Bool { edited[widget] == id }

    /// False when it was not the newest of the widget.
    func ended(_ id: ContextID, of widget: WidgetID) -> Bool {
        if edited[widget] == id { edited[widget] = nil }
        guard current[widget]?.id == id else { return false }
        current[widget] = nil
        return true
    }

    /// Whether a context may choose the largest display mode of its widget.
    func choose(_ id: ContextID, of widget: WidgetID) -> Bool {
        guard current[widget]?.id == id else { return false }
        current[widget]?.hasSpoken = true
        return true
    }

    /// A run of the widget has ended. True when its process has chosen no largest display mode by the end of its first
    /// run: what the process before it chose counts no longer.
    func ranWithoutChoice(_ widget: WidgetID) -> Bool {
        guard let context = current[widget], !context.hasSpoken else { return false }
        current[widget]?.hasSpoken = true
        return true
    }
}
