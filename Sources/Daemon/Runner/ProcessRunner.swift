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
    package var onMishap: @LoopActor (RunOutcome) -> Void = { _ in }
    package var onPlaceholder: @LoopActor (WidgetID, Content) -> Void = { _, _ in }
    package var onContext: @LoopActor (WidgetID, OwnedDescriptor) -> ContextEnd = { _, _ in {} }

    private let settings: RunSettings
    private let leftovers: Leftovers
    private let environment: [String: String]
    private var runs: [UInt64: ProcessRun] = [:]
    /// Programs that stay between runs: of a widget one that takes them, beside others that are being ended.
    private var residents: [WidgetID: [Resident]] = [:]
    private var onStopped: (@LoopActor () -> Void)?

    /// Makes this process a subreaper: from then on it reaps the orphans among its descendants.
    package init(_ settings: RunSettings) {
        self.settings = settings
        leftovers = Leftovers(settings.unknownOrphans, in: KernelOrphans())
        environment = RunEnvironment.base(from: settings.environment)
        ProcessTree.becomeSubreaper()
    }

    package func origin(of process: pid_t, seen: Int64) -> ProcessOrigin {
        switch Kinship(of: process, seen: seen) {
        case .stranger: return .outside
        case .gone: return .unknown
        case .descendant(let child):
            // Of an orphan, the session alone: no process can get into that from outside, and any process can make an environment.
            let leader = ChildProcess.running.contains(child) ? child : ProcessTree.session(of: process)
            if let run = runs.values.first(where: { $0.pid == leader }) { return .widget(run.request.widget) }
            let resident = residents.first { $0.value.contains { $0.pid == leader } }
            return resident.map { .widget($0.key) } ?? .unknown
        }
    }

    package func start(_ request: RunRequest) {
        if request.manifest.update.contentProtocol == .varlink { return ask(request) }
        let run = ProcessRun(request, settings: settings, leftovers: leftovers) { [weak self] run, outcome in
            self?.finish(run, outcome)
        }
        runs[request.run] = run
        run.start(environment: environment)
    }

    package func tell(_ widget: WidgetID, _ look: Look, in scene: Scene) {
        for resident in residents[widget] ?? [] { resident.tell(look, in: scene) }
    }

    package func dismiss(_ widget: WidgetID) {
        for resident in residents[widget] ?? [] { resident.dismiss() }
    }

    package func cancel(_ widget: WidgetID, because reason: String) {
        for run in runs.values where run.request.widget == widget { run.cancel(because: reason) }
        for resident in residents[widget] ?? [] { resident.cancel(because: reason) }
    }

    package func endLeftovers() -> Int { Leftovers.endPredecessors(stateDirectory: settings.stateDirectory) }

    package func stopAll(because reason: String, onStopped: @escaping @LoopActor () -> Void) {
        guard !isEmpty else { return onStopped() }
        self.onStopped = onStopped
        for run in runs.values { run.cancel(because: reason) }
        for resident in residents.values.joined() { resident.cancel(because: reason) }
    }

    private var isEmpty: Bool { runs.isEmpty && residents.isEmpty }

    private func finish(_ run: ProcessRun, _ outcome: RunOutcome) {
        runs[run.request.run] = nil
        onFinished(outcome)
        stopIfEmpty()
    }

    private func stopIfEmpty() {
        if isEmpty { onStopped?() }
    }
}

// MARK: - Programs that stay

extension ProcessRunner {
    /// The program that is there takes the run, or a new one. One that is being ended goes on ending beside it.
    private func ask(_ request: RunRequest) {
        if let resident = residents[request.widget]?.first(where: { $0.canTake(request) }) {
            return resident.ask(request)
        }
        for old in residents[request.widget] ?? [] { old.dismiss() }
        let resident = Resident(
            request.manifest, settings: settings, leftovers: leftovers,
            onOutcome: { [weak self] in self?.onFinished($0) },
            onPlaceholder: { [weak self] in self?.onPlaceholder($0, $1) },
            onMishap: { [weak self] in self?.onMishap($0) }, onEnd: { [weak self] in self?.forget($0) })
        do {
            let context = try resident.start(request, environment: environment)
            residents[request.widget, default: []].append(resident)
            resident.onContextEnd = onContext(request.widget, context)
            resident.ask(request)
        } catch {
            let outcome = Stopwatch().outcome(of: request, .failed("\(error)"))
            EventLoop.shared.post { [self] in onFinished(outcome) }
        }
    }

    private func forget(_ resident: Resident) {
        let widget = resident.manifest.id
        residents[widget]?.removeAll { $0 === resident }
        if residents[widget]?.isEmpty == true { residents[widget] = nil }
        stopIfEmpty()
    }
}
