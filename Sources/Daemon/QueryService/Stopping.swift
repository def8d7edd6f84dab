// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

extension QueryService {
    /// Stops accepting, answers what has arrived, waits a bounded time for the changes that are being made, closes all
    /// connections and then calls `then`.
    package func stop(then: @escaping @LoopActor () -> Void) {
        guard stopping == nil else { return }
        for listener in listeners { listener.close() }
        listeners = []
        let stopping = Stopping(then: then)
        self.stopping = stopping
        let recently = BootTime.now - limits.newcomerPatience
        for session in Array(sessions.values) { end(session, sparingThoseSince: recently) }
        guard !sessions.isEmpty else { return stopping.end() }
        stopping.after(limits.newcomerPatience) { [weak self] in
            guard let self else { return }
            for session in Array(sessions.values) { end(session, sparingThoseSince: .now) }
        }
        stopping.after(limits.stopPatience) { [weak self] in
            guard let self else { return }
            for session in Array(sessions.values) { session.close() }
        }
    }

    /// Answers what has arrived by now, and closes unless something is under way.
    private func end(_ session: Session, sparingThoseSince recently: BootTime) {
        beginTurn()
        session.handle(.ended(isSpared: session.opened >= recently), in: self)
    }
}

/// What is left to do when the service has stopped listening.
@LoopActor
final class Stopping {
    private var then: (@LoopActor () -> Void)?
    private var timers: [TimerSource] = []

    init(then: @escaping @LoopActor () -> Void) { self.then = then }

    func after(_ time: TimeSpan, _ work: @escaping @LoopActor () -> Void) {
        do throws(ReactorError) {
            let timer = try TimerSource(.monotonic, onFire: work)
            timer.arm(after: time.microseconds, slack: 10_000)
            timers.append(timer)
        } catch {
            // Without a timer nothing is waited for.
            work()
        }
    }

    func end() {
        for timer in timers { timer.cancel() }
        timers = []
        let then = then
        self.then = nil
        then?()
    }
}
