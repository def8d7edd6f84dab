// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Spawn
import TodayModel

/// Runs widgets as plain processes, each in a session and with limits of its own, where no service manager does that
/// for us: in containers and in development.
@LoopActor
package final class ProcessRunner: WidgetRunner {
    package var onFinished: @LoopActor (RunOutcome) -> Void = { _ in }

    private let settings: RunSettings
    private let environment: [String: String]
    private var runs: [UInt64: ProcessRun] = [:]
    private var onStopped: (@LoopActor () -> Void)?

    /// Makes this process a subreaper: from then on it reaps the orphans among its descendants.
    package init(_ settings: RunSettings) {
        self.settings = settings
        environment = RunEnvironment.base(from: settings.environment)
        ProcessTree.becomeSubreaper()
    }

    package func origin(of process: pid_t) -> ProcessOrigin {
        switch ProcessTree.kinship(of: process) {
        case .stranger: return .outside
        case .gone: return .unknown
        case .descendant(let child):
            let leader = ChildProcess.running.contains(child) ? child : Leftovers.leader(of: process)
            return runs.values.first { $0.pid == leader }.map { .widget($0.request.widget) } ?? .unknown
        }
    }

    package func start(_ request: RunRequest) {
        let run = ProcessRun(request, settings: settings) { [weak self] run, outcome in
            self?.finish(run, outcome)
        }
        runs[request.run] = run
        run.start(environment: environment)
    }

    package func cancel(_ widget: WidgetID, because reason: String) {
        for run in runs.values where run.request.widget == widget { run.cancel(because: reason) }
    }

    package func stopAll(because reason: String, onStopped: @escaping @LoopActor () -> Void) {
        guard !runs.isEmpty else { return onStopped() }
        self.onStopped = onStopped
        for run in runs.values { run.cancel(because: reason) }
    }

    private func finish(_ run: ProcessRun, _ outcome: RunOutcome) {
        runs[run.request.run] = nil
        onFinished(outcome)
        if runs.isEmpty, let stopped = onStopped {
            onStopped = nil
            stopped()
        }
    }
}
