// SPDX-License-Identifier: MIT
import Formats
import Glibc
import Reactor
import Spawn
import TodayModel

/// The program of a widget with Stream=yes, from its start by a run to its end. The run ends earlier: with the first update, or
/// when the time for that is over.
@LoopActor
final class StreamProgram {
    /// The request of the run. Its `previous` follows the updates.
    private(set) var request: RunRequest
    private let settings: RunSettings
    private let leftovers: Leftovers
    private let onReport: @LoopActor (RunnerReport) -> Void
    private let onEnd: @LoopActor (StreamProgram, StreamEnd?) -> Void
    private let run: StartedRun
    /// The program's life, for its end.
    private let life: StartedRun

    private var machine = StreamStateMachine()
    private var framing: UpdateFraming
    private var process: WidgetProcess?
    private var timeout: TimerSource?
    private var rest: TimerSource?
    /// The newest update that has not been reported yet.
    private var newest: [UInt8]?
    /// The failure of the last update, if that could not be read.
    private var failure: String?
    private var hasPrinted = false
    private var hasPrintedErrors = false

    /// - Parameters:
    ///   - onReport: called once with the outcome of the run, in a later turn of the loop than the start, and then with each
    ///     further update.
    ///   - onEnd: no process of the program is left. There is no StreamEnd if the run has failed by the end.
    init(
        _ request: RunRequest, settings: RunSettings, leftovers: Leftovers,
        onReport: @escaping @LoopActor (RunnerReport) -> Void,
        onEnd: @escaping @LoopActor (StreamProgram, StreamEnd?) -> Void
    ) {
        self.request = request
        self.settings = settings
        self.leftovers = leftovers
        self.onReport = onReport
        self.onEnd = onEnd
        run = StartedRun(request)
        life = StartedRun(request.forUpdates)
        framing = UpdateFraming(request.manifest.update, limit: Int(clamping: request.manifest.limits.output.bytes))
    }

    var pid: pid_t? { process?.pid }

    /// Starts the program. If that fails, the run fails in a later turn of the loop.
    func start(environment: [String: String]) {
        do {
            try launch(environment: environment)
        } catch {
            let outcome = run.outcome(.failed("\(error)"))
            EventLoop.shared.post { [self] in
                onReport(.finished(outcome))
                onEnd(self, nil)
            }
        }
    }

    func cancel(because reason: String) { handle(.cancelled(reason)) }

    /// Ends the program, which is no longer needed. A run in progress has not failed.
    func dismiss(because reason: String) { handle(.dismissed(reason)) }

    private func launch(environment: [String: String]) throws {
        let manifest = request.manifest
        // Only the first update has a time-out, and the framing bounds the output.
        var patience = RunStateMachine.Patience(
            timeout: .days(3_650), drain: settings.drainGrace, kill: settings.killGrace)
        patience.watch = .zero
        let process = WidgetProcess(
            leftovers: leftovers, machine: RunStateMachine(patience: patience, mostOutput: .max),
            onOutput: { [unowned self] in take($0) }, onError: { [unowned self] _ in takeErrors() },
            onFinished: { [self] in finish($0) })
        try settings.makeDirectories(for: manifest)
        var plan = try LaunchPlan(request, base: environment, settings: settings)
        plan.standardOutput = .pipe
        timeout = try TimerSource(.monotonic) { [unowned self] in handle(.timedOut) }
        rest = try TimerSource(.monotonic) { [unowned self] in handle(.rested) }
        self.process = process
        do {
            try process.start(plan, for: request)
        } catch {
            self.process = nil
            throw error
        }
        let span = manifest.update.timeout.microseconds
        timeout?.arm(after: span, slack: max(span / 20, 1_000))
    }

    // MARK: What it prints

    private func take(_ bytes: ArraySlice<UInt8>) {
        hasPrinted = true
        guard machine.isListening else { return handle(.printed(isUpdate: false)) }
        do throws(UpdateFraming.TooLong) {
            let update = try framing.append(bytes)
            if let update { newest = update }
            handle(.printed(isUpdate: update != nil))
        } catch {
            let most = request.manifest.limits.output
            let reason = "printed an update of more than \(RunEnding.inWords(most)) (OutputMax=\(most.text))"
            newest = nil
            handle(.broken(reason))
            handle(.printed(isUpdate: false))
        }
    }

    private func takeErrors() {
        hasPrintedErrors = true
        handle(.printed(isUpdate: false))
    }

    /// Reads what arrived during the rest. If nothing did, the silence may complete an update.
    private func look() {
        (hasPrinted, hasPrintedErrors) = (false, false)
        process?.read()
        if !hasPrinted, let update = framing.silence() { newest = update }
        handle(.looked(found: hasPrinted || hasPrintedErrors, isUpdate: newest != nil))
    }

    private func handle(_ event: StreamStateMachine.Event) { perform(machine.handle(event)) }

    private func perform(_ actions: [StreamStateMachine.Action]) {
        for action in actions {
            switch action {
            case .rest(let span):
                process?.pause()
                rest?.arm(after: span.microseconds, slack: span.microseconds / 10)
            case .look: look()
            case .watch: process?.resume()
            case .endRun:
                timeout?.cancel()
                onReport(.finished(readNewest(run.outcome(.noData))))
            case .endRunInSilence:
                timeout?.cancel()
                var outcome = run.outcome(.noData, errorOutput: process?.errorOutput ?? "")
                (outcome.stays, outcome.isSilent) = (true, true)
                if machine.cause == nil { outcome.notes = [framing.hint] }
                onReport(.finished(outcome))
            case .update: onReport(.update(readNewest(StartedRun(request.forUpdates).outcome(.noData))))
            case .end(let reason): process?.end(because: reason)
            }
        }
    }

    private func readNewest(_ outcome: RunOutcome) -> RunOutcome {
        var outcome = outcome
        outcome.stays = true
        outcome.errorOutput = process?.errorOutput ?? ""
        outcome.read(ProgramOutput(newest ?? [], status: nil), for: request)
        if let hint = UpdateFraming.hint(on: newest ?? [], of: request.manifest.update.contentProtocol) {
            outcome.notes.append(hint)
        }
        let kept = outcome.isFailure ? settings.keptOutput.ofFailure : settings.keptOutput.ofSuccess
        if kept > 0 { outcome.printed = Printed(newest ?? [], keeping: kept) }
        newest = nil
        failure = nil
        switch outcome.result {
        case .newData(let content): request.previous = Layers.Own(content, taken: outcome.started)
        case .noData: break
        case .failed(let reason): failure = reason
        }
        return outcome
    }

    // MARK: Its end

    private func finish(_ ending: RunEnding) {
        if isContent(ending), machine.cause == nil, let last = framing.end() { newest = last }
        if newest != nil { perform(machine.reportLast()) }
        let errorOutput = process?.errorOutput ?? ""
        timeout?.cancel()
        rest?.cancel()
        process = nil
        _ = machine.handle(.ended)
        var outcome = (machine.isRunOpen ? run : life).outcome(.noData, exit: ending.exit, errorOutput: errorOutput)
        setResult(of: &outcome, ending)
        if machine.isRunOpen {
            onReport(.finished(outcome))
            onEnd(self, nil)
        } else {
            onEnd(self, StreamEnd(outcome, cause: machine.cause))
        }
    }

    /// Whether the program has exited with a status that is not a failure.
    private func isContent(_ ending: RunEnding) -> Bool {
        ending.ownStatus.map(request.manifest.update.contentProtocol.isContent(withStatus:)) ?? false
    }

    private func setResult(of outcome: inout RunOutcome, _ ending: RunEnding) {
        let errorOutput = outcome.errorOutput
        let isContent = isContent(ending)
        let stated = ending.ownStatus.flatMap { status in
            isContent
                ? nil
                : request.manifest.update.contentProtocol.statedFailure(
                    output: [], errorOutput: errorOutput, status: status)
        }
        if let stated {
            outcome.setResult(from: stated)
        } else if case .cancelled(let reason)? = ending.cause {
            outcome.result = .failed(reason)
        } else if !isContent, let failure = ending.failure(of: request.manifest, errorOutput: errorOutput) {
            outcome.result = .failed(failure)
        } else if let failure {
            outcome.result = .failed("\(ending.exit); its last update: \(failure)")
        } else if machine.isRunOpen, request.interaction == nil {
            let line = ErrorOutput.reason(in: errorOutput).map { ": \($0)" } ?? ""
            outcome.result = .failed("\(ending.exit) before its first update\(line)")
        }
    }
}

extension RunRequest {
    /// The request of the updates after the first one: they are not interactions, even if a button started the program.
    fileprivate var forUpdates: RunRequest {
        var request = RunRequest(
            run: run, manifest: manifest, reason: reason.isInteraction ? .schedule : reason, mode: mode)
        request.isEditing = isEditing
        return request
    }
}
