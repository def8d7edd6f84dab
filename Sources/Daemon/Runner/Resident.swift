// SPDX-License-Identifier: MIT
import Files
import Formats
import Glibc
import JSON
import Reactor
import Spawn
import TodayModel
import Varlink

/// The resident program of a widget with Protocol=varlink. It stays between runs, and each run is one call to it.
@LoopActor
final class Resident {
    let manifest: Manifest
    /// The values of the widget's settings in the program's environment.
    private let settingTexts: [String: String]
    private let settings: RunSettings
    private let leftovers: Leftovers
    private let onReport: @LoopActor (RunnerReport) -> Void
    private let onEnd: @LoopActor (Resident) -> Void
    /// Called when no process is left that may use the program's extension context.
    var onContextEnd: ContextEnd = {}

    private var machine: ResidentStateMachine
    private var process: WidgetProcess?
    private var connection: CallConnection?
    private var timer: TimerSource?
    private var run: StartedRun?
    private var lastRun: StartedRun?
    private var answer: VarlinkReply?
    /// How many bytes arrived on standard error since the last call.
    private var errorBytes = 0
    private var wasCalled = false
    /// What the program had used when the call began; nil for its first call.
    private var usageBefore: RunUsage?
    /// The program's file at its start.
    private let file: FileMark?
    private let programHash: UInt64

    /// - Parameter onEnd: no process of the program is left.
    init(
        _ request: RunRequest, settings: RunSettings, leftovers: Leftovers,
        onReport: @escaping @LoopActor (RunnerReport) -> Void, onEnd: @escaping @LoopActor (Resident) -> Void
    ) {
        manifest = request.manifest
        settingTexts = request.settings
        self.settings = settings
        self.leftovers = leftovers
        self.onReport = onReport
        self.onEnd = onEnd
        file = Self.file(of: manifest)
        programHash = manifest.programHash
        let timeout = manifest.update.timeout
        machine = ResidentStateMachine(
            patience: ResidentStateMachine.Patience(
                call: timeout, callInWords: "\(RunEnding.inWords(timeout)) (Timeout=\(timeout.text))",
                idle: settings.idleGrace, leave: settings.killGrace))
    }

    var pid: pid_t? { process?.pid }

    /// Whether this program can serve a run: it is idle, and neither the manifest nor the program's file nor the values of
    /// the widget's settings have changed since its start. Until an edit has ended, its settings may have changed, because
    /// another program would lose the edit.
    func canRun(_ request: RunRequest) -> Bool {
        machine.isIdle && connection != nil && request.manifest.programHash == programHash && isUpToDate
            && (request.continuesEditing || settingTexts == request.settings)
    }

    /// True even while the file is missing, for example because it is being replaced.
    private var isUpToDate: Bool { Self.file(of: manifest).map { $0 == file } ?? true }

    private static func file(of manifest: Manifest) -> FileMark? {
        manifest.update.command.first.flatMap(FileMark.init(at:))
    }

    /// Starts the program. Returns the daemon's end of its extension context.
    func start(_ request: RunRequest, environment: [String: String]) throws -> OwnedDescriptor {
        let (calls, context) = (try SocketPair(), try SocketPair())
        let process = WidgetProcess(
            leftovers: leftovers, machine: RunStateMachine(patience: patience, mostOutput: .max),
            onError: { [unowned self] in countErrorBytes($0) }, onFinished: { [self] in finish($0) })
        try settings.makeDirectories(for: manifest)
        let plan = try LaunchPlan(
            request, base: environment, settings: settings,
            passing: [.init("varlink", calls.theirs.number), .init("context", context.theirs.number)])
        timer = try TimerSource(.monotonic) { [unowned self] in
            handle(.expired(incomplete: connection?.remainder ?? ""))
        }
        connection = try CallConnection(calls.ours, limit: ContentLimits.messageBytes) { [unowned self] in
            handleConnection($0)
        }
        try withExtendedLifetime((calls, context)) { try process.start(plan, for: request) }
        self.process = process
        return context.ours
    }

    /// A host shows the widget when the program starts.
    func startWatched() { handle(.watched(true)) }

    /// Calls the program; `canRun` must be true, or the program was just started.
    func run(_ request: RunRequest) {
        run = StartedRun(request)
        if case .action = request.interaction { handle(.pressed) }
        handle(.asked)
    }

    /// Closes the connection, after the answer to a call that waits, so that the program exits.
    func dismiss() { handle(.dismissed) }

    /// Tells the program that hosts began or stopped to show the widget.
    func tell(_ change: VisibilityChange, in scene: Scene) {
        handle(.watched(change == .appear))
        if machine.isConnected { connection?.send(scene.call(change)) }
    }

    func cancel(because reason: String) { handle(.cancelled(reason)) }

    /// The program has no time-out of its own, only its calls have.
    private var patience: RunStateMachine.Patience {
        RunStateMachine.Patience(timeout: .days(3_650), drain: settings.drainGrace, kill: settings.killGrace)
    }

    /// Bounds standard error between two calls: an idle program has no time-out that would end it.
    private func countErrorBytes(_ bytes: Int) {
        errorBytes += bytes
        let most = manifest.limits.output
        guard errorBytes > Int(clamping: most.bytes) else { return }
        handle(.broken("it printed more than \(RunEnding.inWords(most)) to standard error (OutputMax=\(most.text))"))
    }

    private func handleConnection(_ event: CallConnection.Event) {
        switch event {
        case .reply(let reply):
            // Standard error from before the answer belongs to this run.
            process?.readErrors()
            answer = reply
            handle(.answered)
        case .placeholder(let reply): showPlaceholder(reply)
        case .broken(let reason): handle(.broken(reason))
        case .closed: handle(.closed)
        }
    }

    private func handle(_ event: ResidentStateMachine.Event) {
        for action in machine.handle(event) {
            switch action {
            case .arm(let span): timer?.arm(after: span.microseconds, slack: max(span.microseconds / 20, 1_000))
            case .call: call()
            case .deliver: deliver()
            case .reportIdleFailure(let reason): reportIdleFailure(reason)
            case .hangUp: connection?.close()
            case .end(let reason): process?.end(because: reason)
            }
        }
    }

    private func call() {
        guard let request = run?.request else { return }
        machine.patience.idle = request.isEditing ? settings.editingGrace : settings.idleGrace
        errorBytes = 0
        process?.clearErrors()
        usageBefore = wasCalled ? process?.usage : nil
        connection?.send(request.call(isFirst: !wasCalled))
        wasCalled = true
    }

    private func deliver() {
        guard let run, let answer else { return }
        (self.run, lastRun, self.answer) = (nil, run, nil)
        var outcome = run.outcome(.noData, errorOutput: process?.errorOutput ?? "")
        onReport(.ended(manifest.id, run: outcome.run))
        outcome.usage = process?.usage?.since(usageBefore)
        do throws(OutputError) {
            outcome.setResult(from: try WidgetReply.answer(in: answer), for: run.request)
        } catch {
            outcome.setResult(from: error)
        }
        onReport(.finished(outcome))
    }

    /// A wrong placeholder does not fail the run, because the answer follows. The run's log tells the author about it.
    private func showPlaceholder(_ reply: VarlinkReply) {
        do throws(OutputError) {
            onReport(.placeholder(try WidgetReply.placeholder(in: reply), of: manifest.id))
        } catch {
            process?.appendToErrors("todayd: a placeholder is left out: \(error)")
        }
    }

    private func reportIdleFailure(_ reason: String) {
        guard let lastRun else { return }
        onReport(.idleFailure(lastRun.outcome(.failed(reason), errorOutput: process?.errorOutput ?? "")))
    }

    private func finish(_ ending: RunEnding) {
        timer?.cancel()
        connection?.close()
        let errorOutput = process?.errorOutput ?? ""
        process = nil
        handle(.ended)
        if let run {
            self.run = nil
            let errorLine = ErrorOutput.reason(in: errorOutput).map { ": \($0)" } ?? ""
            let failure =
                ending.failure(of: manifest, errorOutput: errorOutput)
                ?? "\(ending.exit) before it answered\(errorLine)"
            onReport(.finished(run.outcome(.failed(failure), exit: ending.exit, errorOutput: errorOutput)))
        } else if let lastRun, ending.cause == nil, let failure = ending.failure(of: manifest, errorOutput: errorOutput)
        {
            onReport(
                .idleFailure(
                    lastRun.outcome(
                        .failed("\(failure), between two calls"), exit: ending.exit, errorOutput: errorOutput)))
        }
        onContextEnd()
        onEnd(self)
    }
}

extension RunRequest {
    /// Whether the run belongs to an edit that has begun before.
    fileprivate var continuesEditing: Bool {
        switch interaction {
        case .beginEditing: false
        case .endEditing: true
        case .action, .displayMode, nil: isEditing
        }
    }
}
