// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import Scheduler
import TodayModel

/// The runs in progress, with their premises.
struct RunsInProgress {
    private struct Run {
        let widget: WidgetID
        /// Whether the run is an update; no other run makes a widget's answer newer.
        let isUpdate: Bool
        var premises: Premises
    }

    private var runs: [UInt64: Run] = [:]

    mutating func began(_ run: UInt64, of widget: WidgetID, isUpdate: Bool, from premises: Premises) {
        runs[run] = Run(widget: widget, isUpdate: isUpdate, premises: premises)
    }

    /// The premises of a run that has ended; nil for a run that never began.
    mutating func ended(_ run: UInt64) -> Premises? { runs.removeValue(forKey: run)?.premises }

    func isRunning(_ widget: WidgetID) -> Bool { runs.values.contains { $0.widget == widget } }

    /// Notes that a group's defaults have changed. A widget knows its own changes during an update, unless another
    /// client changed the group before them.
    ///
    /// - Parameters:
    ///   - revision: the revision after the last change.
    ///   - writers: the writer of each change up to that revision; nil for a writer that is not a widget.
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

/// The clients that wait for runs, until each run has its final answer.
@LoopActor
final class UpdateWaiters {
    private struct Waiter {
        weak var listener: (any UpdateListener)?
    }

    /// The clients that wait for one run. When their number has doubled, it removes those that have left.
    private struct RunWaiters {
        private(set) var waiters: [Waiter] = []
        private var countBeforeRemoval = 64

        mutating func add(_ listener: any UpdateListener) {
            if waiters.count >= countBeforeRemoval {
                waiters.removeAll { $0.listener == nil }
                countBeforeRemoval = max(64, 2 * waiters.count)
            }
            waiters.append(Waiter(listener: listener))
        }
    }

    private var waiting: [UInt64: RunWaiters] = [:]

    /// The number of listeners, including clients that have left.
    var count: Int { waiting.values.reduce(0) { $0 + $1.waiters.count } }

    func add(run: UInt64, _ listener: any UpdateListener) { waiting[run, default: RunWaiters()].add(listener) }

    func started(run: UInt64, widget: WidgetID) {
        tell(waiting[run], UpdateAnswer(id: widget, answer: .started))
    }

    /// Answers the clients of a run that has ended or will not take place.
    func finished(run: UInt64, _ answer: UpdateAnswer) { tell(waiting.removeValue(forKey: run), answer) }

    private func tell(_ run: RunWaiters?, _ answer: UpdateAnswer) {
        run?.waiters.forEach { $0.listener?.receive(answer) }
    }
}

extension UpdateAnswer {
    /// The final answer for an outcome.
    init(_ outcome: RunOutcome) {
        switch outcome.result {
        case .newData: self.init(id: outcome.widget, answer: .newData)
        case .noData: self.init(id: outcome.widget, answer: .noData)
        case .failed(let reason): self.init(id: outcome.widget, answer: .failed, reason: reason)
        }
    }
}

extension RunOutcome {
    /// The outcome of a run that could not begin.
    init(_ ticket: RunTicket, failure: String, at now: WallTime) {
        self.init(
            widget: ticket.widget, run: ticket.run, reason: ticket.reason, started: now, duration: .zero,
            result: .failed(failure))
    }
}

/// The URLs that widgets want opened. The daemon opens none itself, because it has no screen and perhaps no user. The
/// host where the user pressed a button gets the URL in the answer, so a button press must be in progress.
final class OpenRequests {
    private var performing: [WidgetID: String?] = [:]

    /// Notes that a widget performs an action.
    func began(_ widget: WidgetID) { performing[widget] = .some(nil) }

    /// Notes the end of the action and returns the URL that the host has to open.
    func ended(_ widget: WidgetID) -> String? { performing.removeValue(forKey: widget) ?? nil }

    /// Keeps a URL for the answer, or returns why it is refused.
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

/// The extension contexts of widgets that stay. A widget may have several processes for a while. Only the newest
/// counts, so the end of an older one changes nothing.
final class WidgetContexts {
    private struct Current {
        let id: ContextID
        /// Whether it has chosen a largest display mode, or has ended its first run without choosing one.
        var hasSpoken = false
    }

    private var current: [WidgetID: Current] = [:]
    /// The context of the process that was told to begin editing.
    private var edited: [WidgetID: ContextID] = [:]

    func began(_ id: ContextID, of widget: WidgetID) {
        guard current[widget].map({ $0.id < id }) ?? true else { return }
        current[widget] = Current(id: id)
    }

    /// Whether a process of the widget is running.
    func isServed(_ widget: WidgetID) -> Bool { current[widget] != nil }

    /// Notes that editing has begun in the newest process of a widget.
    func beganEditing(_ widget: WidgetID) { edited[widget] = current[widget]?.id }

    func isEdited(_ id: ContextID, of widget: WidgetID) -> Bool { edited[widget] == id }

    /// - Returns: whether the context was the newest of its widget.
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

    /// Notes that a run of the widget has ended. True when its process has ended its first run without choosing a
    /// largest display mode, so that the choice of the process before no longer counts.
    func ranWithoutChoice(_ widget: WidgetID) -> Bool {
        guard let context = current[widget], !context.hasSpoken else { return false }
        current[widget]?.hasSpoken = true
        return true
    }
}
