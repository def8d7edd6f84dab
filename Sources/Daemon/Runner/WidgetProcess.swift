// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Spawn
import TodayModel

/// The process of a widget's program, and all processes that it starts. Carries out the actions of a RunStateMachine, which
/// decides when they end. The owner decides whether the program serves one run (OneShotRun), many (Resident) or one that it outlives (StreamProgram).
@LoopActor
final class WidgetProcess {
    private let leftovers: Leftovers
    private let onOutput: @LoopActor (ArraySlice<UInt8>) -> Void
    private let onError: @LoopActor (Int) -> Void
    private let onEnded: @LoopActor () -> Void
    private let onFinished: @LoopActor (RunEnding) -> Void

    private var machine: RunStateMachine
    /// The child is bwrap(1), which waits for the program.
    private var isSandboxed = false
    private var process: ChildProcess?
    /// Of all its processes.
    private var group: ControlGroup?
    private var outputReader: PipeReader?
    private var errorReader: PipeReader?
    private var timer: TimerSource?
    private var errorTail = ErrorTail()
    /// When the first sweep began, on the monotonic clock.
    private var sweepBegan: Int64?

    /// - Parameters:
    ///   - onOutput: bytes of standard output, if that is a pipe.
    ///   - onError: the number of bytes that came on standard error.
    ///   - onEnded: called once after a successful start, when no process that the program started is left.
    ///   - onFinished: called after that, with what the kernel has counted.
    init(
        leftovers: Leftovers, machine: RunStateMachine,
        onOutput: @escaping @LoopActor (ArraySlice<UInt8>) -> Void = { _ in },
        onError: @escaping @LoopActor (Int) -> Void = { _ in },
        onEnded: @escaping @LoopActor () -> Void = {},
        onFinished: @escaping @LoopActor (RunEnding) -> Void
    ) {
        self.leftovers = leftovers
        self.machine = machine
        self.onOutput = onOutput
        self.onError = onError
        self.onEnded = onEnded
        self.onFinished = onFinished
    }

    var pid: pid_t? { process?.pid }

    /// What the program and all that it started have used so far; nil if the kernel does not count it.
    var usage: RunUsage? {
        guard let group, let processor = group.number("usage_usec", in: "cpu.stat") else { return nil }
        return RunUsage(
            processor: TimeSpan(microseconds: Int64(clamping: processor)),
            memory: countsMemory ? group.number(in: "memory.peak").map(ByteSize.init(bytes:)) : nil)
    }

    /// Whether the group counts memory, and limits it.
    private var countsMemory: Bool { leftovers.groups?.controllers.contains(.memory) == true }

    /// The last part of standard error so far.
    var errorOutput: String { errorTail.text }

    /// Empties `errorOutput` before the next call to the program.
    func clearErrors() { errorTail = ErrorTail() }

    /// Reads now what the pipe of standard error holds.
    func readErrors() { errorReader?.drain() }

    /// Reads both pipes once, without waiting for the loop.
    func read() {
        outputReader?.readOnce()
        errorReader?.readOnce()
    }

    /// Reads neither pipe until `resume`, so that a program that prints without end waits.
    func pause() {
        outputReader?.pause()
        errorReader?.pause()
    }

    func resume() {
        outputReader?.resume()
        errorReader?.resume()
    }

    /// Adds a line from the daemon to `errorOutput`.
    func appendToErrors(_ text: String) {
        readErrors()
        errorTail.append(line: text)
    }

    /// Starts the program of a run, held together with all that it will start.
    func start(_ plan: LaunchPlan, for request: RunRequest) throws {
        do {
            try launch(plan, for: request)
        } catch {
            group?.remove()
            group = nil
            leftovers.sweepStrays()
            throw error
        }
    }

    private func launch(_ plan: LaunchPlan, for request: RunRequest) throws {
        let timer = try TimerSource(.monotonic) { [unowned self] in handle(.expired) }
        group = try leftovers.makeGroup(for: request)
        var plan = plan
        plan.group = group
        if !countsMemory {
            plan.limits.memory = request.manifest.limits.memory?.bytes
        }
        isSandboxed = plan.walls == nil && request.manifest.sandbox.isClosed
        let process = try ChildProcess.launch(plan) { [self] status in
            // Usually the pipes now hold everything that the program printed, so no watch is needed.
            outputReader?.drain()
            errorReader?.drain()
            handle(.exited(isSandboxed ? status.ofSandboxed : status))
        }
        self.process = process
        self.timer = timer
        leftovers.add(process.pid, group)
        outputReader = reader(process.takeOutput(), .output) { [unowned self] bytes in
            onOutput(bytes)
            handle(.printed(bytes.count))
        }
        errorReader = reader(process.takeError(), .error) { [unowned self] bytes in
            errorTail.append(bytes)
            onError(bytes.count)
        }
        perform(machine.start())
        // Without a pipe, no end of standard output will be read.
        if outputReader == nil { handle(.closed(.output)) }
    }

    /// Ends the program and all that it started; the ending passed to `onFinished` contains the reason.
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
            // The user has no more epoll watches (epoll(7), max_user_watches). Close the pipe: if it stayed open and
            // unread, the program would block as soon as it is full.
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
        // bwrap would end at SIGTERM, and the program with it.
        leftovers.signal(process, signal, sparingLeader: isSandboxed && signal == SIGTERM)
        // A stopped process handles SIGTERM only after SIGCONT (signal(7)).
        if signal == SIGTERM { leftovers.signal(process, SIGCONT) }
    }

    private func finish(_ ending: RunEnding) {
        timer?.cancel()
        outputReader?.close()
        errorReader?.close()
        if let process { leftovers.remove(process.pid) }
        process = nil
        onEnded()
        var ending = ending
        ending.usage = usage
        ending.isOutOfMemory = countsMemory && group?.number("oom_kill", in: "memory.events") ?? 0 > 0
        onFinished(ending)
        group?.remove()
        group = nil
    }
}

extension ExitStatus {
    /// The status of a program as bwrap(1) reports it, like shells: 128 plus the signal.
    fileprivate var ofSandboxed: ExitStatus {
        guard case .exited(let code) = self, 128 + SIGHUP...128 + SIGSYS ~= code else { return self }
        return .killed(code - 128, coreDumped: false)
    }
}
