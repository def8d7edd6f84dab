// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Spawn
import TodayModel

/// A widget's program while it runs: carries out what its state machine decides, and nothing that it started survives
/// it. What the program is for, one run or many, is for its owner.
@LoopActor
final class RunProcess {
    private let leftovers: Leftovers
    private let onOutput: @LoopActor (ArraySlice<UInt8>) -> Void
    private let onError: @LoopActor (Int) -> Void
    private let onFinished: @LoopActor (RunEnding) -> Void

    private var machine: RunStateMachine
    private var process: ChildProcess?
    private var outputReader: PipeReader?
    private var errorReader: PipeReader?
    private var timer: TimerSource?
    private var errorTail = ErrorTail()
    /// When it was first looked for what the program has left, on the monotonic clock: each look takes its time.
    private var sweepBegan: Int64?

    /// - Parameters:
    ///   - onOutput: what comes on standard output, if that is a pipe.
    ///   - onError: so many bytes have come on standard error.
    ///   - onFinished: called once, after a start that succeeded, when nothing that the program started is left.
    init(
        leftovers: Leftovers, machine: RunStateMachine,
        onOutput: @escaping @LoopActor (ArraySlice<UInt8>) -> Void = { _ in },
        onError: @escaping @LoopActor (Int) -> Void = { _ in },
        onFinished: @escaping @LoopActor (RunEnding) -> Void
    ) {
        self.leftovers = leftovers
        self.machine = machine
        self.onOutput = onOutput
        self.onError = onError
        self.onFinished = onFinished
    }

    var pid: pid_t? { process?.pid }

    /// The end of standard error until now.
    var errorOutput: String { errorTail.text }

    /// What it complains of from now on belongs to another call.
    func forgetErrors() { errorTail = ErrorTail() }

    /// Reads what has come on standard error, before the pipe is watched or between two looks.
    func hearErrors() { errorReader?.drain() }

    /// Adds a line of ours to the end of standard error.
    func remark(_ text: String) {
        hearErrors()
        errorTail.append(line: text)
    }

    func start(_ plan: LaunchPlan, mark: String) throws {
        let timer = try TimerSource(.monotonic) { [unowned self] in handle(.expired) }
        let began = EventLoop.now(.boottime)
        let process = try ChildProcess.launch(plan) { [self] status in
            // What it printed is in the pipes already, and mostly all of it.
            outputReader?.drain()
            errorReader?.drain()
            handle(.exited(status))
        }
        self.process = process
        self.timer = timer
        leftovers.add(process.pid, Leftovers.Run(mark: mark, began: began))
        outputReader = reader(process.takeOutput(), .output) { [unowned self] bytes in
            onOutput(bytes)
            handle(.printed(bytes.count))
        }
        errorReader = reader(process.takeError(), .error) { [unowned self] bytes in
            errorTail.append(bytes)
            onError(bytes.count)
        }
        perform(machine.start())
        // A stream that leads nowhere has ended.
        if outputReader == nil { handle(.closed(.output)) }
    }

    /// Ends the program and all it started; `onFinished` is told the reason.
    func end(because reason: String) { handle(.cancelled(reason)) }

    private func reader(
        _ descriptor: OwnedDescriptor?, _ stream: RunStateMachine.Stream,
        onBytes: @escaping @LoopActor (ArraySlice<UInt8>) -> Void
    ) -> PipeReader? {
        descriptor.map {
            PipeReader($0, onBytes: onBytes, onEnd: { [unowned self] in handle(.closed(stream)) })
        }
    }

    private func watch(_ reader: PipeReader?, _ stream: RunStateMachine.Stream) {
        do {
            try reader?.watch()
        } catch {
            // Out of watches (epoll(7)): the pipe is closed rather than left to fill up unread.
            reader?.close()
            handle(.closed(stream))
        }
    }

    private func handle(_ event: RunStateMachine.Event) { perform(machine.handle(event)) }

    private func perform(_ actions: [RunStateMachine.Action]) {
        for action in actions {
            switch action {
            case .arm(let span): timer?.arm(after: span.microseconds, slack: max(span.microseconds / 20, 1_000))
            case .terminate: signal(SIGTERM)
            case .kill: signal(SIGKILL)
            case .watch:
                watch(outputReader, .output)
                watch(errorReader, .error)
            case .stopReading: outputReader?.close()
            case .sweep:
                guard let process else { continue }
                let began = sweepBegan ?? EventLoop.now(.monotonic)
                sweepBegan = began
                let remaining = leftovers.sweep(process.pid)
                handle(.swept(remaining, after: TimeSpan(microseconds: EventLoop.now(.monotonic) - began)))
            case .finish(let ending): finish(ending)
            }
        }
    }

    private func signal(_ signal: Int32) {
        guard let process else { return }
        leftovers.signal(process, signal)
        // A stopped process takes no notice of anything but KILL.
        if signal == SIGTERM { leftovers.signal(process, SIGCONT) }
    }

    private func finish(_ ending: RunEnding) {
        timer?.cancel()
        outputReader?.close()
        errorReader?.close()
        if let process { leftovers.remove(process.pid, abandoning: ending.isAbandoned) }
        process = nil
        onFinished(ending)
    }
}
