// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

extension QueryService {
    /// Stops accepting, answers the calls that have arrived, waits a bounded time for changes in progress, closes all
    /// connections and then calls `then`.
    package func stop(then: @escaping @LoopActor () -> Void) {
        guard stopping == nil else { return }
        for listener in listeners { listener.close() }
        listeners = []
        let stopping = Stopping(then: then)
        self.stopping = stopping
        let recently = BootTime.now - limits.silentPatience
        for session in Array(sessions.values) { session.end(isNew: session.opened >= recently) }
        guard !sessions.isEmpty else { return stopping.end() }
        stopping.after(limits.silentPatience) { [weak self] in
            guard let self else { return }
            for session in Array(sessions.values) { session.end() }
        }
        stopping.after(limits.stopPatience) { [weak self] in
            guard let self else { return }
            for session in Array(sessions.values) { session.close() }
        }
    }
}

/// The timers of a service that stops, and what to call in the end.
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
            // Without a timer the service does not wait.
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
