// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import Registry
import Scheduler
import SnapshotStore
import TodayModel

/// The picture that hosts get: what the registry, the store and the schedule know about each widget, joined.
@LoopActor
final class Catalog {
    private let registry: Registry
    private let store: SnapshotStore
    private let scheduler: Scheduler

    /// The widgets in the user's order, and the place of each in it. Nil after it may have changed.
    private var order: Order?

    /// The choices that hosts have been told of.
    private var choices: [WidgetID: Choices]

    /// What widgets have said for now about themselves.
    private var largestModes: [WidgetID: DisplayMode] = [:]
    /// What widgets with a program have given, while something that was pushed stands in its place.
    private var ownSnapshots: [WidgetID: Snapshot] = [:]

    private struct Order {
        let widgets: [WidgetID]
        let positions: [WidgetID: Int]
    }

    init(registry: Registry, store: SnapshotStore, scheduler: Scheduler) {
        self.registry = registry
        self.store = store
        self.scheduler = scheduler
        choices = store.state.choices
    }

    var widgets: [WidgetID] { currentOrder.widgets }

    func position(of id: WidgetID) -> Int { currentOrder.positions[id] ?? 0 }

    /// Widgets have come or gone: they are put in order again when somebody asks.
    func forgetOrder() { order = nil }

    /// What has been decided anew about some of these widgets. One that was moved puts all in order again; with many
    /// widgets runs end all the time, and the order is not worth a look each time.
    func newChoices(about widgets: Set<WidgetID>) -> (chosen: [WidgetID], haveMoved: Bool) {
        let chosen = widgets.filter { store.choices(of: $0) != choices[$0] ?? Choices() }
        let haveMoved = chosen.contains { store.choices(of: $0).rank != choices[$0]?.rank }
        for id in chosen { choices[id] = store.choices(of: id) }
        if haveMoved { order = nil }
        return (chosen.sorted(), haveMoved)
    }

    /// The manifest of a widget that may run, as far as it is up to the manifest.
    func manifest(of id: WidgetID) -> Manifest? {
        guard case .valid(let manifest)? = registry.widgets[id]?.standing else { return nil }
        return manifest
    }

    /// The manifests of the widgets that belong to an app group.
    func manifests(inGroup group: AppGroup) -> [Manifest] {
        registry.widgets.values.compactMap(\.manifest).filter { $0.appGroups.contains(group) }
    }

    private var currentOrder: Order {
        if let order { return order }
        let widgets = store.order(of: Array(registry.widgets.keys))
        let current = Order(
            widgets: widgets, positions: Dictionary(uniqueKeysWithValues: zip(widgets, 0...)))
        order = current
        return current
    }

    // MARK: One widget

    /// The last good content, unless it was pushed for a time that is over.
    func snapshot(of id: WidgetID) -> Snapshot? {
        guard let snapshot = store.snapshot(of: id) else { return nil }
        if let expires = snapshot.expires, expires <= .now { return ownSnapshots[id] }
        return snapshot
    }

    /// Something is pushed: what the widget itself has given last comes back when that is over.
    func setOwnSnapshotAside(of id: WidgetID) {
        guard ownSnapshots[id] == nil, manifest(of: id)?.update.isPushed == false else { return }
        ownSnapshots[id] = store.snapshot(of: id)
    }

    /// Nothing that was pushed is shown any more.
    func takeOwnSnapshot(of id: WidgetID) -> Snapshot? { ownSnapshots.removeValue(forKey: id) }

    /// How old the content of a widget is at start, and when it wants to be renewed.
    func lastGood(of id: WidgetID) -> LastGood? {
        guard let snapshot = snapshot(of: id) else { return nil }
        return LastGood(age: .now - snapshot.confirmed, nextUpdate: snapshot.content.nextUpdate)
    }

    func mode(of id: WidgetID) -> DisplayMode { min(store.choices(of: id).mode ?? .compact, largestMode(of: id)) }

    func largestMode(of id: WidgetID) -> DisplayMode {
        let declared = manifest(of: id)?.largestDisplayMode ?? .compact
        return min(declared, largestModes[id] ?? declared)
    }

    func setLargestMode(_ mode: DisplayMode, of id: WidgetID) { largestModes[id] = mode }

    /// The program that said so has ended. False when none had said anything.
    func forgetLargestMode(of id: WidgetID) -> Bool { largestModes.removeValue(forKey: id) != nil }

    func standing(of id: WidgetID) -> Standing? {
        guard let entry = registry.widgets[id] else { return nil }
        let lastUpdate = store.lastUpdate(of: id)
        return Standing(
            declaration: entry.declaration, choices: store.choices(of: id),
            enabledByDefault: registry.settings.enableNewWidgets,
            isPushed: entry.manifest?.update.isPushed ?? false, content: snapshot(of: id)?.content,
            failure: lastUpdate?.result == .failed ? lastUpdate?.failure ?? "failed" : nil)
    }

    func item(_ id: WidgetID) -> ShownItem? {
        guard let entry = registry.widgets[id], let standing = standing(of: id) else { return nil }
        let manifest = entry.manifest
        var item = Item(
            id: id, name: manifest?.displayName ?? id.text, points: manifest?.extensionPoints ?? [.today],
            position: position(of: id), state: standing.state, mode: mode(of: id),
            largestMode: largestMode(of: id))
        item.lockScreen = standing.choices.allowedOnLockScreen
        item.allowsEditing = manifest?.allowsEditing ?? false
        item.failure = standing.state == .failing ? standing.failure : entry.reason
        guard let snapshot = snapshot(of: id) else { return ShownItem(item) }
        item.content = snapshot.content
        item.content?.icon = snapshot.content.icon ?? manifest?.icon
        item.taken = snapshot.taken
        item.confirmed = snapshot.confirmed
        item.stale = scheduler.isStale(id)
        let now = Moment.now
        return ShownItem(item, validUntil: snapshot.expires.map { now.boot + ($0 - now.wall) })
    }

    func status(of id: WidgetID) -> WidgetStatus? {
        guard let entry = registry.widgets[id], let standing = standing(of: id) else { return nil }
        let manifest = entry.manifest
        var status = WidgetStatus(id: id.text, name: manifest?.displayName ?? id.text, state: standing.state)
        status.description = manifest?.summary
        status.source = PlainText.line(entry.source)
        status.complaints = entry.complaints.map(\.description)
        status.points = manifest?.extensionPoints ?? []
        status.containingApp = manifest?.containingApp
        if let update = manifest?.update {
            status.command = update.command.map { PlainText.line($0) }
            status.contentProtocol = update.contentProtocol.rawValue
            if !update.isPushed {
                status.interval = update.interval
                status.timeout = update.timeout
            }
        }
        status.activity = scheduler.activity(of: id) ?? WidgetActivity()
        status.history = store.history(of: id).reversed()
        return status
    }
}

extension Registry.Entry {
    fileprivate var declaration: TodayDaemon.Standing.Declaration {
        switch standing {
        case .valid: .valid
        case .invalid: .invalid
        case .masked: .masked
        case .unsupported: .unsupported
        }
    }
}
