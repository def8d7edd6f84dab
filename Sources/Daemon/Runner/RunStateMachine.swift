// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

/// What to do when, in the life of one run: a decision without a process, a pipe or a clock.
///
///     running ── exited ─────────────────────────────► draining ── both pipes closed, or grace ──► sweeping ──► over
///        │                                                                                          ▲    ▲
///        └─ expired, printed too much, cancelled ─► terminating ── exited ──────────────────────────┘    │
///                                                        └─ expired ─► killing ── exited, or given up ───┘
///
/// The exit of the program alone is not its end: what it printed may still be in the pipes, and a process it started may
/// hold them. Nor is the end of the pipes: a program may close them and work on.
struct RunStateMachine: Sendable {
    enum Stream: Sendable, CaseIterable { case output, error }

    enum Event: Sendable {
        /// So many more bytes of standard output.
        case printed(Int)
        case closed(Stream)
        case exited(ExitStatus)
        /// The timer that was armed last.
        case expired
        case cancelled(String)
        /// The answer to `sweep`: how many processes of the run are still there, so long after the first look.
        case swept(Int, after: TimeSpan)
    }

    enum Action: Hashable, Sendable {
        /// There is one timer; arming it again replaces what it was armed for.
        case arm(TimeSpan)
        /// Ask everything the run started to end, or make it.
        case terminate, kill
        /// Read both pipes as something comes; until then what is printed waits in them.
        case watch
        /// Close our end of standard output.
        case stopReading
        /// End and reap what the run left behind, and say what remains.
        case sweep
        case finish(RunEnding)
    }

    /// How long to wait for what.
    struct Patience: Sendable {
        var timeout: TimeSpan
        /// Before the pipes are watched. Most programs have ended by then and are read once, which saves two wake-ups of
        /// the loop and eight system calls a run; one that prints more than a pipe holds waits that long, once.
        var watch = TimeSpan.milliseconds(20)
        /// For another process to finish writing after the program has ended.
        var drain = TimeSpan.milliseconds(200)
        /// Between TERM and KILL.
        var kill = TimeSpan.seconds(2)
        /// For the kernel to end what was killed. A process in an uninterruptible sleep may take for ever.
        var death = TimeSpan.seconds(5)
    }

    private enum Phase: Sendable { case running, terminating, killing, draining, sweeping, over }

    private let patience: Patience
    private let mostOutput: Int
    private var phase = Phase.running
    private var open = Set(Stream.allCases)
    private var isWatching = false
    private var printed = 0
    private var ending = RunEnding()
    private var sweepWait = TimeSpan.milliseconds(1)

    init(patience: Patience, mostOutput: Int) {
        self.patience = patience
        self.mostOutput = mostOutput
    }

    /// The program was started.
    func start() -> [Action] { [.arm(min(patience.watch, patience.timeout))] }

    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .printed(let count): handlePrinted(count)
        case .closed(let stream): handleClosed(stream)
        case .exited(let status): handleExited(status)
        case .expired: handleExpired()
        case .cancelled(let reason): end(because: .cancelled(reason))
        case .swept(let remaining, let span): handleSwept(remaining, after: span)
        }
    }

    private mutating func handlePrinted(_ count: Int) -> [Action] {
        printed += count
        guard printed > mostOutput, ending.cause == nil else { return [] }
        open.remove(.output)
        return [.stopReading] + end(because: .tooMuchOutput)
    }

    private mutating func handleClosed(_ stream: Stream) -> [Action] {
        open.remove(stream)
        return phase == .draining && open.isEmpty ? sweep() : []
    }

    private mutating func handleExited(_ status: ExitStatus) -> [Action] {
        switch phase {
        case .running where !open.isEmpty:
            ending.status = status
            phase = .draining
            return watch() + [.arm(patience.drain)]
        case .running, .terminating, .killing:
            ending.status = status
            return sweep()
        case .draining, .sweeping, .over:
            return []
        }
    }

    private mutating func handleExpired() -> [Action] {
        switch phase {
        case .running where !isWatching:
            return watch() + [.arm(patience.timeout - min(patience.watch, patience.timeout))]
        case .running:
            return end(because: .timedOut)
        case .terminating:
            phase = .killing
            return [.kill, .arm(patience.death)]
        case .killing:
            ending.isAbandoned = true
            return finish()
        case .draining, .sweeping:
            return sweep()
        case .over:
            return []
        }
    }

    private mutating func watch() -> [Action] {
        defer { isWatching = true }
        return isWatching ? [] : [.watch]
    }

    private mutating func end(because cause: RunEnding.Cause) -> [Action] {
        switch phase {
        case .running:
            ending.cause = cause
            phase = .terminating
            return [.terminate, .arm(patience.kill)]
        case .draining:
            ending.cause = cause
            return sweep()
        case .terminating, .killing, .sweeping, .over:
            return []
        }
    }

    private mutating func sweep() -> [Action] {
        phase = .sweeping
        return [.sweep]
    }

    /// A killed process needs a moment to end, and one that forks a few rounds; mostly there is nothing at all.
    private mutating func handleSwept(_ remaining: Int, after span: TimeSpan) -> [Action] {
        guard phase == .sweeping else { return [] }
        guard remaining > 0 else { return finish() }
        guard span < patience.death else {
            ending.isAbandoned = true
            return finish()
        }
        let wait = sweepWait
        sweepWait = min(wait * 2, .milliseconds(50))
        return [.arm(wait)]
    }

    private mutating func finish() -> [Action] {
        phase = .over
        return [.finish(ending)]
    }
}

/// How a run ended.
struct RunEnding: Hashable, Sendable {
    /// Why it was ended by us.
    enum Cause: Hashable, Sendable {
        case timedOut, tooMuchOutput, cancelled(String)
    }

    /// Nil when the program could not be made to end.
    var status: ExitStatus?
    var cause: Cause?
    /// Something was left behind that even KILL did not end.
    var isAbandoned = false
}
