// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Spawn
import TodayModel

/// A widget's program while it runs. Carries out the actions of a RunStateMachine, which end every process that the
/// program started. The owner decides whether the program serves one run (ProcessRun) or many (Resident).
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
    /// When the first sweep began, on the monotonic clock.
    private var sweepBegan: Int64?

    /// - Parameters:
    ///   - onOutput: bytes of standard output, if that is a pipe.
    ///   - onError: the number of bytes that came on standard error.
    ///   - onFinished: called once after a successful start, when no process that the program started is left.
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

    /// The last part of standard error so far.
    var errorOutput: String { errorTail.text }

    /// Empties `errorOutput` before the next call to the program.
    func clearErrors() { errorTail = ErrorTail() }

    /// Reads now what the pipe of standard error holds.
    func readErrors() { errorReader?.drain() }

    /// Adds a line of the daemon's to `errorOutput`.
    func appendToErrors(_ text: String) {
        readErrors()
        errorTail.append(line: text)
    }

    func start(_ plan: LaunchPlan, mark: String) throws {
        let timer = try TimerSource(.monotonic) { [unowned self] in handle(.expired) }
        let began = EventLoop.now(.boottime)
        let process = try ChildProcess.launch(plan) { [self] status in
            // Mostly the pipes now hold all that the program printed, so no watch is needed.
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
        // Without a pipe, no end of standard output will be read.
        if outputReader == nil { handle(.closed(.output)) }
    }

    /// Ends the program and all that it started; the ending of `onFinished` has the reason.
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
        leftovers.signal(process, signal)
        // A stopped process handles SIGTERM only after SIGCONT (signal(7)).
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

/// The last part of what a program printed to standard error, as text that is safe to print on a terminal.
struct ErrorTail: Sendable {
    private static let limit = RunRecord.errorOutputBytes

    private(set) var bytes: [UInt8] = []
    private var isCut = false

    /// Keeps the last bytes. Twice the limit is kept before older bytes are removed, so that few bytes are moved.
    mutating func append(_ more: ArraySlice<UInt8>) {
        bytes += more.suffix(2 * Self.limit)
        isCut = isCut || more.count > 2 * Self.limit
        if bytes.count > 2 * Self.limit {
            bytes.removeFirst(bytes.count - Self.limit)
            isCut = true
        }
    }

    /// Adds a whole line, after a line end if one is missing.
    mutating func append(line: String) {
        if let last = bytes.last, last != UInt8(ascii: "\n") { append([UInt8(ascii: "\n")]) }
        append(Array((line + "\n").utf8)[...])
    }

    /// The tail as UTF-8, with invalid bytes replaced, and without terminal sequences and control characters. It begins
    /// with a whole line if it has more than one.
    var text: String {
        var tail = bytes.suffix(Self.limit)
        if isCut || tail.count < bytes.count {
            if let end = tail.dropLast().firstIndex(of: UInt8(ascii: "\n")) { tail = tail[(end + 1)...] }
            tail = tail.drop { $0 & 0xc0 == 0x80 }
        }
        var text = PlainText.harmless(String(decoding: tail, as: UTF8.self))
        while text.unicodeScalars.last == "\n" { text.unicodeScalars.removeLast() }
        return text
    }
}
