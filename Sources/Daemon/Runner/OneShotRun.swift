// SPDX-License-Identifier: MIT
import Formats
import Glibc
import Reactor
import Spawn
import Spelling
import TodayModel

/// One run of a program that prints its content and exits.
@LoopActor
final class OneShotRun {
    private let run: StartedRun
    private let settings: RunSettings
    private let leftovers: Leftovers
    private let onReport: @LoopActor (RunnerReport) -> Void
    private var process: WidgetProcess?
    private var output: [UInt8] = []

    init(
        _ request: RunRequest, settings: RunSettings, leftovers: Leftovers,
        onReport: @escaping @LoopActor (RunnerReport) -> Void
    ) {
        run = StartedRun(request)
        self.settings = settings
        self.leftovers = leftovers
        self.onReport = onReport
    }

    var request: RunRequest { run.request }
    var pid: pid_t? { process?.pid }

    /// Starts the program. If that fails, `onReport` gets the failure in a later turn of the loop, as for every
    /// other outcome.
    func start(environment: [String: String]) {
        do {
            try launch(environment: environment)
        } catch {
            let outcome = run.outcome(.failed("\(error)"))
            EventLoop.shared.post { [self] in onReport(.finished(outcome)) }
        }
    }

    func cancel(because reason: String) { process?.end(because: reason) }

    private func launch(environment: [String: String]) throws {
        let manifest = request.manifest
        let machine = RunStateMachine(
            patience: RunStateMachine.Patience(
                timeout: manifest.update.timeout, drain: settings.drainGrace, kill: settings.killGrace),
            mostOutput: Int(clamping: manifest.limits.output.bytes))
        let process = WidgetProcess(
            leftovers: leftovers, machine: machine, onOutput: { [unowned self] in output += $0 },
            onEnded: { [self] in end() }, onFinished: { [self] in finish($0) })
        try settings.makeDirectories(for: manifest)
        var plan = try LaunchPlan(request, base: environment, settings: settings)
        plan.standardOutput = .pipe
        try process.start(plan, for: request)
        self.process = process
    }

    private func end() {
        run.end()
        onReport(.ended(request.widget, run: request.run))
    }

    private func finish(_ ending: RunEnding) {
        let errorOutput = process?.errorOutput ?? ""
        process = nil
        // An action or another interaction may print nothing: its outcome is noData.
        var outcome = run.outcome(.noData, exit: ending.exit, errorOutput: errorOutput)
        outcome.usage = ending.usage
        let contentProtocol = request.manifest.update.contentProtocol
        if let status = ending.ownStatus, contentProtocol.isContent(withStatus: status) {
            if request.interaction == nil || !output.isEmpty {
                outcome.read(ProgramOutput(output, status: status), for: request)
                let isSilent = output.allSatisfy(\.isSpace) && errorOutput.isEmpty
                if isSilent, contentProtocol == .text { outcome.notes = [Self.silent] }
            }
        } else if let failure = statedFailure(ending, errorOutput: errorOutput) {
            outcome.setResult(from: failure)
        } else {
            outcome.result = .failed(
                ending.failure(of: request.manifest, errorOutput: errorOutput, output: output) ?? ending.exit)
            if ending.cause == .timedOut, request.interaction == nil, !output.isEmpty { outcome.notes = [Self.stayed] }
        }
        let kept = outcome.isFailure ? settings.keptOutput.ofFailure : settings.keptOutput.ofSuccess
        if kept > 0 { outcome.printed = Printed(output, keeping: kept) }
        onReport(.finished(outcome))
    }

    private static let silent =
        "a program that prints nothing if there is nothing to show needs Protocol=genmon, which takes that for empty content"
    private static let stayed =
        "it printed this and did not exit; a program that stays and prints an update whenever it has one needs Stream=yes"

    /// The failure that the program states itself, if it exited by itself with a status other than 0.
    private func statedFailure(_ ending: RunEnding, errorOutput: String) -> OutputError? {
        guard let status = ending.ownStatus else { return nil }
        return request.manifest.update.contentProtocol.statedFailure(
            output: output, errorOutput: errorOutput, status: status)
    }
}
