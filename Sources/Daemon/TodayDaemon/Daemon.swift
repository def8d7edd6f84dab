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

/// The whole daemon: makes the stages and joins them. They know nothing of each other; the wiring below is all there is.
///
/// `init` builds, `run` serves, `stop` ends in reverse. What happens in between is in extensions: Runs (a widget is due),
/// Changes (something is different), Behind (who has to run for it), Editing, Notes, Places, Logging.
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
    /// Who waits for which run.
    let waiters = UpdateWaiters()
    let openRequests = OpenRequests()
    let contexts = WidgetContexts()
    let answers: Answers
    let service: QueryService

    /// What was complained about already.
    var knownComplaints: Set<Complaint> = []
    var storageNews = StorageNews()
    private(set) var storageTimer: TimerSource?
    var runs = RunsInProgress()
    /// Widgets whose updates gave an editor: when it is closed, they are asked again.
    var overlooked: Set<WidgetID> = []
    /// The widgets that have drafts, as it was seen last.
    var edited: Set<WidgetID> = []
    /// For drafts that no host touches any more.
    private(set) var draftTimer: TimerSource?
    private var clockChanges: ClockChangeSource?
    var sizes: DisplaySizes
    /// What the service manager listens on for us.
    private let passedSockets: [PassedSocket]
    private var signals: [SignalSource] = []
    var notes = Notes()
    /// For notes that could not be acted on.
    private(set) var noteTimer: TimerSource?
    /// Widgets whose last answer may not be what they have said last: the daemon before this one was not ended in order.
    var unsure: Set<WidgetID> = []
    var places = Places()
    private(set) var phase = Phase.starting
    var isStopping: Bool { phase == .stopping }

    enum Phase { case starting, serving, stopping }

    /// - Parameters:
    ///   - runner: another than processes, for tests.
    ///   - look: reads the clocks; tests have their own.
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
        scheduler = try Scheduler(concurrency: settings.concurrency(registry.settings), look: look)
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
        runner.onMishap = { [unowned self] in recordMishap($0) }
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

    /// Goes on where the last one has ended, serves clients, and tells the service manager; until a signal stops it.
    func run() throws {
        try takeSignals()
        begin()
        try listen()
        watchPlaces()
        // From now on apps find the socket; what they have left before is there.
        phase = .serving
        makePendingCalls()
        _ = try EventLoop.enableWatchdog()
        let sentence = "\(registry.widgets.count) widgets, listening on \(answers.identity.socket)"
        ServiceNotification.ready(status: sentence)
        log.info(sentence)
    }

    /// Goes on where the last one has ended.
    func begin() {
        reportOpening()
        for id in registry.widgets.keys {
            adoptPushed(id)
            schedule(id)
        }
        if store.wasCut { followACrash() }
        // Not before all are there: a widget that comes after the first look at the clocks is a new one.
        for id in registry.widgets.keys {
            // Of an answer from before there were memories it is not known what it was made from.
            settle(id, after: catalog.own(of: id) == nil ? nil : .defaults)
        }
        forgetDeparted()
    }

    /// The daemon before this one was killed: what it has not written is not known, and what it has started may go on.
    private func followACrash() {
        unsure = Set(registry.widgets.keys.filter { catalog.own(of: $0) != nil })
        // Without the lock of the database another todayd may be alive.
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

    /// Ends along the data's flow: no new runs, then no running ones, whose waiting clients hear of it; then the clients,
    /// whose changes are being kept; then the database.
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
