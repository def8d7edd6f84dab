// SPDX-License-Identifier: MIT
import Formats
import Glibc
import Reactor
import Spawn
import TodayModel

/// One run of a program that prints its content and ends.
@LoopActor
final class ProcessRun {
    let request: RunRequest
    private let settings: RunSettings
    private let leftovers: Leftovers
    private let stopwatch = Stopwatch()
    private let onFinished: @LoopActor (ProcessRun, RunOutcome) -> Void
    private var process: RunProcess?
    private var output: [UInt8] = []

    init(
        _ request: RunRequest, settings: RunSettings, leftovers: Leftovers,
        onFinished: @escaping @LoopActor (ProcessRun, RunOutcome) -> Void
    ) {
        self.request = request
        self.settings = settings
        self.leftovers = leftovers
        self.onFinished = onFinished
    }

    var pid: pid_t? { process?.pid }

    /// Starts the program; a failure to do so is the outcome, told later as every outcome is.
    func start(environment: [String: String]) {
        do {
            try launch(environment: environment)
        } catch {
            leftovers.sweepUnowned()
            let outcome = stopwatch.outcome(of: request, .failed("\(error)"))
            EventLoop.shared.post { [self] in onFinished(self, outcome) }
        }
    }

    func cancel(because reason: String) { process?.end(because: reason) }

    private func launch(environment: [String: String]) throws {
        let manifest = request.manifest
        let machine = RunStateMachine(
            patience: RunStateMachine.Patience(
                timeout: manifest.update.timeout, drain: settings.drainGrace, kill: settings.killGrace),
            mostOutput: Int(clamping: manifest.limits.output.bytes))
        let process = RunProcess(
            leftovers: leftovers, machine: machine, onOutput: { [unowned self] in output += $0 },
            onFinished: { [self] in finish($0) })
        try settings.makeDirectories(for: manifest)
        let mark = leftovers.newMark()
        var plan = LaunchPlan(request, mark: mark, base: environment, settings: settings)
        plan.standardOutput = .pipe
        try process.start(plan, mark: mark)
        self.process = process
    }

    private func finish(_ ending: RunEnding) {
        let errorOutput = process?.errorOutput ?? ""
        process = nil
        var outcome = stopwatch.outcome(of: request, .noData, exit: ending.exit, errorOutput: errorOutput)
        if let failure = statedFailure(ending, errorOutput: errorOutput) {
            outcome.take(failure)
        } else if let failure = ending.failure(of: request.manifest, errorOutput: errorOutput) {
            outcome.result = .failed(failure)
        } else if request.errand == nil || !output.isEmpty {
            do throws(OutputError) {
                let content = try request.manifest.update.contentProtocol.content(from: output)
                outcome.take(.newData(content), to: request)
            } catch {
                outcome.take(error)
            }
        }
        // An errand need not have anything to show: then it is the `noData` that the outcome began with.
        onFinished(self, outcome)
    }

    /// What the program says itself of why it ended with a status other than 0, if it has ended by itself.
    private func statedFailure(_ ending: RunEnding, errorOutput: String) -> OutputError? {
        guard ending.cause == nil, case .exited(let status)? = ending.status, status != 0 else { return nil }
        return request.manifest.update.contentProtocol.statedFailure(
            output: output, errorOutput: errorOutput, status: status)
    }
}
