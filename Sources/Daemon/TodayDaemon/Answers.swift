// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import Registry
import Runner
import Scheduler
import SnapshotStore
import Spelling
import TodayModel
import Varlink

/// Answers the service's questions from what the stages know, and passes what clients want on to them.
@LoopActor
final class Answers: Backend {
    let catalog: Catalog
    let registry: Registry
    let scheduler: Scheduler
    let runner: any WidgetRunner
    let store: SnapshotStore
    var permissions: Permissions
    var waiters = UpdateWaiters()
    var openRequests = OpenRequests()
    /// Of connections that have asked for a change, by process and time.
    private var origins: [Connection: ProcessOrigin] = [:]

    private struct Connection: Hashable {
        let pid: Int32
        let seen: Int64
    }
    /// A widget that runs has said up to which size it can be shown.
    var onLargestMode: (WidgetID) -> Void = { _ in }
    /// A widget has got content by a push.
    var onPush: (WidgetID, Content) -> Void = { _, _ in }
    /// What does not change while the daemon lives.
    let identity: DaemonStatus

    init(
        catalog: Catalog, registry: Registry, scheduler: Scheduler, runner: any WidgetRunner, store: SnapshotStore,
        permissions: Permissions, identity: DaemonStatus
    ) {
        self.catalog = catalog
        self.registry = registry
        self.scheduler = scheduler
        self.runner = runner
        self.store = store
        self.permissions = permissions
        self.identity = identity
    }

    // MARK: Reading

    func widgets() -> [WidgetID] { catalog.widgets }

    func item(_ id: WidgetID) -> ShownItem? { catalog.item(id) }

    func hasContent(_ id: WidgetID) -> Bool? {
        registry.widgets[id] == nil ? nil : store.choices(of: id).hasContent
    }

    func defaults(of group: AppGroup) -> JSONObject? {
        let values = store.defaults(of: group)
        // What a group has kept stays readable when its last widget has gone.
        return values.isEmpty && catalog.manifests(inGroup: group).isEmpty ? nil : values
    }

    func daemonStatus() -> DaemonStatus {
        var status = identity
        status.widgetDirectories = registry.searchPath.widgetDirectories
        status.storage = store.condition.sentence
        status.storageIsFine = store.condition.isDurable
        status.widgets = registry.widgets.count
        status.running = scheduler.runningCount
        status.waiting = scheduler.waitingCount
        status.concurrency = scheduler.concurrency
        status.complaints = registry.complaints.map(\.description)
        return status
    }

    func widgetStatuses() -> [WidgetStatus] { catalog.widgets.compactMap { catalog.status(of: $0) } }

    func widgetStatus(named name: String) -> WidgetStatus? { WidgetID(name).flatMap { catalog.status(of: $0) } }

    func hostLooked(at widgets: [WidgetID]) {
        for id in widgets { scheduler.appeared(id) }
    }

    func context(of widget: WidgetID) -> WidgetContext? {
        guard let manifest = catalog.manifest(of: widget) else { return nil }
        return WidgetContext(
            mode: catalog.mode(of: widget), largestMode: catalog.largestMode(of: widget), groups: manifest.appGroups,
            schemes: manifest.urlSchemes)
    }

    func setLargestDisplayMode(_ mode: DisplayMode, of widget: WidgetID) {
        catalog.setLargestMode(mode, of: widget)
        onLargestMode(widget)
    }

    func openURL(_ url: String, for widget: WidgetID) -> String? {
        guard let manifest = catalog.manifest(of: widget) else { return "the manifest of \(widget) is not valid" }
        return openRequests.open(url, for: manifest)
    }

    func objection(toOpening url: String, for widget: WidgetID) -> String? {
        guard let manifest = catalog.manifest(of: widget) else { return "the manifest of \(widget) is not valid" }
        return OpenRequests.objection(to: url, from: manifest)
    }

    // MARK: Permission

    func mayChange(_ subject: ChangeSubject, peer: PeerCredentials) -> Bool {
        switch origin(of: peer) {
        case .outside: client(peer, mayChange: subject)
        case .widget(let id): Permissions.widget(catalog.manifest(of: id), mayChange: subject)
        case .unknown: false
        }
    }

    /// What a connection once was it stays; to find that out costs a walk up the line of its ancestors.
    private func origin(of peer: PeerCredentials) -> ProcessOrigin {
        let connection = Connection(pid: peer.pid, seen: peer.seen)
        if let origin = origins[connection] { return origin }
        // As many as there may be connections. They are not told apart from those that have gone.
        if origins.count >= 4_096 { origins.removeAll() }
        let origin = runner.origin(of: peer.pid, seen: peer.seen)
        origins[connection] = origin
        return origin
    }

    private func client(_ peer: PeerCredentials, mayChange subject: ChangeSubject) -> Bool {
        switch subject {
        case .everything, .choices:
            permissions.isAdministrator(peer)
        case .widget(let id):
            permissions.mayActFor(catalog.manifest(of: id), peer)
        case .group(let group):
            permissions.isAdministrator(peer)
                || catalog.manifests(inGroup: group).contains { permissions.mayActFor($0, peer) }
        }
    }

    // MARK: Changing

    func change(_ request: ChangeRequest, then: @escaping Completion<Void>) {
        switch request {
        case .hasContent(let id, let flag): keep(.hasContent(id, flag), then)
        case .enabled(let id, let enabled): keep(.enabled(id, enabled), then)
        case .lockScreen(let id, let allowed): keep(.lockScreen(id, allowed), then)
        case .displayMode(let id, let mode):
            guard let manifest = catalog.manifest(of: id) else {
                return then(.failure(.refused("the manifest of \(id) is not valid")))
            }
            if mode > catalog.largestMode(of: id) || manifest.largestDisplayMode < mode {
                return then(.failure(.refused("\(id) has only the compact display mode")))
            }
            let isNew = mode != catalog.mode(of: id)
            keep(.displayMode(id, mode)) { [scheduler] result in
                // The widget may have something else to say in its new size; a run in progress knows the old one.
                guard isNew, case .success = result else { return then(result) }
                // One that stays draws what it has; any other has to run.
                if manifest.update.contentProtocol == .varlink {
                    _ = scheduler.request(id, errand: .displayMode)
                } else {
                    _ = scheduler.request(id, reason: .defaults)
                }
                then(result)
            }
        case .push(let id, let content, let timeToLive):
            push(content, to: id, timeToLive, then)
        case .takeBack(let id):
            keep(nil, of: id) { [scheduler] result in
                // A widget with a program says again what it says by itself.
                _ = scheduler.request(id)
                then(result)
            }
        case .defaults(let group, let key, let value):
            keep(.defaults(group: group, key: key, value: value), then)
        }
    }

    private func push(
        _ content: Content, to id: WidgetID, _ timeToLive: TimeSpan?, _ then: @escaping Completion<Void>
    ) {
        guard catalog.manifest(of: id) != nil else {
            return then(.failure(.refused("the manifest of \(id) is not valid")))
        }
        let now = WallTime.now
        let snapshot = Snapshot(content: content, taken: now, expires: timeToLive.map { now + $0 })
        scheduler.renewed(id, nextUpdate: content.nextUpdate)
        onPush(id, content)
        keep(snapshot, of: id, then)
    }

    private func keep(_ change: Change, _ then: @escaping Completion<Void>) {
        store.change(change) { then($0.mapError(Refusal.init)) }
    }

    private func keep(_ snapshot: Snapshot?, of id: WidgetID, _ then: @escaping Completion<Void>) {
        store.record(snapshot, for: id) { then($0.mapError(Refusal.init)) }
    }

    func move(
        _ id: WidgetID, to placement: Placement, then: @escaping Completion<Int>
    ) {
        // One up or down is past the next widget that can be seen.
        let neighbours =
            placement == .up || placement == .down
            ? catalog.widgets.filter { $0 == id || catalog.standing(of: $0)?.state.isVisible == true } : catalog.widgets
        store.change(.move(id, placement, among: neighbours)) { [catalog] result in
            then(result.map { catalog.position(of: id) }.mapError(Refusal.init))
        }
    }

    func update(
        _ id: WidgetID?, listener: (any UpdateListener)?
    ) -> [UpdateAnswer] {
        guard let id else {
            // All which may run: what is hidden, disabled or pushed has nothing to say to this.
            return catalog.widgets.filter { mayRun($0) }.map { request($0, listener) }
        }
        return [request(id, listener)]
    }

    func perform(
        _ errand: Errand, of id: WidgetID, listener: (any UpdateListener)?
    ) -> Result<UpdateAnswer, Refusal> {
        if let objection = objection(to: errand, of: id) { return .failure(.refused(objection)) }
        return .success(request(id, errand: errand, listener))
    }

    private func objection(to errand: Errand, of id: WidgetID) -> String? {
        switch errand {
        case .action(let action):
            if let content = catalog.snapshot(of: id)?.content, content.offers(action) { return nil }
            return "nothing that \(id) shows now has the action \"\(action.shortened(to: 256))\""
        case .displayMode: return nil
        case .beginEditing, .endEditing:
            guard let manifest = catalog.manifest(of: id) else { return "the manifest of \(id) is not valid" }
            return manifest.allowsEditing ? nil : "\(id) has nothing to edit: its manifest says no AllowsEditing=yes"
        }
    }

    private func mayRun(_ id: WidgetID) -> Bool {
        guard let manifest = catalog.manifest(of: id), !manifest.update.isPushed else { return false }
        return catalog.standing(of: id)?.obstacle == nil
    }

    private func request(
        _ id: WidgetID, errand: Errand? = nil, _ listener: (any UpdateListener)?
    ) -> UpdateAnswer {
        guard catalog.manifest(of: id) != nil else {
            let state = catalog.standing(of: id)?.state.rawValue ?? "unknown"
            return UpdateAnswer(id: id, answer: .refused, reason: "it is \(state), so it is not run")
        }
        let reception = scheduler.request(id, errand: errand)
        if let listener, let run = reception.run, !reception.answer.isFinal { waiters.add(run: run, listener) }
        return reception.answer
    }

    func reload(then: @escaping Completion<ReloadResult>) {
        registry.reload()
        let complaints = registry.complaints + registry.widgets.values.flatMap(\.complaints)
        then(
            .success(
                ReloadResult(widgets: registry.widgets.count, complaints: complaints.map(\.description).sorted())))
    }
}

extension Refusal {
    init(_ failure: StoreFailure) {
        switch failure.kind {
        case .refused: self = .refused(failure.reason)
        case .notStored, .unavailable: self = .notStored(failure.reason)
        }
    }
}
