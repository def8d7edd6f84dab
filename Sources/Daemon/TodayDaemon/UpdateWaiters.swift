// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import Scheduler
import TodayModel

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
        party?.waiters.forEach { $0.listener?.take(answer) }
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
