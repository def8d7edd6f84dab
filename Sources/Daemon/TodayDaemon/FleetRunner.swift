// SPDX-License-Identifier: MIT
import Files
import Glibc
import Reactor
import Runner
import TodayModel

/// Runs widgets; those of a fleet when today-fleet says so. To the stages such a widget is a stream: its run begins when the
/// widget is due or requested, and what the fleet accepts are its updates.
@LoopActor
final class FleetRunner: WidgetRunner {
    /// The last result of a widget that the fleet has accepted.
    struct Accepted {
        var content: Content?
        /// Nil after a success.
        var failure: String?
        /// How old it was when it arrived.
        var age: TimeSpan
        var wait: TimeSpan?
        var came: BootTime
    }

    private struct Course {
        var run: UInt64
        var reason: RunReason
        /// An interaction, such as a button, which runs on this machine.
        var isInteraction = false
        var started = StartedTime()
        /// Whether the run has not ended yet.
        var isRunning = true
        /// Limits how long a client waits for the next result.
        var patience: TimerSource?
    }

    private struct StartedTime {
        let wall = WallTime.now
        let awake = AwakeTime.now
    }

    var onReport: @LoopActor (RunnerReport) -> Void = { _ in }
    /// An update of a widget is requested.
    var onWant: @LoopActor (WidgetID) -> Void = { _ in }
    /// Whether today-fleet is connected.
    private(set) var isPresent = false

    private let inner: any WidgetRunner
    private var courses: [WidgetID: Course] = [:]
    private var accepted: [WidgetID: Accepted] = [:]
    /// The runs for the fleet, whose outcomes only today-fleet gets.
    private var runsForFleet: [UInt64: @LoopActor (RunOutcome) -> Void] = [:]
    /// The numbers differ from those of the scheduler.
    private var lastRun: UInt64 = 1 << 63

    /// today-fleet starts a little later than todayd; until then a fleet's widget waits in silence. If there is none, no timer
    /// runs.
    private let endOfGrace: Int64
    private var grace: TimerSource?

    private static let absence = "today-fleet is not running here, which would ask the fleet"
    /// In addition to the program's time-out: for a claim, and for a member that has died.
    private static let patience = TimeSpan.seconds(20)

    init(_ inner: any WidgetRunner, grace: TimeSpan = .seconds(10)) {
        self.inner = inner
        endOfGrace = EventLoop.now(.monotonic) + grace.microseconds
        inner.onReport = { [weak self] in self?.take($0) }
    }

    var onContext: @LoopActor (WidgetID, OwnedDescriptor) -> ContextEnd {
        get { inner.onContext }
        set { inner.onContext = newValue }
    }

    // MARK: The seam of the runner

    func start(_ request: RunRequest) {
        guard request.manifest.update.fleet != nil else { return inner.start(request) }
        let isInteraction = request.interaction != nil
        courses[request.widget] = Course(run: request.run, reason: request.reason, isInteraction: isInteraction)
        if isInteraction { return inner.start(request.alone) }
        EventLoop.shared.post { [weak self] in self?.begin(request) }
    }

    private func begin(_ request: RunRequest) {
        let id = request.widget
        guard courses[id]?.run == request.run else { return }
        guard isPresent else {
            if request.reason == .request || EventLoop.now(.monotonic) >= endOfGrace {
                return finish(id, .failed(Self.absence))
            }
            waitForFleet()
            return finish(id, .noData, isSilent: true)
        }
        if [.request, .behind, .appear].contains(request.reason) { onWant(id) }
        guard request.reason == .request else {
            if let known = accepted[id] { return tell(id, known) }
            return finish(id, .noData, isSilent: true)
        }
        courses[id]?.patience = try? TimerSource(.monotonic) { [weak self] in
            self?.finish(id, .failed("the fleet has accepted no result yet"))
        }
        courses[id]?.patience?.arm(after: (request.manifest.update.timeout + Self.patience).microseconds)
    }

    private func waitForFleet() {
        guard grace == nil else { return }
        grace = try? TimerSource(.monotonic) { [weak self] in
            if self?.isPresent == false { self?.setPresence(false) }
        }
        grace?.arm(at: endOfGrace)
    }

    func origin(of process: pid_t, seen: Int64) -> ProcessOrigin { inner.origin(of: process, seen: seen) }

    func commandLaunch(
        of manifest: Manifest, settings: [String: String]
    ) throws(DirectoryFailure) -> CommandLaunch {
        try inner.commandLaunch(of: manifest, settings: settings)
    }

    func tell(_ widget: WidgetID, _ change: VisibilityChange, in scene: Scene) { inner.tell(widget, change, in: scene) }

    func dismiss(_ widget: WidgetID) { inner.dismiss(widget) }

    func endStream(_ widget: WidgetID, because reason: String) {
        guard let course = courses[widget] else { return inner.endStream(widget, because: reason) }
        if course.isInteraction, course.isRunning { return }
        courses[widget] = nil
        var outcome = outcome(of: widget, course, .noData)
        (outcome.stays, outcome.isSilent) = (false, true)
        onReport(course.isRunning ? .finished(outcome) : .streamEnd(StreamEnd(outcome, cause: reason)))
    }

    func cancel(_ widget: WidgetID, because reason: String) {
        inner.cancel(widget, because: reason)
        endRun(of: widget, because: reason)
        courses[widget] = nil
        accepted[widget] = nil
    }

    func stopAll(because reason: String, onStopped: @escaping @LoopActor () -> Void) {
        for id in Array(courses.keys) { endRun(of: id, because: reason) }
        inner.stopAll(because: reason, onStopped: onStopped)
    }

    /// Ends a run that waits for the fleet. The other runner ends the runs on this machine.
    private func endRun(of id: WidgetID, because reason: String) {
        if let course = courses[id], course.isRunning, !course.isInteraction { finish(id, .failed(reason)) }
    }

    // MARK: today-fleet

    /// today-fleet comes or goes.
    func setPresence(_ isPresent: Bool) {
        self.isPresent = isPresent
        guard !isPresent else { return }
        for (id, course) in courses {
            if course.isRunning {
                if course.patience != nil { finish(id, .failed(Self.absence)) }
            } else {
                onReport(.update(outcome(of: id, course, .failed(Self.absence))))
            }
        }
    }

    /// Runs the widget on this machine. Only the caller gets the outcome, because the fleet may not accept it.
    func runForFleet(
        _ manifest: Manifest, _ fill: (inout RunRequest) -> Void, then: @escaping @LoopActor (RunOutcome) -> Void
    ) {
        lastRun += 1
        var request = RunRequest(run: lastRun, manifest: manifest, reason: .schedule, mode: .compact)
        fill(&request)
        runsForFleet[lastRun] = then
        inner.start(request.alone)
    }

    /// The fleet has accepted a result.
    func accept(_ result: Accepted, of id: WidgetID) {
        accepted[id] = result
        guard let course = courses[id] else { return }
        if !course.isRunning || course.patience != nil { tell(id, result) }
    }

    /// The content comes first, so that a failure is that of the widget that shows it.
    private func tell(_ id: WidgetID, _ result: Accepted) {
        if let content = result.content { report(id, .newData(content), result) }
        if let failure = result.failure { report(id, .failed(failure), result) }
        if result.content == nil, result.failure == nil { report(id, .noData, result) }
    }

    private func report(_ id: WidgetID, _ result: RunOutcome.Result, _ known: Accepted) {
        guard let course = courses[id] else { return }
        var outcome = outcome(of: id, course, result)
        outcome.nextAsk = known.wait.map(NextAsk.wait)
        outcome.age = known.age + (.now - known.came)
        if course.isRunning { finish(id, outcome) } else { onReport(.update(outcome)) }
    }

    private func finish(_ id: WidgetID, _ result: RunOutcome.Result, isSilent: Bool = false) {
        guard let course = courses[id] else { return }
        var outcome = outcome(of: id, course, result)
        outcome.isSilent = isSilent
        finish(id, outcome)
    }

    private func finish(_ id: WidgetID, _ outcome: RunOutcome) {
        courses[id]?.patience?.cancel()
        courses[id]?.patience = nil
        courses[id]?.isRunning = false
        onReport(.finished(outcome))
    }

    private func outcome(of id: WidgetID, _ course: Course, _ result: RunOutcome.Result) -> RunOutcome {
        var outcome = RunOutcome(
            widget: id, run: course.run, reason: course.reason, started: course.started.wall,
            duration: course.isRunning ? .now - course.started.awake : .zero, result: result)
        outcome.stays = true
        return outcome
    }

    private func take(_ report: RunnerReport) {
        guard case .finished(var outcome) = report else { return onReport(report) }
        if let then = runsForFleet.removeValue(forKey: outcome.run) { return then(outcome) }
        guard let course = courses[outcome.widget], course.run == outcome.run else { return onReport(report) }
        // After an interaction, the widget still belongs to the fleet.
        outcome.stays = true
        let isNews = accepted[outcome.widget].map { $0.came > .now - outcome.duration } ?? false
        finish(outcome.widget, outcome)
        if isNews, let known = accepted[outcome.widget] { return tell(outcome.widget, known) }
        if isPresent, !outcome.isFailure, case .action? = outcome.interaction { onWant(outcome.widget) }
    }
}

extension RunRequest {
    /// The request as for a widget of this machine alone.
    fileprivate var alone: RunRequest {
        var manifest = manifest
        manifest.update.fleet = nil
        var request = RunRequest(run: run, manifest: manifest, reason: reason, mode: mode)
        (request.interaction, request.previous, request.isEditing) = (interaction, previous, isEditing)
        (request.sizes, request.settings, request.fits) = (sizes, settings, fits)
        return request
    }
}
