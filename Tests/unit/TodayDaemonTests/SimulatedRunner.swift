// SPDX-License-Identifier: MIT
import Reactor
import Runner
import TodayModel

/// A runner whose programs the test controls: it keeps the requests until the test ends them.
@LoopActor
final class SimulatedRunner: WidgetRunner {
    var onReport: @LoopActor (RunnerReport) -> Void = { _ in }
    var onContext: @LoopActor (WidgetID, OwnedDescriptor) -> ContextEnd = { _, _ in {} }
    var onStart: @LoopActor (RunRequest) -> Void = { _ in }

    private(set) var running: [UInt64: (request: RunRequest, started: WallTime)] = [:]
    private(set) var dismissed: [WidgetID] = []
    /// The looks that the runner was told of.
    private(set) var told: [(look: VisibilityChange, scene: Scene)] = []
    let clock: @LoopActor @Sendable () -> Moment

    init(clock: @escaping @LoopActor @Sendable () -> Moment) { self.clock = clock }

    /// The origin of a process, by its number and the time.
    var origins: @LoopActor (Int32, Int64) -> ProcessOrigin = { _, _ in .outside }

    func origin(of process: Int32, seen: Int64) -> ProcessOrigin { origins(process, seen) }

    func start(_ request: RunRequest) {
        running[request.run] = (request, clock().wall)
        onStart(request)
    }

    func commandLaunch(of manifest: Manifest, settings: [String: String]) -> CommandLaunch {
        CommandLaunch(directory: "/of/\(manifest.id)", environment: settings)
    }

    func tell(_ widget: WidgetID, _ look: VisibilityChange, in scene: Scene) { told.append((look, scene)) }

    func dismiss(_ widget: WidgetID) { dismissed.append(widget) }

    /// The programs of streams that the runner was told to end.
    private(set) var endedStreams: [(widget: WidgetID, reason: String)] = []

    func endStream(_ widget: WidgetID, because reason: String) { endedStreams.append((widget, reason)) }

    func cancel(_ widget: WidgetID, because reason: String) {
        for (run, one) in running where one.request.widget == widget { finish(run, .failed(reason)) }
    }

    func stopAll(because reason: String, onStopped: @escaping @LoopActor () -> Void) {
        for run in running.keys { finish(run, .failed(reason)) }
        onStopped()
    }

    /// Ends a run with a result.
    func finish(
        _ run: UInt64, _ result: RunOutcome.Result, nextAsk: NextAsk? = nil, stays: Bool = false, isSilent: Bool = false
    ) {
        guard let (request, started) = running.removeValue(forKey: run) else { return }
        var outcome = RunOutcome(
            widget: request.widget, run: run, reason: request.reason, started: started,
            duration: clock().wall - started, result: result, nextAsk: nextAsk)
        outcome.interaction = request.interaction
        outcome.isEditing = request.isEditing
        (outcome.stays, outcome.isSilent) = (stays, isSilent)
        onReport(.finished(outcome))
    }
}
