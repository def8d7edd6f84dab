// SPDX-License-Identifier: MIT
import Files
import Glibc
import Reactor
import Spawn
import TodayModel

/// Runs widgets as child processes, each run in a control group or otherwise a session of its own, with its limits
/// (docs/decisions/0004-a-control-group-for-each-run.md).
@LoopActor
package final class ProcessRunner: WidgetRunner {
    package var onReport: @LoopActor (RunnerReport) -> Void = { _ in }
    package var onContext: @LoopActor (WidgetID, OwnedDescriptor) -> ContextEnd = { _, _ in {} }

    private let settings: RunSettings
    private let leftovers: Leftovers
    private let environment: [String: String]
    private var runs: [UInt64: OneShotRun] = [:]
    /// Resident programs by widget: one that takes calls, and others that are being ended.
    private var residents: [WidgetID: [Resident]] = [:]
    /// The widgets that a host shows.
    private var watched: Set<WidgetID> = []
    private let streams: StreamPrograms
    private var onStopped: (@LoopActor () -> Void)?

    /// Makes this process a subreaper: it inherits the orphans among its descendants, and reaps them.
    package init(_ settings: RunSettings) {
        self.settings = settings
        leftovers = Leftovers(in: settings.groups, endingStrays: settings.endsStrays)
        environment = RunEnvironment.base(from: settings.environment)
        streams = StreamPrograms(settings, leftovers: leftovers, environment: environment)
        ProcessTree.becomeSubreaper()
        streams.onReport = { [weak self] in self?.onReport($0) }
        streams.onEnd = { [weak self] in self?.stopIfEmpty() }
    }

    package func origin(of process: pid_t, seen: Int64) -> ProcessOrigin {
        switch ProcessAncestry(of: process, seen: seen) {
        case .stranger: return .outside
        case .gone: return .unknown
        case .descendant(let child):
            // For an orphan only the session counts: no process can enter a session from outside (setsid(2)), but any process
            // can set its environment.
            guard let leader = ChildProcess.running.contains(child) ? child : ProcessTree.session(of: process) else {
                return .unknown
            }
            if let run = runs.values.first(where: { $0.pid == leader }) { return .widget(run.request.widget) }
            if let widget = streams.widget(of: leader) { return .widget(widget) }
            let resident = residents.first { $0.value.contains { $0.pid == leader } }
            return resident.map { .widget($0.key) } ?? .unknown
        }
    }

    package func start(_ request: RunRequest) {
        if request.manifest.update.contentProtocol == .varlink { return call(request) }
        if request.manifest.update.isStream { return streams.run(request) }
        let run = OneShotRun(request, settings: settings, leftovers: leftovers) { [weak self] in self?.take($0) }
        runs[request.run] = run
        run.start(environment: environment)
    }

    package func commandLaunch(
        of manifest: Manifest, settings values: [String: String]
    ) throws(DirectoryFailure) -> CommandLaunch {
        try settings.makeDirectories(for: manifest)
        var request = RunRequest(run: 0, manifest: manifest, reason: .action, mode: .compact)
        request.settings = values
        return CommandLaunch(
            directory: settings.workingDirectory(of: manifest), environment: RunEnvironment.ofWidget(request, settings))
    }

    package func tell(_ widget: WidgetID, _ change: VisibilityChange, in scene: Scene) {
        if change == .appear { watched.insert(widget) } else { watched.remove(widget) }
        for resident in residents[widget] ?? [] { resident.tell(change, in: scene) }
    }

    package func dismiss(_ widget: WidgetID) {
        for resident in residents[widget] ?? [] { resident.dismiss() }
        streams.dismiss(widget, because: "its editor was closed")
    }

    package func endStream(_ widget: WidgetID, because reason: String) { streams.dismiss(widget, because: reason) }

    package func cancel(_ widget: WidgetID, because reason: String) {
        for run in runs.values where run.request.widget == widget { run.cancel(because: reason) }
        for resident in residents[widget] ?? [] { resident.cancel(because: reason) }
        streams.cancel(widget, because: reason)
    }

    package func stopAll(because reason: String, onStopped: @escaping @LoopActor () -> Void) {
        guard !isEmpty else { return onStopped() }
        self.onStopped = onStopped
        for run in runs.values { run.cancel(because: reason) }
        for resident in residents.values.joined() { resident.cancel(because: reason) }
        streams.cancelAll(because: reason)
    }

    private var isEmpty: Bool { runs.isEmpty && residents.isEmpty && streams.isEmpty }

    private func take(_ report: RunnerReport) {
        if case .finished(let outcome) = report { runs[outcome.run] = nil }
        onReport(report)
        stopIfEmpty()
    }

    private func stopIfEmpty() {
        if isEmpty { onStopped?() }
    }
}

// MARK: - Resident programs

extension ProcessRunner {
    /// Calls the widget's resident program if it can take the run. Otherwise dismisses it and starts another one.
    private func call(_ request: RunRequest) {
        if let resident = residents[request.widget]?.first(where: { $0.canRun(request) }) {
            return resident.run(request)
        }
        for old in residents[request.widget] ?? [] { old.dismiss() }
        let resident = Resident(
            request, settings: settings, leftovers: leftovers, onReport: { [weak self] in self?.onReport($0) },
            onEnd: { [weak self] in self?.remove($0) })
        do {
            let context = try resident.start(request, environment: environment)
            residents[request.widget, default: []].append(resident)
            if watched.contains(request.widget) { resident.startWatched() }
            resident.onContextEnd = onContext(request.widget, context)
            resident.run(request)
        } catch {
            let outcome = StartedRun(request).outcome(.failed("\(error)"))
            EventLoop.shared.post { [self] in onReport(.finished(outcome)) }
        }
    }

    private func remove(_ resident: Resident) {
        let widget = resident.manifest.id
        residents[widget]?.removeAll { $0 === resident }
        if residents[widget]?.isEmpty == true { residents[widget] = nil }
        stopIfEmpty()
    }
}

/// The programs of widgets with Stream=yes, one for each widget. A new run replaces the program of the run before: it starts
/// when no process of the previous one is left.
@LoopActor
final class StreamPrograms {
    private let settings: RunSettings
    private let leftovers: Leftovers
    private let environment: [String: String]
    private var programs: [WidgetID: StreamProgram] = [:]
    /// Runs that wait for the previous program to end.
    private var waiting: [WidgetID: StartedRun] = [:]

    var onReport: @LoopActor (RunnerReport) -> Void = { _ in }
    /// Called when a program has ended and no other follows it.
    var onEnd: @LoopActor () -> Void = {}

    init(_ settings: RunSettings, leftovers: Leftovers, environment: [String: String]) {
        self.settings = settings
        self.leftovers = leftovers
        self.environment = environment
    }

    var isEmpty: Bool { programs.isEmpty }

    func widget(of leader: pid_t) -> WidgetID? { programs.first { $0.value.pid == leader }?.key }

    func run(_ request: RunRequest) {
        guard let old = programs[request.widget] else { return start(request) }
        waiting[request.widget] = StartedRun(request)
        old.dismiss(because: "replaced by a new run (\(request.reason.rawValue))")
    }

    /// Ends the program of a widget, which has not failed.
    func dismiss(_ widget: WidgetID, because reason: String) {
        if let run = waiting.removeValue(forKey: widget) {
            var outcome = run.outcome(.noData)
            outcome.isSilent = true
            EventLoop.shared.post { [self] in onReport(.finished(outcome)) }
        }
        programs[widget]?.dismiss(because: reason)
    }

    /// Ends the program of a widget. A run in progress fails with the reason.
    func cancel(_ widget: WidgetID, because reason: String) {
        if let run = waiting.removeValue(forKey: widget) {
            let outcome = run.outcome(.failed(reason))
            EventLoop.shared.post { [self] in onReport(.finished(outcome)) }
        }
        programs[widget]?.cancel(because: reason)
    }

    func cancelAll(because reason: String) {
        for widget in Array(programs.keys) { cancel(widget, because: reason) }
    }

    private func start(_ request: RunRequest) {
        let program = StreamProgram(
            request, settings: settings, leftovers: leftovers, onReport: { [weak self] in self?.onReport($0) },
            onEnd: { [weak self] in self?.ended($0, $1) })
        programs[request.widget] = program
        program.start(environment: environment)
    }

    private func ended(_ program: StreamProgram, _ end: StreamEnd?) {
        let widget = program.request.widget
        if programs[widget] === program { programs[widget] = nil }
        if let end { onReport(.streamEnd(end)) }
        if let next = waiting.removeValue(forKey: widget) { start(next.request) }
        onEnd()
    }
}
