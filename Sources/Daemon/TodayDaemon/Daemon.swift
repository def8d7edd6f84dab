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
@LoopActor
package final class Daemon {
    let log: Log
    let settings: DaemonSettings
    let registry: Registry
    let scheduler: Scheduler
    let runner: any WidgetRunner
    let store: SnapshotStore
    let catalog: Catalog
    let answers: Answers
    let service: QueryService

    /// What was complained about already.
    var knownComplaints: Set<Complaint> = []
    var storageNews = StorageNews()
    private(set) var storageTimer: TimerSource?
    /// What the service manager listens on for us.
    private let passedSockets: [PassedSocket]
    private var signals: [SignalSource] = []
    private var isStopping = false

    init(_ settings: DaemonSettings, log: Log) throws {
        passedSockets = try PassedSockets.take()
        var settings = settings
        if let path = passedSockets.lazy.compactMap(\.path).first { settings.paths.socket = path }
        self.log = log
        self.settings = settings
        let paths = settings.paths
        try settings.prepareDirectories()

        store = try SnapshotStore(path: "\(paths.stateDirectory)/todayd.sqlite")
        registry = try Registry(searchPath: settings.searchPath, locale: settings.locale)
        registry.reload()
        scheduler = try Scheduler(concurrency: settings.concurrency(registry.settings))
        runner = ProcessRunner(settings.runSettings)
        catalog = Catalog(registry: registry, store: store, scheduler: scheduler)
        answers = Answers(
            catalog: catalog, registry: registry, scheduler: scheduler, runner: runner, store: store,
            permissions: settings.permissions(administrators: registry.settings.administratorsGroup),
            identity: settings.identity)
        service = try QueryService(
            backend: answers,
            info: ServiceInfo(
                vendor: Version.vendor, product: Version.product, version: Version.text, url: Version.url,
                interfaces: [InterfaceDescription(constant: Interfaces.today)]),
            limits: QueryLimits(descriptors: Self.descriptorLimit), onReport: { log.warning("\($0)") })
        storageTimer = try TimerSource(.monotonic) { [unowned self] in storageNewsAreDue() }
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
        scheduler.onStale = { [unowned self] in service.announce(changed: [$0]) }
        runner.onFinished = { [unowned self] in finish($0) }
        runner.onMishap = { [unowned self] in record($0) }
        runner.onContext = { [unowned self] in serve($1, contextOf: $0) }
        answers.onPush = { [unowned self] in event(.snapshot, $0, $1.text) }
        answers.onLargestMode = { [unowned self] in stored([$0]) }
        store.onChange = { [unowned self] in stored($0) }
        store.onDefaultsChange = { [unowned self] in defaultsChanged($0) }
        store.onConditionChange = { [unowned self] in storageChanged($0) }
    }

    /// Manifests have appeared, changed or gone.
    private func widgetsChanged(_ changes: [Registry.Change]) {
        for change in changes {
            schedule(change.id)
            report(change)
            if change.isRemoval { _ = catalog.takeOwnSnapshot(of: change.id) }
        }
        if changes.contains(where: \.isRemoval) { forgetDeparted() }
        if changes.contains(where: \.changesWhoIsThere) {
            // All that follow in the order have moved.
            catalog.forgetOrder()
            service.announceEverything()
        } else {
            service.announce(changed: Set(changes.map(\.id)))
        }
    }

    private func forgetDeparted() { store.forgetDeparted { registry.widgets[$0] != nil } }

    /// Brings the schedule in step with what is declared and decided about a widget.
    private func schedule(_ id: WidgetID) {
        guard let manifest = catalog.manifest(of: id), let standing = catalog.standing(of: id) else {
            scheduler.remove(id)
            let isThere = registry.widgets[id] != nil
            return runner.cancel(id, because: isThere ? "its manifest is not valid any more" : "its manifest has gone")
        }
        scheduler.add(id, manifest.update, lastGood: catalog.lastGood(of: id), obstacle: standing.obstacle)
    }

    /// A widget is due.
    private func launch(_ ticket: RunTicket) {
        guard let manifest = catalog.manifest(of: ticket.widget) else {
            // It went in this very turn; the schedule wants to hear the end of every run that it started.
            return finish(RunOutcome(ticket, failure: "its manifest has gone"))
        }
        var request = RunRequest(
            run: ticket.run, manifest: manifest, reason: ticket.reason, mode: catalog.mode(of: ticket.widget))
        request.errand = ticket.errand
        request.previous = catalog.snapshot(of: ticket.widget)?.content
        event(.started, ticket.widget, "\(ticket.reason.rawValue)")
        answers.waiters.started(run: ticket.run, widget: ticket.widget)
        if ticket.reason == .action { answers.openRequests.began(ticket.widget) }
        runner.start(request)
    }

    /// A widget that stays has been started: it may speak for itself until it ends.
    private func serve(_ descriptor: OwnedDescriptor, contextOf widget: WidgetID) -> ContextEnd {
        let end = service.serve(descriptor, contextOf: widget)
        return { [self] in
            end()
            if catalog.forgetLargestMode(of: widget) { stored([widget]) }
        }
    }

    /// A run that somebody may wait for will never be.
    private func drop(_ ticket: RunTicket, because reason: String) {
        answers.waiters.finished(
            run: ticket.run, UpdateAnswer(id: ticket.widget, answer: .refused, reason: reason))
    }

    /// A run has ended.
    private func finish(_ outcome: RunOutcome) {
        // What we end ourselves says nothing about the widget.
        if scheduler.finished(outcome), !isStopping { record(outcome) }
        var answer = UpdateAnswer(outcome)
        if outcome.reason == .action { answer.open = answers.openRequests.ended(outcome.widget) }
        answers.waiters.finished(run: outcome.run, answer)
    }

    private func record(_ outcome: RunOutcome) {
        report(outcome, wasFailing: store.lastUpdate(of: outcome.widget)?.result == .failed)
        if case .newData = outcome.result { _ = catalog.takeOwnSnapshot(of: outcome.widget) }
        store.record(outcome)
    }

    /// Choices, snapshots or logs are different, or what a widget says of itself.
    private func stored(_ widgets: Set<WidgetID>) {
        for id in widgets {
            guard let standing = catalog.standing(of: id) else { continue }
            scheduler.setObstacle(standing.obstacle, of: id)
        }
        let (chosen, haveMoved) = catalog.newChoices(about: widgets)
        for id in chosen { event(.choice, id, describe(store.choices(of: id))) }
        if haveMoved { service.announceEverything() } else { service.announce(changed: widgets) }
    }

    /// A containing app or a widget has changed its group's defaults: their widgets want to know.
    private func defaultsChanged(_ groups: Set<AppGroup>) {
        for group in groups {
            event(.defaults, nil, group.text)
            service.announce(defaultsOf: group)
            let writer = answers.writers.onlyWriter(of: group)
            for manifest in catalog.manifests(inGroup: group) {
                scheduler.defaultsChanged(manifest.id, by: writer)
            }
        }
    }

    private func settingsChanged() {
        scheduler.setConcurrency(settings.concurrency(registry.settings))
        answers.permissions = settings.permissions(administrators: registry.settings.administratorsGroup)
        // EnableNewWidgets= counts for every widget about which nothing has been decided.
        stored(Set(registry.widgets.keys))
    }

    // MARK: Life

    /// Serves clients, and tells the service manager.
    func start() throws {
        try takeSignals()
        reportOpening()
        for id in registry.widgets.keys { schedule(id) }
        forgetDeparted()
        try listen()
        _ = try EventLoop.enableWatchdog()
        let sentence = "\(registry.widgets.count) widgets, listening on \(answers.identity.socket)"
        ServiceNotification.ready(status: sentence)
        log.info(sentence)
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
        registry.reload()
        ServiceNotification.ready(status: "\(registry.widgets.count) widgets")
        log.info("read all manifests again: \(registry.widgets.count) widgets")
    }

    /// Ends along the data's flow: no new runs, then no running ones, whose waiting clients hear of it; then the clients,
    /// whose changes are being kept; then the database.
    func stop(_ cause: String) {
        guard !isStopping else { return }
        isStopping = true
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

extension Registry.Change {
    fileprivate var isRemoval: Bool { if case .removed = self { true } else { false } }

    fileprivate var changesWhoIsThere: Bool {
        if case .changed = self { false } else { true }
    }
}
