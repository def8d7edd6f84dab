// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import Registry
import Runner
import Scheduler
import SnapshotStore
import TodayModel

/// Everything known of each widget, combined from the registry, the store and the scheduler. `Catalog+View.swift` has what
/// clients get of it, `Catalog+Settings.swift` its settings, `Catalog+Refusals.swift` what clients are refused, and
/// `Catalog+Backend.swift` what the daemon lets each peer do.
@LoopActor
final class Catalog {
    let registry: Registry
    let store: SnapshotStore
    let scheduler: Scheduler
    let runner: any WidgetRunner
    /// The part of the status that stays the same while the daemon lives.
    let identity: DaemonStatus
    let sandboxing: Sandboxing
    /// What else clients of the system instance may be allowed to do; nil in a user's instance, and without polkit.
    let polkit: Polkit?
    var permissions: Permissions
    /// The origins of connections that have asked, by process and time.
    var origins: [Connection: ProcessOrigin] = [:]
    /// Called when a host looks at a widget.
    var onLook: (WidgetID) -> Void = { _ in }
    private(set) var records: [WidgetID: WidgetRecord] = [:]
    private let clock: @LoopActor () -> Moment

    /// The widgets in the user's order, with their positions. Nil after the order may have changed.
    private var order: Order?

    private struct Order {
        let widgets: [WidgetID]
        let positions: [WidgetID: Int]
    }

    struct Connection: Hashable {
        let pid: Int32
        let seen: Int64
    }

    init(
        _ instance: DaemonInstance, registry: Registry, store: SnapshotStore, scheduler: Scheduler,
        runner: any WidgetRunner, clock: @escaping @LoopActor () -> Moment
    ) {
        self.clock = clock
        self.runner = runner
        identity = instance.identity
        sandboxing = instance.sandboxing
        polkit = instance.paths.kind == .system ? Polkit(environment: instance.environment) : nil
        permissions = instance.permissions(administrators: registry.settings.administratorsGroup)
        self.registry = registry
        self.store = store
        self.scheduler = scheduler
    }

    var now: Moment { clock() }

    /// What the daemon keeps in memory of a widget. The first event of a widget makes its record.
    subscript(id: WidgetID) -> WidgetRecord {
        if let record = records[id] { return record }
        let record = WidgetRecord(id, store.choices(of: id))
        records[id] = record
        return record
    }

    /// Drops the records of widgets that no longer exist.
    func dropDeparted() { records = records.filter { registry.widgets[$0.key] != nil || $0.value.isBusy } }

    /// All widgets in the user's order.
    func widgets() -> [WidgetID] { currentOrder.widgets }

    func position(of id: WidgetID) -> Int { currentOrder.positions[id] ?? 0 }

    /// The widgets that the moved one may pass. `up` and `down` pass the next visible widget; other moves count all.
    func neighbours(of id: WidgetID, for placement: Placement) -> [WidgetID] {
        switch placement {
        case .up, .down: widgets().filter { $0 == id || standing(of: $0)?.state.isVisible == true }
        case .first, .last, .before, .after: widgets()
        }
    }

    /// Drops the known order, because widgets have appeared, disappeared or moved.
    func forgetOrder() { order = nil }

    /// The manifest of a widget that can run or be pushed to; nil for any other.
    func validManifest(of id: WidgetID) -> Manifest? {
        guard case .valid(let manifest)? = registry.widgets[id]?.validity else { return nil }
        return manifest
    }

    /// The widgets of an app group, including those that cannot run at present: what the app shares with them is kept.
    func widgets(inGroup group: AppGroup) -> [WidgetID] {
        registry.widgets.filter { $0.value.manifest?.appGroups.contains(group) ?? false }.map(\.key)
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

    /// What hosts show of a widget now.
    func shown(of id: WidgetID) -> Layers.Shown? {
        store.layers(of: id).shown(at: now, freshUntil: scheduler.freshUntil(of: id))
    }

    /// The widget's own last answer.
    func own(of id: WidgetID) -> Layers.Own? { store.layers(of: id).own }

    func draft(of id: WidgetID) -> Layers.Draft? { store.layers(of: id).draft }

    /// The age of a widget's last answer at the start, and when the widget requested its next update.
    func storedAnswer(of id: WidgetID) -> StoredAnswer? {
        guard let own = own(of: id) else { return nil }
        // A button may have drawn the content since, but the last update decides when the next one is due.
        return StoredAnswer(age: now.wall - own.confirmed, nextAsk: store.memory(of: id).nextAsk)
    }

    /// The time before which a failed widget must not run again. A failure in the future came from a wrong clock and
    /// does not count.
    func notBefore(of id: WidgetID) -> WallTime? {
        guard let failed = store.lastUpdate(of: id)?.started, failed <= now.wall else { return nil }
        return store.memory(of: id).notBefore
    }

    var sizes: DisplaySizes { registry.settings.sizes }

    func mode(of id: WidgetID) -> DisplayMode { validManifest(of: id).map { mode(of: $0) } ?? .compact }

    func mode(of manifest: Manifest) -> DisplayMode {
        min(store.choices(of: manifest.id).mode ?? .compact, largestMode(of: manifest))
    }

    func largestMode(of id: WidgetID) -> DisplayMode { validManifest(of: id).map { largestMode(of: $0) } ?? .compact }

    func largestMode(of manifest: Manifest) -> DisplayMode {
        // Only a resident can choose a largest mode, and change it again.
        let chosen = manifest.update.contentProtocol == .varlink ? store.memory(of: manifest.id).largestMode : nil
        return min(manifest.largestDisplayMode, chosen ?? manifest.largestDisplayMode)
    }

    /// The inputs of an answer that the widget would give now.
    func inputs(of manifest: Manifest) -> UpdateInputs {
        var inputs = UpdateInputs()
        for group in manifest.appGroups {
            let revision = store.revision(of: group)
            if revision > 0 { inputs.groups[group] = revision }
        }
        let mode = mode(of: manifest)
        inputs.mode = mode
        inputs.size = sizes[mode]
        inputs.program = manifest.programHash
        inputs.settings = manifest.settingsHash(of: store.settings(of: manifest.id))
        inputs.settingDefaults = manifest.settingDefaultsHash
        return inputs
    }

    /// Whether a widget is enabled as long as the user has not decided. A widget that has run here is not new.
    func isEnabledByDefault(_ id: WidgetID) -> Bool {
        registry.settings.enableNewWidgets || store.lastUpdate(of: id) != nil || store.layers(of: id).own != nil
    }
}
