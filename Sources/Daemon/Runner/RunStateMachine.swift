// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

/// Decides what happens in one run, without a process, a pipe or a clock.
///
///     phase        event                                                 next phase
///     running      exited, with a pipe still open                        draining
///     running      exited, with both pipes closed                        sweeping
///     running      expired (the time-out), printed too much, cancelled   terminating
///     draining     both pipes closed                                     sweeping
///     draining     expired, printed too much, cancelled                  sweeping
///     terminating  exited                                                sweeping
///     terminating  expired                                               killing
///     killing      exited                                                sweeping
///     killing      expired                                               over: the process is given up
///     sweeping     swept: no process is left, or the rest is given up    over
///
/// A run is not over when the program exits: the pipes may still hold its output, and another process may still write to
/// them. It is not over when the pipes close either: a program may close them and continue.
struct RunStateMachine: Sendable {
    enum Stream: Sendable, CaseIterable { case output, error }

    enum Event: Sendable {
        /// The program wrote this many bytes to standard output.
        case printed(Int)
        case closed(Stream)
        case exited(ExitStatus)
        /// The timer fired.
        case expired
        case cancelled(String)
        /// The result of `sweep`: how many processes of the run remain, and the time since the first sweep.
        case swept(Int, after: TimeSpan)
    }

    enum Action: Hashable, Sendable {
        /// There is one timer: arming it again replaces its earlier time.
        case arm(TimeSpan)
        /// Send SIGTERM or SIGKILL to all processes of the run.
        case terminate, kill
        /// Read both pipes whenever they have data.
        case watch
        /// Close the daemon's end of standard output.
        case stopReading
        /// End and reap the processes that the program left, and report `swept`.
        case sweep
        case finish(RunEnding)
    }

    /// How long the machine waits in each phase.
    struct Patience: Sendable {
        var timeout: TimeSpan
        /// How long to wait before the pipes are watched. Most programs exit sooner and are read once, which saves two
        /// wake-ups of the loop and eight system calls. A program that fills the pipe (pipe(7): 64 KiB) waits this long.
        var watch = TimeSpan.milliseconds(20)
        /// How long other processes may go on writing after the program has exited.
        var drain = TimeSpan.milliseconds(200)
        /// The time between SIGTERM and SIGKILL.
        var kill = TimeSpan.seconds(2)
        /// How long to wait after SIGKILL. A process in uninterruptible sleep may never end (state D in proc_pid_stat(5)).
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

    /// The first actions, after the program was started.
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

    /// Sweeps again until no process remains: a killed process needs some time to end, and a process that forks needs
    /// several sweeps.
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
