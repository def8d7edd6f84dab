// SPDX-License-Identifier: MIT
import Files
import Formats
import Glibc
import JSON
import Reactor
import Spawn
import TodayModel
import Varlink

/// The process of a widget with Protocol=varlink: it stays between runs, and a run is one call to it.
@LoopActor
final class Resident {
    private struct Run {
        let request: RunRequest
        let stopwatch = Stopwatch()
    }

    let manifest: Manifest
    private let settings: RunSettings
    private let leftovers: Leftovers
    private let onOutcome: @LoopActor (RunOutcome) -> Void
    private let onPlaceholder: @LoopActor (WidgetID, Content) -> Void
    private let onMishap: @LoopActor (RunOutcome) -> Void
    private let onEnd: @LoopActor (Resident) -> Void
    /// To be called when no process is left that may use the program's extension context.
    var onContextEnd: ContextEnd = {}
    private var halfMessage = ""

    private var machine: ResidentStateMachine
    private var process: RunProcess?
    private var connection: CallConnection?
    private var timer: TimerSource?
    private var run: Run?
    private var lastRun: Run?
    private var answer: VarlinkReply?
    /// Bytes of standard error since the last call.
    private var noise = 0
    private var hasBeenAsked = false
    /// The program's file when it was started.
    private let file: FileMark?

    /// - Parameters:
    ///   - onOutcome: each run's, once; of one that the program does not survive when nothing of it is left.
    ///   - onPlaceholder: what is to be shown until the outcome.
    ///   - onMishap: what the program did when it had not been asked, as the failure of its last run.
    ///   - onEnd: nothing of the program is left.
    init(
        _ manifest: Manifest, settings: RunSettings, leftovers: Leftovers,
        onOutcome: @escaping @LoopActor (RunOutcome) -> Void,
        onPlaceholder: @escaping @LoopActor (WidgetID, Content) -> Void,
        onMishap: @escaping @LoopActor (RunOutcome) -> Void, onEnd: @escaping @LoopActor (Resident) -> Void
    ) {
        self.manifest = manifest
        self.settings = settings
        self.leftovers = leftovers
        self.onOutcome = onOutcome
        self.onPlaceholder = onPlaceholder
        self.onMishap = onMishap
        self.onEnd = onEnd
        file = Self.file(of: manifest)
        let timeout = manifest.update.timeout
        machine = ResidentStateMachine(
            patience: ResidentStateMachine.Patience(
                call: timeout, callInWords: "\(RunEnding.inWords(timeout)) (Timeout=\(timeout.text))",
                idle: settings.idleGrace, leave: settings.killGrace))
    }

    var pid: pid_t? { process?.pid }

    /// Whether it can take a run of this manifest. One that was started under another is not the widget any more, nor is
    /// one whose program has been built or installed anew.
    func canTake(_ request: RunRequest) -> Bool {
        machine.isIdle && connection != nil && manifest.hasSameProgram(as: request.manifest) && isUpToDate
    }

    /// While there is no file (it is just being replaced), the one that runs is better than none.
    private var isUpToDate: Bool { Self.file(of: manifest).map { $0 == file } ?? true }

    private static func file(of manifest: Manifest) -> FileMark? {
        manifest.update.command.first.flatMap(FileMark.init(at:))
    }

    /// Starts the program for its first run, and returns our end of its extension context.
    func start(_ request: RunRequest, environment: [String: String]) throws -> OwnedDescriptor {
        let (calls, context) = (try SocketPair(), try SocketPair())
        let process = RunProcess(
            leftovers: leftovers, machine: RunStateMachine(patience: patience, mostOutput: .max),
            onError: { [unowned self] in hear($0) }, onFinished: { [self] in finish($0) })
        try settings.makeDirectories(for: manifest)
        let mark = leftovers.newMark()
        var plan = LaunchPlan(request, mark: mark, base: environment, settings: settings)
        plan.passed = [.init("varlink", calls.theirs.number), .init("context", context.theirs.number)]
        timer = try TimerSource(.monotonic) { [unowned self] in expire() }
        connection = try CallConnection(calls.ours, limit: ContentLimits.messageBytes) { [unowned self] in take($0) }
        try withExtendedLifetime((calls, context)) { try process.start(plan, mark: mark) }
        self.process = process
        return context.ours
    }

    /// Asks the program, which can take it.
    func ask(_ request: RunRequest) {
        run = Run(request: request)
        handle(.asked)
    }

    /// Lets the program end in its own time; if it is asked something, after its answer.
    func dismiss() { handle(.dismissed) }

    /// Tells the program who looks, if it can still be told.
    func tell(_ look: Look, in scene: Scene) {
        if machine.isThere { connection?.send(scene.call(look)) }
    }

    func cancel(because reason: String) { handle(.cancelled(reason)) }

    /// A resident lives until it is ended: the time-outs are those of its calls.
    private var patience: RunStateMachine.Patience {
        RunStateMachine.Patience(timeout: .days(3_650), drain: settings.drainGrace, kill: settings.killGrace)
    }

    /// One run's complaints are bounded by its time-out; who is idle has no such end.
    private func hear(_ bytes: Int) {
        noise += bytes
        let most = manifest.limits.output
        guard noise > Int(clamping: most.bytes) else { return }
        handle(.broken("it printed more than \(RunEnding.inWords(most)) to standard error (OutputMax=\(most.text))"))
    }

    private func take(_ news: CallConnection.News) {
        switch news {
        case .reply(let reply):
            // What it complained of before it answered has come before the answer.
            process?.hearErrors()
            answer = reply
            handle(.answered)
        case .placeholder(let reply): show(reply)
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
            case .complain(let reason): complain(reason)
            case .hangUp: connection?.close()
            case .end(let reason): process?.end(because: reason + halfMessage)
            }
        }
    }

    /// Who forgets the NUL at the end of a message waits for ever, and would not know why.
    private func expire() {
        halfMessage = connection?.remainder ?? ""
        handle(.expired)
        halfMessage = ""
    }

    private func call() {
        guard let request = run?.request else { return }
        machine.patience.idle = request.isEditing ? settings.editingGrace : settings.idleGrace
        noise = 0
        process?.forgetErrors()
        connection?.send(request.call(isFirst: !hasBeenAsked))
        hasBeenAsked = true
    }

    private func deliver() {
        guard let run, let answer else { return }
        (self.run, lastRun, self.answer) = (nil, run, nil)
        var outcome = run.stopwatch.outcome(of: run.request, .noData, errorOutput: process?.errorOutput ?? "")
        do throws(OutputError) {
            outcome.take(try WidgetReply.answer(in: answer), to: run.request)
        } catch {
            outcome.take(error)
        }
        onOutcome(outcome)
    }

    /// A wrong placeholder does not fail the run: the answer, which follows, is what counts. Its author reads of it in
    /// the log of the run.
    private func show(_ reply: VarlinkReply) {
        do throws(OutputError) {
            onPlaceholder(manifest.id, try WidgetReply.placeholder(in: reply))
        } catch {
            process?.remark("todayd: a placeholder is left out: \(error)")
        }
    }

    private func complain(_ reason: String) {
        guard let lastRun else { return }
        onMishap(
            lastRun.stopwatch.outcome(of: lastRun.request, .failed(reason), errorOutput: process?.errorOutput ?? ""))
    }

    private func finish(_ ending: RunEnding) {
        timer?.cancel()
        connection?.close()
        let errorOutput = process?.errorOutput ?? ""
        process = nil
        _ = machine.handle(.cancelled("it has ended"))
        if let run {
            self.run = nil
            let complaint = RunEnding.lastLine(of: errorOutput).map { ": \($0)" } ?? ""
            let failure =
                ending.failure(of: manifest, errorOutput: errorOutput)
                ?? "\(ending.exit) before it answered\(complaint)"
            onOutcome(
                run.stopwatch.outcome(of: run.request, .failed(failure), exit: ending.exit, errorOutput: errorOutput))
        } else if let lastRun, ending.cause == nil, let failure = ending.failure(of: manifest, errorOutput: errorOutput)
        {
            onMishap(
                lastRun.stopwatch.outcome(
                    of: lastRun.request, .failed("\(failure), while nobody asked it"), exit: ending.exit,
                    errorOutput: errorOutput))
        }
        onContextEnd()
        onEnd(self)
    }
}
