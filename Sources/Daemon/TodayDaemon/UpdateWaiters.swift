// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import TodayModel

/// The clients that wait for runs of a widget, until each run has its final answer.
struct UpdateWaiters {
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

    var isEmpty: Bool { waiting.isEmpty }

    /// The number of listeners, including clients that have left.
    var count: Int { waiting.values.reduce(0) { $0 + $1.waiters.count } }

    mutating func add(run: UInt64, _ listener: any UpdateListener) { waiting[run, default: RunWaiters()].add(listener) }

    @LoopActor func started(run: UInt64, widget: WidgetID) {
        tell(waiting[run], UpdateAnswer(id: widget, answer: .started))
    }

    /// Answers the clients of a run that has ended or will not take place.
    @LoopActor mutating func finished(run: UInt64, _ answer: UpdateAnswer) {
        tell(waiting.removeValue(forKey: run), answer)
        if waiting.isEmpty { waiting = [:] }  // An empty dictionary keeps its storage.
    }

    @LoopActor private func tell(_ run: RunWaiters?, _ answer: UpdateAnswer) {
        run?.waiters.forEach { $0.listener?.receive(answer) }
    }
}

extension UpdateAnswer {
    /// The final answer for an outcome.
    init(_ outcome: RunOutcome) {
        switch outcome.result {
        case .newData: self.init(id: outcome.widget, answer: .newData)
        case .noData where outcome.isSilent:
            self.init(id: outcome.widget, answer: .noData, reason: "its program runs, and has printed no update yet")
        case .noData: self.init(id: outcome.widget, answer: .noData)
        case .failed(let reason): self.init(id: outcome.widget, answer: .failed, reason: reason)
        }
    }
}
