// SPDX-License-Identifier: MIT
import JSON
import QueryService
import Reactor
import Registry
import Runner
import Scheduler
import SnapshotStore
import TodayModel

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
    var contexts = WidgetContexts()
    /// Of connections that have asked for a change, by process and time.
    private var origins: [Connection: ProcessOrigin] = [:]

    private struct Connection: Hashable {
        let pid: Int32
        let seen: Int64
    }
    /// A widget that runs has said up to which size it can be shown.
    var onLargestMode: (WidgetID) -> Void = { _ in }
    /// An errand was refused; with the widget's draft from before it was asked for.
    var onRefused: (WidgetID, Errand, Layers.Draft?) -> Void = { _, _, _ in }
    /// A client changes something: what was left for later is older.
    var beforeChange: (Change) -> Void = { _ in }
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

    func catchUp() { registry.catchUp() }

    func widgets() -> [WidgetID] { catalog.widgets }

    func position(of id: WidgetID) -> Int { catalog.position(of: id) }

    func neighbours(of id: WidgetID, for placement: Placement) -> [WidgetID] {
        catalog.neighbours(of: id, for: placement)
    }

    var now: WallTime { catalog.look().wall }

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

    func widgetStatus(of id: WidgetID) -> WidgetStatus? { catalog.status(of: id) }

    func hostLooked(at widgets: [WidgetID]) {
        for id in widgets { scheduler.appeared(id) }
    }

    func looksChanged(began: Set<WidgetID>, ended: Set<WidgetID>) {
        for id in began { tell(id, .appear) }
        for id in ended { tell(id, .disappear) }
    }

    private func tell(_ id: WidgetID, _ look: Look) {
        let mode = catalog.mode(of: id)
        runner.tell(
            id, look,
            in: Scene(
                mode: mode, size: catalog.sizes[mode], isKnown: catalog.own(of: id) != nil,
                isEditing: catalog.draft(of: id)?.hasBegun ?? false))
    }

    func context(of widget: WidgetID) -> WidgetContext? {
        guard let manifest = catalog.manifest(of: widget) else { return nil }
        return WidgetContext(
            mode: catalog.mode(of: widget), largestMode: catalog.largestMode(of: widget), sizes: catalog.sizes,
            groups: manifest.appGroups, schemes: manifest.urlSchemes)
    }

    func setLargestDisplayMode(_ mode: DisplayMode, of widget: WidgetID, context: ContextID) {
        guard contexts.choose(context, of: widget) else { return }
        store.remember(widget) { $0.largestMode = mode }
        onLargestMode(widget)
    }

    func openURL(_ url: String, for widget: WidgetID) -> String? {
        guard let manifest = catalog.manifest(of: widget) else { return catalog.flaw(of: widget) }
        return openRequests.open(url, for: manifest)
    }

    func objection(toOpening url: String, for widget: WidgetID) -> String? {
        guard let manifest = catalog.manifest(of: widget) else { return catalog.flaw(of: widget) }
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

    func isOfRun(_ peer: PeerCredentials) -> Bool { origin(of: peer) != .outside }

    func widget(of peer: PeerCredentials) -> WidgetID? {
        if case .widget(let id) = origin(of: peer) { id } else { nil }
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
        case .anything:
            permissions.isAdministrator(peer)
                || catalog.widgets.contains { permissions.mayActFor(catalog.manifest(of: $0), peer) }
        case .widget(let id):
            permissions.mayActFor(catalog.manifest(of: id), peer)
        case .group(let group):
            permissions.isAdministrator(peer)
                || catalog.manifests(inGroup: group).contains { permissions.mayActFor($0, peer) }
        }
    }
}
