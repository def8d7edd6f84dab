// SPDX-License-Identifier: MIT
import Glibc
import QueryService
import Reactor
import Registry
import Runner
import Scheduler
import SnapshotStore
import Spawn
import Spelling
import Systemd
import TodayModel
import Varlink

/// The whole daemon: creates the stages and connects them. The stages do not know each other; only the wiring below
/// connects them.
///
/// `init` builds, `start` begins to serve and returns, `stop` ends in the order of the data flow. The extensions contain the
/// rest: StoredState (what the previous daemon has left), Runs (a widget is due), Streams (a program that stays), Changes
/// (something has changed), Behind (which widgets have to run because of it), Requests (of clients), Logging.
@LoopActor
package final class Daemon {
    let log: Log
    let instance: DaemonInstance
    let registry: Registry
    let scheduler: Scheduler
    let runner: any WidgetRunner
    let fleetRunner: FleetRunner
    let fleetFeed = FleetFeed()
    let store: SnapshotStore
    let catalog: Catalog
    let editing: Editing
    let service: QueryService
    let fileRestorer: FileRestorer
    let storageLog: StorageLog
    let session: SessionEnvironment

    /// The complaints that have been logged.
    var knownComplaints: Set<Complaint> = []
    private var clockChanges: ClockChangeSource?
    var sizes: DisplaySizes
    /// Called when a run has ended and its outcome is recorded.
    var onFinish: (RunOutcome) -> Void = { _ in }
    /// The widgets for which the consequences of a change have not been derived yet.
    var differing: Set<WidgetID> = []
    var isDeriving = false
    /// The listening sockets from the service manager.
    private let passedSockets: [PassedSocket]
    private var signals: [SignalSource] = []
    private(set) var isStopping = false

    /// - Parameters:
    ///   - registry: replaces that of the instance's directories.
    ///   - runner: replaces the runner of processes in tests.
    ///   - clock: reads the clocks; tests pass their own.
    init(
        _ instance: DaemonInstance, log: Log, registry: Registry? = nil, runner: (any WidgetRunner)? = nil,
        clock: @escaping @LoopActor () -> Moment = { .now }
    ) throws {
        passedSockets = try PassedSockets.take()
        var instance = instance
        if let path = passedSockets.lazy.compactMap(\.path).first { instance.paths.socket = path }
        self.log = log
        self.instance = instance
        let paths = instance.paths
        try instance.prepareState()

        store = try SnapshotStore(path: "\(paths.stateDirectory)/todayd.sqlite")
        self.registry = try registry ?? instance.makeRegistry()
        let registry = self.registry
        registry.setAdded(store.added)
        sizes = registry.settings.sizes
        scheduler = try Scheduler(concurrency: instance.concurrency(registry.settings), clock: clock)
        fleetRunner = FleetRunner(runner ?? ProcessRunner(instance.runSettings))
        self.runner = fleetRunner
        catalog = Catalog(
            instance, registry: registry, store: store, scheduler: scheduler, runner: self.runner, clock: clock)
        editing = try Editing(
            catalog: catalog, store: store, scheduler: scheduler, runner: self.runner, log: log)
        service = try QueryService(
            backend: catalog,
            info: ServiceInfo(
                vendor: Version.vendor, product: Version.product, version: Version.text, url: Version.url,
                interfaces: [InterfaceText(Interfaces.today)]),
            limits: QueryLimits(descriptors: Self.descriptorLimit), onTrouble: { log.warning("\($0)") })
        fileRestorer = try FileRestorer(instance: instance, service: service, store: store, log: log)
        storageLog = try StorageLog(log)
        session = SessionEnvironment(instance.environment, isUsers: paths.kind == .user)
        clockChanges = try ClockChangeSource { [unowned self] in clockChanged() }
        wire()
    }

    // MARK: The picture
    //
    //     manifest → Registry → Scheduler → Runner → outcome → SnapshotStore → QueryService → hosts

    private func wire() {
        registry.onReport = { [unowned self] in take($0) }
        scheduler.onAction = { [unowned self] in take($0) }
        runner.onReport = { [unowned self] in take($0) }
        runner.onContext = { [unowned self] in serve($1, contextOf: $0) }
        store.onReport = { [unowned self] in take($0) }
        catalog.onLook = { [unowned self] in restartIfEdited($0) }
        session.onChange = { [unowned self] in sessionChanged() }
        service.serve(hostMethods + offerMethods + fleetMethods, inContexts: contextMethods)
        wireFleet()
    }

    private func take(_ report: Registry.Report) {
        switch report {
        case .widgets(let changes): widgetsChanged(changes)
        case .settings: configurationChanged()
        case .complaints: reportComplaints()
        }
    }

    private func take(_ action: Timetable.Action) {
        switch action {
        case .start(let ticket): launch(ticket)
        case .drop(let ticket, let reason): drop(ticket, because: reason)
        }
    }

    private func take(_ report: RunnerReport) {
        switch report {
        case .ended(let widget, let run): scheduler.ended(widget, run: run)
        case .finished(let outcome): finish(outcome)
        case .idleFailure(let outcome): recordIdleFailure(outcome)
        case .update(let outcome): recordUpdate(outcome)
        case .streamEnd(let end): recordStreamEnd(end)
        case .placeholder(let content, let widget): setPlaceholder(content, of: widget)
        }
    }

    private func take(_ report: SnapshotStore.Report) {
        switch report {
        case .widgets(let widgets): widgetsMayDiffer(widgets)
        case .defaults(let groups): defaultsChanged(groups)
        case .settings(let names): settingsChanged(names)
        case .push(let layer, let widget): pushChanged(layer, of: widget)
        case .condition(let condition): storageChanged(condition)
        }
    }

    // MARK: Life

    /// Continues from the stored state, begins to serve clients, and notifies the service manager; a signal stops it.
    func start() throws {
        try takeSignals()
        adoptStoredState()
        try listen()
        fileRestorer.start()
        _ = try EventLoop.enableWatchdog()
        let sentence = "\(widgetCount), listening on \(catalog.identity.socket)"
        ServiceNotification.ready(status: sentence)
        log.info(sentence)
    }

    private var widgetCount: String { registry.widgets.count.counted("widget") }

    private func takeSignals() throws {
        signals = [
            try SignalSource(SIGTERM) { [unowned self] in terminate("SIGTERM") },
            try SignalSource(SIGINT) { [unowned self] in terminate("SIGINT") },
            try SignalSource(SIGHUP) { [unowned self] in reload() },
            try SignalSource(SIGCHLD) { Self.reapOrphans() },
        ]
    }

    private static func reapOrphans() {
        if Orphans.reapEnded() { EventLoop.shared.post { reapOrphans() } }
    }

    func listen() throws {
        try instance.prepareDirectories()
        for socket in passedSockets { try service.listen(adopting: socket.descriptor) }
        if passedSockets.isEmpty { try service.listen(at: instance.paths.socket, mode: instance.socketMode) }
    }

    func reload() {
        guard !isStopping else { return }
        ServiceNotification.reloading()
        fileRestorer.restore()
        registry.reload()
        ServiceNotification.ready(status: widgetCount)
        log.info("read all manifests again: \(widgetCount)")
    }

    private func terminate(_ signal: String) {
        guard !isStopping else { return }
        ServiceNotification.stopping()
        stop(signal)
    }

    /// Stops in the order of the data flow: no new runs; then the running ones end, and clients that wait get their
    /// answers; then the service ends, after changes in progress; then the database.
    func stop(_ cause: String, status: Int32 = 0) {
        guard !isStopping else { return }
        isStopping = true
        fileRestorer.stop()
        log.info("\(cause): stopping")
        scheduler.stop(because: "todayd is stopping")
        catalog.polkit?.stop()
        runner.stopAll(because: "todayd is stopping") { [self] in
            service.stop { [self] in
                if !store.close() { log.error("not everything could be written: \(store.condition.sentence)") }
                EventLoop.exit(status)
            }
        }
    }
}
