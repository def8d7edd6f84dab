// SPDX-License-Identifier: MIT
import Glibc
import JSON
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
    var runs = RunsInProgress()
    /// Widgets whose updates gave an editor: when it is closed, they are asked again.
    var overlooked: Set<WidgetID> = []
    /// The widgets that have drafts, as it was seen last.
    var edited: Set<WidgetID> = []
    /// For drafts that no host touches any more.
    private(set) var draftTimer: TimerSource?
    private var clockChanges: ClockChangeSource?
    private var sizes: DisplaySizes
    /// What the service manager listens on for us.
    private let passedSockets: [PassedSocket]
    private var signals: [SignalSource] = []
    var notes = Notes()
    /// For notes that could not be acted on.
    private(set) var noteTimer: TimerSource?
    /// Widgets whose last answer may not be what they have said last: the daemon before this one was not ended in order.
    var unsure: Set<WidgetID> = []
    var places = Places()
    private var isServing = false
    private(set) var isStopping = false

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
        answers = Answers(
            catalog: catalog, registry: registry, scheduler: scheduler, runner: self.runner, store: store,
            permissions: settings.permissions(administrators: registry.settings.administratorsGroup),
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

    /// Manifests have appeared, changed or gone.
    private func widgetsChanged(_ changes: [Registry.Change]) {
        for change in changes {
            schedule(change.id)
            report(change)
            settle(change.id)
        }
        if changes.contains(where: \.isRemoval) { forgetDeparted() }
        // A group may have got its first widget.
        if isServing { makePendingCalls() }
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
        guard let manifest = catalog.manifest(of: id) else {
            scheduler.remove(id)
            forgetDraft(of: id)
            let isThere = registry.widgets[id] != nil
            return runner.cancel(id, because: isThere ? "its manifest is not valid any more" : "its manifest has gone")
        }
        if !manifest.allowsEditing { forgetDraft(of: id) }
        scheduler.add(
            id, manifest.update, lastGood: catalog.lastGood(of: id), notBefore: catalog.notBefore(of: id),
            obstacle: catalog.obstacle(of: id))
    }

    /// A widget is due.
    private func launch(_ ticket: RunTicket) {
        guard let manifest = catalog.manifest(of: ticket.widget) else {
            // It went in this very turn; the schedule wants to hear the end of every run that it started.
            return finish(RunOutcome(ticket, failure: "its manifest has gone", at: catalog.look().wall))
        }
        if ticket.errand == .beginEditing, catalog.draft(of: ticket.widget) == nil {
            return finish(RunOutcome(ticket, failure: "editing was over before it began", at: catalog.look().wall))
        }
        var request = RunRequest(
            run: ticket.run, manifest: manifest, reason: ticket.reason, mode: catalog.mode(of: manifest))
        request.errand = ticket.errand
        request.previous = catalog.own(of: ticket.widget)?.content
        request.sizes = catalog.sizes
        request.fits = hasDrawnFor(request)
        request.isEditing = isEditing(ticket)
        runs.began(
            ticket.run, of: ticket.widget, isUpdate: ticket.errand == nil, from: catalog.premises(of: manifest))
        event(.started, ticket.widget, "\(ticket.reason.rawValue)")
        answers.waiters.started(run: ticket.run, widget: ticket.widget)
        if ticket.reason == .action { answers.openRequests.began(ticket.widget) }
        runner.start(request)
    }

    /// A widget that stays has been started: it may speak for itself until it ends.
    private func serve(_ descriptor: OwnedDescriptor, contextOf widget: WidgetID) -> ContextEnd {
        guard let served = service.serve(descriptor, contextOf: widget) else { return {} }
        answers.contexts.began(served.id, of: widget)
        return { [self] in
            served.end()
            // What it drew while it was edited ends with it, and so does what another one goes on with.
            let wasEdited = answers.contexts.isEdited(served.id, of: widget)
            let isNewest = answers.contexts.ended(served.id, of: widget)
            guard wasEdited, catalog.draft(of: widget)?.hasBegun == true else { return }
            if isNewest { store.sketch(widget) { $0.draft = nil } } else { forgetDraft(of: widget) }
        }
    }

    /// A run for which a client may wait does not take place.
    private func drop(_ ticket: RunTicket, because reason: String) {
        forgetDraft(of: ticket)
        answers.waiters.finished(
            run: ticket.run, UpdateAnswer(id: ticket.widget, answer: .refused, reason: reason))
    }

    /// A run has ended.
    private func finish(_ outcome: RunOutcome) {
        let premises = runs.ended(outcome.run)
        // What we end ourselves says nothing about the widget.
        if scheduler.finished(outcome), !isStopping {
            record(outcome, from: premises)
            noteEditing(outcome)
            settle(after: outcome, from: premises)
            noteSilence(of: outcome)
        }
        var answer = UpdateAnswer(outcome)
        if outcome.reason == .action { answer.open = answers.openRequests.ended(outcome.widget) }
        answers.waiters.finished(run: outcome.run, answer)
    }

    private func record(_ outcome: RunOutcome, from premises: Premises?) {
        report(outcome, wasFailing: store.lastUpdate(of: outcome.widget)?.result == .failed)
        if !outcome.isErrand, !outcome.isFailure { unsure.remove(outcome.widget) }
        store.record(outcome, seen: seen(by: outcome, from: premises), tried: premises)
    }

    /// A program has gone wrong between two calls of ours. It says nothing of what it was asked before.
    private func recordMishap(_ outcome: RunOutcome) {
        report(outcome, wasFailing: store.lastUpdate(of: outcome.widget)?.result == .failed)
        store.log(outcome)
    }

    /// A new process has chosen no largest display mode: what the one before it chose counts no longer.
    private func noteSilence(of outcome: RunOutcome) {
        if case .failed = outcome.result { return }
        let id = outcome.widget
        guard answers.contexts.ranWithoutChoice(id), store.memory(of: id).largestMode != nil else { return }
        store.remember(id) { $0.largestMode = nil }
        stored([id])
        settle(id, gently: true)
    }

    /// What a widget shows until its first answer.
    private func place(_ content: Content, before widget: WidgetID) {
        guard catalog.own(of: widget) == nil else { return }
        store.sketch(widget) { $0.placeholder = content }
    }

    /// Choices, layers or logs are different, or what a widget says of itself.
    private func stored(_ widgets: Set<WidgetID>) {
        let (chosen, haveMoved) = catalog.newChoices(about: widgets)
        for id in widgets {
            let obstacle = catalog.obstacle(of: id)
            let isFree = scheduler.setObstacle(obstacle, of: id)
            if obstacle != nil { forgetDraft(of: id) }
            if isFree || chosen.contains(id) { settle(id) }
        }
        for id in chosen { event(.choice, id, describe(store.choices(of: id))) }
        watchDrafts()
        if haveMoved { service.announceEverything() } else { service.announce(changed: widgets) }
    }

    /// A widget has got content from outside, or it was taken back.
    private func pushed(_ layer: Layers.Pushed?, to id: WidgetID) {
        if let layer {
            event(.snapshot, id, layer.content.text)
            if let span = layer.content.nextUpdate { scheduler.ask(id, in: span) }
        } else if catalog.own(of: id) == nil {
            // One that has never answered by itself has nothing to show now.
            _ = scheduler.request(id)
        }
    }

    /// A containing app or a widget has changed its group's defaults: their widgets want to know.
    private func defaultsChanged(_ groups: [AppGroup: [WidgetID?]]) {
        for (group, writers) in groups {
            event(.defaults, nil, group.text)
            service.announce(defaultsOf: group)
            runs.changed(group, to: store.revision(of: group), by: writers)
            for manifest in catalog.manifests(inGroup: group) { settle(manifest.id, after: .defaults) }
        }
    }

    private func settingsChanged() {
        scheduler.setConcurrency(settings.concurrency(registry.settings))
        answers.permissions = settings.permissions(administrators: registry.settings.administratorsGroup)
        // EnableNewWidgets= counts for every widget about which nothing has been decided.
        stored(Set(registry.widgets.keys))
        guard sizes != registry.settings.sizes else { return }
        sizes = registry.settings.sizes
        for id in registry.widgets.keys { settle(id) }
    }

    /// Dates have come nearer, or gone farther away.
    func clockChanged() {
        scheduler.clockChanged()
        service.announceEverything()
    }

    // MARK: Life

    /// Serves clients, and tells the service manager.
    func start() throws {
        try takeSignals()
        begin()
        try listen()
        watchPlaces()
        // From now on apps find the socket; what they have left before is there.
        isServing = true
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
