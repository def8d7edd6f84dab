// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TodayModel

/// The programs of widgets with Stream=yes, one for each widget. A new run replaces the program of the run before: it starts
/// when no process of that one is left.
@LoopActor
final class StreamPrograms {
    private let settings: RunSettings
    private let leftovers: Leftovers
    private let environment: [String: String]
    private var programs: [WidgetID: StreamProgram] = [:]
    /// Runs that wait for the end of the program before.
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
