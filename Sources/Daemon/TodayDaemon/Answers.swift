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
    let access: AccessControl
    let waiters: UpdateWaiters
    let openRequests: OpenRequests
    let contexts: WidgetContexts
    /// What does not change while the daemon lives.
    let identity: DaemonStatus
    /// A widget that runs has said up to which size it can be shown.
    var onLargestMode: (WidgetID) -> Void = { _ in }
    /// An errand was refused; with the widget's draft from before it was asked for.
    var onRefused: (WidgetID, Errand, Layers.Draft?) -> Void = { _, _, _ in }
    /// A client changes something: what was left for later is older.
    var beforeChange: (Change) -> Void = { _ in }

    init(
        catalog: Catalog, registry: Registry, scheduler: Scheduler, runner: any WidgetRunner, store: SnapshotStore,
        access: AccessControl, waiters: UpdateWaiters, openRequests: OpenRequests, contexts: WidgetContexts,
        identity: DaemonStatus
    ) {
        self.catalog = catalog
        self.registry = registry
        self.scheduler = scheduler
        self.runner = runner
        self.store = store
        self.access = access
        self.waiters = waiters
        self.openRequests = openRequests
        self.contexts = contexts
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

    func mayChange(_ subject: ChangeSubject, peer: PeerCredentials) -> Bool { access.mayChange(subject, peer) }

    func isOfRun(_ peer: PeerCredentials) -> Bool { access.origin(of: peer) != .outside }

    func widget(of peer: PeerCredentials) -> WidgetID? {
        if case .widget(let id) = access.origin(of: peer) { id } else { nil }
    }
}
