// SPDX-License-Identifier: MIT
import Glibc
import QueryService
import Reactor
import Registry
import Runner
import Scheduler
import SnapshotStore
import Systemd
import TodayModel
import Varlink

/// The whole daemon: creates the stages and connects them. The stages do not know each other; only the wiring below
/// connects them.
///
/// `init` builds, `run` serves, `stop` ends in reverse. The extensions have the rest: Runs (a widget is due), Changes
/// (something has changed), Behind (which widget has to run for it), Editing, Notes, Places, Logging.
@LoopActor
package final class Daemon {
    let log: Log
    let settings: DaemonSettings
    let registry: Registry
    let scheduler: Scheduler
    let runner: any WidgetRunner
    let store: SnapshotStore
    let catalog: Catalog
    let access: AccessControl
    /// The clients that wait for runs.
    let waiters = UpdateWaiters()
    let openRequests = OpenRequests()
    let contexts = WidgetContexts()
    let answers: Answers
    let service: QueryService

    /// The complaints that have been logged.
    var knownComplaints: Set<Complaint> = []
    var storageNews = StorageNews()
    private(set) var storageTimer: TimerSource?
    var runs = RunsInProgress()
    /// Widgets whose last update drew an editor: they run again after editing.
    var overlooked: Set<WidgetID> = []
    /// The widgets that had drafts at the last check.
    var edited: Set<WidgetID> = []
    /// Ends drafts that no host touches.
    private(set) var draftTimer: TimerSource?
    private var clockChanges: ClockChangeSource?
    var sizes: DisplaySizes
    /// The listening sockets from the service manager.
    private let passedSockets: [PassedSocket]
    private var signals: [SignalSource] = []
    var notes = Notes()
    /// Retries notes that could not be carried out.
    private(set) var noteTimer: TimerSource?
    /// Widgets whose stored answer may not be their latest, because the last daemon was killed.
    var unsure: Set<WidgetID> = []
    var places = Places()
    private(set) var phase = Phase.starting
    var isStopping: Bool { phase == .stopping }

    enum Phase { case starting, serving, stopping }

    /// - Parameters:
    ///   - runner: replaces the runner of processes in tests.
    ///   - look: reads the clocks; tests pass their own.
    init(
        _ settings: DaemonSettings, log: Log, runner: (any WidgetRunner)? = nil,
        look: @escaping @LoopActor () -> Moment = { .now }
    ) throws {
        passedSockets = try PassedSockets.take()
        var settings = settings
        if let path = passedSockets.lazy.compactMap(\.path).first { settings.paths.socket = path }
        self.log = log
        self.settings = settings
        let paths = settings.paths
        try settings.prepareDirectories()

        store = try SnapshotStore(path: "\(paths.stateDirectory)/todayd.sqlite")
        registry = try Registry(
            searchPath: settings.searchPath, locale: settings.locale, specifiers: settings.specifiers,
            programDirectories: ProgramPath.directories(in: settings.environment))
        registry.reload()
        sizes = registry.settings.sizes
        scheduler = try Scheduler(concurrency: settings.concurrency(registry.settings), clock: look)
        self.runner = runner ?? ProcessRunner(settings.runSettings)
        catalog = Catalog(registry: registry, store: store, scheduler: scheduler, look: look)
        access = AccessControl(
            settings.permissions(administrators: registry.settings.administratorsGroup), catalog: catalog,
            runner: self.runner)
        answers = Answers(
            catalog: catalog, registry: registry, scheduler: scheduler, runner: self.runner, store: store,
            access: access, waiters: waiters, openRequests: openRequests, contexts: contexts,
            identity: settings.identity)
        service = try QueryService(
            backend: answers,
            info: ServiceInfo(
                vendor: Version.vendor, product: Version.product, version: Version.text, url: Version.url,
                interfaces: [InterfaceText(Interfaces.today)]),
            limits: QueryLimits(descriptors: Self.descriptorLimit), onReport: { log.warning("\($0)") })
        storageTimer = try TimerSource(.monotonic) { [unowned self] in storageNewsAreDue() }
        draftTimer = try TimerSource(.boottime) { [unowned self] in endOldDrafts() }
        noteTimer = try TimerSource(.monotonic) { [unowned self] in makePendingCalls() }
        clockChanges = try ClockChangeSource { [unowned self] in clockChanged() }
        wire()
    }

    // MARK: The picture
    //
    //     manifest → Registry → Scheduler → Runner → outcome → SnapshotStore → QueryService → hosts

    private func wire() {
        registry.onChange = { [unowned self] in widgetsChanged($0) }
        registry.onSettings = { [unowned self] _ in settingsChanged() }
        registry.onComplaints = { [unowned self] in reportComplaints() }
        scheduler.onDue = { [unowned self] in launch($0) }
        scheduler.onDropped = { [unowned self] in drop($0, because: $1) }
        runner.onFinished = { [unowned self] in finish($0) }
        runner.onIdleFailure = { [unowned self] in recordMishap($0) }
        runner.onPlaceholder = { [unowned self] in place($1, before: $0) }
        runner.onContext = { [unowned self] in serve($1, contextOf: $0) }
        answers.onRefused = { [unowned self] in editingRefused($1, of: $0, before: $2) }
        answers.beforeChange = { [unowned self] in makeRoom(for: $0) }
        answers.onLargestMode = { [unowned self] in
            stored([$0])
            settle($0, gently: true)
        }
        store.onChange = { [unowned self] in stored($0) }
        store.onPush = { [unowned self] in pushed($1, to: $0) }
        store.onDefaultsChange = { [unowned self] in defaultsChanged($0) }
        store.onConditionChange = { [unowned self] in storageChanged($0) }
    }

    // MARK: Life

    /// Continues from the stored state, serves clients, and notifies the service manager; a signal stops it.
    func run() throws {
        try takeSignals()
        begin()
        try listen()
        watchPlaces()
        // Apps can connect from now on, so no further pending calls appear.
        phase = .serving
        makePendingCalls()
        _ = try EventLoop.enableWatchdog()
        let sentence = "\(registry.widgets.count) widgets, listening on \(answers.identity.socket)"
        ServiceNotification.ready(status: sentence)
        log.info(sentence)
    }

    /// Continues from the stored state.
    func begin() {
        reportOpening()
        for id in registry.widgets.keys {
            adoptPushed(id)
            schedule(id, isStart: true)
        }
        if store.wasCut { followACrash() }
        for id in registry.widgets.keys {
            // An answer from a version without memories has unknown premises.
            settle(id, after: catalog.own(of: id) == nil ? nil : .defaults)
        }
        forgetDeparted()
    }

    /// Prepares for what a killed daemon left: answers that it did not write, and processes that still run.
    private func followACrash() {
        unsure = Set(registry.widgets.keys.filter { catalog.own(of: $0) != nil })
        // Without the database's lock, another todayd may be running, and these processes may be its own.
        let count = store.condition.isDurable ? runner.endLeftovers() : 0
        if count > 0 { log.info("ended \(count) processes which the todayd before this one has started") }
    }

    private func takeSignals() throws {
        signals = [
            try SignalSource(SIGTERM) { [unowned self] in stop("SIGTERM") },
            try SignalSource(SIGINT) { [unowned self] in stop("SIGINT") },
            try SignalSource(SIGHUP) { [unowned self] in reload() },
        ]
    }

    private func listen() throws {
        for socket in passedSockets { try service.listen(adopting: socket.descriptor) }
        if passedSockets.isEmpty { try service.listen(at: settings.paths.socket, mode: settings.socketMode) }
    }

    func reload() {
        guard !isStopping else { return }
        ServiceNotification.reloading()
        restorePlaces()
        registry.reload()
        ServiceNotification.ready(status: "\(registry.widgets.count) widgets")
        log.info("read all manifests again: \(registry.widgets.count) widgets")
    }

    /// Stops in the order of the data flow: no new runs; then the running ones end, and clients that wait get their
    /// answers; then the service ends, after changes in progress; then the database.
    func stop(_ cause: String) {
        guard !isStopping else { return }
        phase = .stopping
        ServiceNotification.stopping()
        log.info("\(cause): stopping")
        scheduler.stop(because: "todayd is stopping")
        runner.stopAll(because: "todayd is stopping") { [self] in
            service.stop { [self] in
                if !store.close() { log.error("not everything could be written: \(store.condition.sentence)") }
                EventLoop.exit(0)
            }
        }
    }
}
