// SPDX-License-Identifier: MIT
import Reactor
import Scheduler
import TodayModel

/// Who waits for which run: the progress of update requests, until each has its final answer.
@LoopActor
struct UpdateWaiters {
    typealias Progress = @LoopActor (UpdateAnswer) -> Void

    private var waiting: [UInt64: [Progress]] = [:]

    /// Who waits longest is forgotten beyond this: more than all connections together can wait at once, so it has left.
    static let mostPerRun = 4_096

    mutating func add(run: UInt64, _ progress: @escaping Progress) {
        waiting[run, default: []].append(progress)
        if waiting[run, default: []].count > 2 * Self.mostPerRun { waiting[run]?.removeFirst(Self.mostPerRun) }
    }

    /// The run has begun.
    func started(run: UInt64, widget: WidgetID) {
        waiting[run]?.forEach { $0(UpdateAnswer(id: widget, answer: .started)) }
    }

    /// The run has ended, or will never be.
    mutating func finished(run: UInt64, _ answer: UpdateAnswer) {
        waiting.removeValue(forKey: run)?.forEach { $0(answer) }
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
    init(_ ticket: RunTicket, failure: String) {
        self.init(
            widget: ticket.widget, run: ticket.run, reason: ticket.reason, started: .now, duration: .zero,
            result: .failed(failure))
    }
}
