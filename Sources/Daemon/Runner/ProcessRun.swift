// SPDX-License-Identifier: MIT
import Files
import Glibc
import Reactor
import Spawn
import TodayModel

/// One run under way: carries out what its state machine decides.
@LoopActor
final class ProcessRun {
    let request: RunRequest
    private let settings: RunSettings
    private let started: WallTime
    private let startedAwake: Int64
    private let onFinished: @LoopActor (ProcessRun, RunOutcome) -> Void

    private var machine: RunStateMachine
    private var process: ChildProcess?
    private var outputReader: PipeReader?
    private var errorReader: PipeReader?
    private var timer: TimerSource?
    private var output: [UInt8] = []
    private var errorTail = ErrorTail()

    init(
        _ request: RunRequest, settings: RunSettings, onFinished: @escaping @LoopActor (ProcessRun, RunOutcome) -> Void
    ) {
        self.request = request
        self.settings = settings
        self.onFinished = onFinished
        started = WallTime(microseconds: EventLoop.now(.realtime))
        // A run has its time-out in awake time: a suspended program cannot have been slow.
        startedAwake = EventLoop.now(.monotonic)
        let limits = request.manifest.limits
        machine = RunStateMachine(
            patience: RunStateMachine.Patience(
                timeout: request.manifest.update.timeout, drain: settings.drainGrace, kill: settings.killGrace),
            mostOutput: Int(clamping: limits.output.bytes))
    }

    /// Starts the program; a failure to do so is the outcome, told later as every outcome is.
    func start(environment: [String: String]) {
        do {
            try launch(environment: environment)
        } catch {
            let outcome = RunOutcome(
                widget: request.widget, run: request.run, reason: request.reason, started: started, duration: duration,
                result: .failed("\(error)"))
            EventLoop.shared.post { [self] in onFinished(self, outcome) }
        }
    }

    var pid: pid_t? { process?.pid }

    func cancel(because reason: String) { handle(.cancelled(reason)) }

    private func launch(environment: [String: String]) throws {
        let mark = Leftovers.newMark()
        try makeDirectories()
        let timer = try TimerSource(.monotonic) { [unowned self] in handle(.expired) }
        let process = try ChildProcess.launch(plan(mark: mark, environment)) { [self] status in
            // What it printed is in the pipes already, and mostly all of it.
            outputReader?.drain()
            errorReader?.drain()
            handle(.exited(status))
        }
        self.process = process
        self.timer = timer
        Leftovers.add(process.pid, mark: mark)
        outputReader = reader(process.takeOutput(), .output) { [unowned self] bytes in
            output += bytes
            handle(.printed(bytes.count))
        }
        errorReader = reader(process.takeError(), .error) { [unowned self] bytes in errorTail.append(bytes) }
        perform(machine.start())
    }

    private func plan(mark: String, _ environment: [String: String]) -> LaunchPlan {
        let command = request.manifest.update.command
        var plan = LaunchPlan(executable: command.first ?? "", arguments: command)
        plan.environment = RunEnvironment.variables(
            of: request, mark: mark, base: environment, settings: settings)
        plan.directory = settings.directory(of: request.widget)
        // What programs expect, some of which use select(2) or close every descriptor there may be. The daemon has more.
        plan.limits.openFiles = 1_024
        plan.limits.memory = request.manifest.limits.memory?.bytes
        plan.standardOutput = .pipe
        plan.standardError = .pipe
        plan.parentDeathSignal = SIGKILL
        return plan
    }

    private func makeDirectories() throws(DirectoryFailure) {
        var names = [RunSettings.directoryName(of: request.widget)]
        names += request.manifest.appGroups.map { RunSettings.directoryName(ofGroup: $0) }
        for name in names { try Paths.makeOwnDirectory(name, in: settings.stateDirectory, mode: 0o700) }
    }

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
                handle(.swept(Leftovers.sweep(process.pid, unknown: settings.unknownOrphans)))
            case .finish(let ending): finish(ending)
            }
        }
    }

    private func signal(_ signal: Int32) {
        guard let process else { return }
        Leftovers.signal(process, signal)
        // A stopped process takes no notice of anything but KILL.
        if signal == SIGTERM { Leftovers.signal(process, SIGCONT) }
    }

    private func finish(_ ending: RunEnding) {
        timer?.cancel()
        outputReader?.close()
        errorReader?.close()
        if let process { Leftovers.remove(process.pid, abandoning: ending.isAbandoned) }
        process = nil
        let errorOutput = errorTail.text
        var outcome = RunOutcome(
            widget: request.widget, run: request.run, reason: request.reason, started: started, duration: duration,
            result: .noData, exit: ending.exit, errorOutput: errorOutput)
        if let failure = ending.failure(of: request.manifest, errorOutput: errorOutput) {
            outcome.result = .failed(failure)
        } else {
            (outcome.result, outcome.nextUpdate) = request.result(of: output)
        }
        onFinished(self, outcome)
    }

    private var duration: TimeSpan { TimeSpan(microseconds: EventLoop.now(.monotonic) - startedAwake) }
}
