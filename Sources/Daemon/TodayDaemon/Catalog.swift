// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import Registry
import Scheduler
import SnapshotStore
import TodayModel

/// What hosts see of each widget, combined from the registry, the store and the scheduler.
@LoopActor
final class Catalog {
    private let registry: Registry
    private let store: SnapshotStore
    private let scheduler: Scheduler
    /// Reads the clocks.
    let look: @LoopActor () -> Moment

    /// The widgets in the user's order, with their positions. Nil after the order may have changed.
    private var order: Order?

    /// The choices that the daemon has already announced to hosts.
    private var choices: [WidgetID: Choices]

    private struct Order {
        let widgets: [WidgetID]
        let positions: [WidgetID: Int]
    }

    init(
        registry: Registry, store: SnapshotStore, scheduler: Scheduler, look: @escaping @LoopActor () -> Moment
    ) {
        self.look = look
        self.registry = registry
        self.store = store
        self.scheduler = scheduler
        choices = store.state.choices
    }

    var widgets: [WidgetID] { currentOrder.widgets }

    func position(of id: WidgetID) -> Int { currentOrder.positions[id] ?? 0 }

    /// The widgets that the moved one may pass. `up` and `down` pass the next visible widget; other moves count all.
    func neighbours(of id: WidgetID, for placement: Placement) -> [WidgetID] {
        switch placement {
        case .up, .down: widgets.filter { $0 == id || condition(of: $0)?.state.isVisible == true }
        case .first, .last, .before, .after: widgets
        }
    }

    /// Drops the known order, because widgets have come or gone.
    func forgetOrder() { order = nil }

    /// Returns the widgets among `widgets` whose choices have changed. Only a changed rank drops the order: sorting
    /// thousands of widgets after every run would be expensive.
    func newChoices(about widgets: Set<WidgetID>) -> (chosen: [WidgetID], haveMoved: Bool) {
        let chosen = widgets.filter { store.choices(of: $0) != choices[$0] ?? Choices() }
        let haveMoved = chosen.contains { store.choices(of: $0).rank != choices[$0]?.rank }
        for id in chosen { choices[id] = store.choices(of: id) }
        if haveMoved { order = nil }
        return (chosen.sorted(), haveMoved)
    }

    /// The manifest of a widget, if it is valid.
    func manifest(of id: WidgetID) -> Manifest? {
        guard case .valid(let manifest)? = registry.widgets[id]?.validity else { return nil }
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

    /// What hosts show of a widget now.
    func shown(of id: WidgetID) -> Layers.Shown? {
        store.layers(of: id).shown(at: look(), freshUntil: scheduler.freshUntil(of: id))
    }

    /// The widget's own last answer.
    func own(of id: WidgetID) -> Layers.Own? { store.layers(of: id).own }

    func draft(of id: WidgetID) -> Layers.Draft? { store.layers(of: id).draft }

    /// The age of a widget's last answer at the start, and when the widget requested its next update.
    func storedAnswer(of id: WidgetID) -> StoredAnswer? {
        guard let own = own(of: id) else { return nil }
        // A button may have drawn the content since, but the last update decides when the next one is due.
        let memory = store.memory(of: id)
        let ask = memory == WidgetMemory() ? own.content.nextAsk : memory.nextAsk
        return StoredAnswer(age: look().wall - own.confirmed, nextAsk: ask)
    }

    /// The time before which a failed widget must not run again. A failure in the future came from a wrong clock and
    /// does not count.
    func notBefore(of id: WidgetID) -> WallTime? {
        guard let failed = store.lastUpdate(of: id)?.started, failed <= look().wall else { return nil }
        return store.memory(of: id).notBefore
    }

    var sizes: DisplaySizes { registry.settings.sizes }

    func mode(of id: WidgetID) -> DisplayMode { manifest(of: id).map { mode(of: $0) } ?? .compact }

    func mode(of manifest: Manifest) -> DisplayMode {
        min(store.choices(of: manifest.id).mode ?? .compact, largestMode(of: manifest))
    }

    func largestMode(of id: WidgetID) -> DisplayMode { manifest(of: id).map { largestMode(of: $0) } ?? .compact }

    private func largestMode(of manifest: Manifest) -> DisplayMode {
        // Only a program that stays can choose a largest mode, and change it again.
        let chosen = manifest.update.contentProtocol == .varlink ? store.memory(of: manifest.id).largestMode : nil
        return min(manifest.largestDisplayMode, chosen ?? manifest.largestDisplayMode)
    }

    /// The premises of an answer that the widget would give now.
    func premises(of manifest: Manifest) -> Premises {
        var premises = Premises()
        for group in manifest.appGroups {
            let revision = store.revision(of: group)
            if revision > 0 { premises.groups[group] = revision }
        }
        let mode = mode(of: manifest)
        premises.mode = mode
        premises.size = sizes[mode]
        premises.program = manifest.update.programHash
        return premises
    }

    /// Why the user's or a client's choice keeps a widget from running; nil when it may run.
    func obstacle(of id: WidgetID) -> String? {
        store.choices(of: id).obstacle(enabledByDefault: registry.settings.enableNewWidgets)
    }

    /// Why a widget has no valid manifest.
    func complaint(about id: WidgetID) -> String {
        guard let entry = registry.widgets[id] else { return "there is no manifest of \(id)" }
        let reason = entry.reason.map { ": \($0)" } ?? ""
        switch entry.declaration {
        case .masked: return "\(id) is masked\(reason)"
        case .unsupported: return "\(id) cannot be run\(reason)"
        case .valid, .invalid: return "the manifest of \(id) is not valid\(reason)"
        }
    }

    /// Why the manifest forbids a change; nil when it does not.
    func refusal(of change: Change) -> Refusal? {
        switch change {
        case .push(let id, _), .choice(let id, .displayMode):
            guard manifest(of: id) != nil else { return .refused(complaint(about: id)) }
            guard case .choice(_, .displayMode(let mode)) = change, mode > largestMode(of: id) else { return nil }
            return .refused("\(id) has only the compact display mode")
        case .choice(let id, .lockScreen(true)):
            guard let manifest = manifest(of: id), !manifest.extensionPoints.contains(.lockScreen) else { return nil }
            return .refused("\(id) is not for lock screens: its ExtensionPoint= does not say so")
        case .choice, .move, .takeBack, .defaults: return nil
        }
    }

    /// Why a widget does not run for a host; nil when it may.
    func refusal(of interaction: Interaction, for id: WidgetID) -> String? {
        switch interaction {
        case .action(let action):
            let actions = shown(of: id)?.content.actions ?? []
            if actions.contains(where: { $0.isSpelled(as: action) }) { return nil }
            let others = actions.prefix(8).map { "\"\($0)\"" }.joined(separator: ", ")
            return "nothing that \(id) shows now has the action \"\(action.shortened(to: 256))\""
                + (others.isEmpty ? "" : "; there \(actions.count == 1 ? "is" : "are") \(others)")
        case .displayMode: return nil
        case .beginEditing, .endEditing:
            guard let manifest = manifest(of: id) else { return complaint(about: id) }
            if !manifest.allowsEditing { return "\(id) has nothing to edit: its manifest says no AllowsEditing=yes" }
            if interaction == .beginEditing || draft(of: id) != nil { return nil }
            return
                "\(id) is not being edited; editing ends by itself \(Layers.Draft.patience.text) after the last touch"
        }
    }

    func condition(of id: WidgetID) -> WidgetCondition? {
        guard let entry = registry.widgets[id] else { return nil }
        let lastUpdate = store.lastUpdate(of: id)
        let shown = shown(of: id)
        return WidgetCondition(
            declaration: entry.declaration, choices: store.choices(of: id),
            enabledByDefault: registry.settings.enableNewWidgets,
            isPushed: entry.manifest?.update.isPushed ?? false, shown: shown,
            pushHasExpired: shown?.source != .pushed && store.layers(of: id).pushed != nil,
            points: entry.manifest?.extensionPoints ?? [.today],
            failure: lastUpdate?.result == .failed ? lastUpdate?.failure ?? "failed" : nil)
    }

    func item(_ id: WidgetID) -> ShownItem? {
        guard let entry = registry.widgets[id], let condition = condition(of: id) else { return nil }
        let manifest = entry.manifest
        var item = Item(
            id: id, name: entry.displayName, points: manifest?.extensionPoints ?? [.today],
            position: position(of: id), state: condition.state, mode: mode(of: id),
            largestMode: largestMode(of: id))
        item.lockScreen = condition.choices.allowedOnLockScreen
        item.allowsEditing = manifest?.allowsEditing ?? false
        item.urlSchemes = manifest?.urlSchemes ?? []
        item.failure = condition.state == .failing ? condition.failure : entry.reason
        item.size = sizes[item.mode]
        let draft = draft(of: id)
        let now = look()
        item.isEdited = store.layers(of: id).isEdited(at: now.boot)
        guard let shown = condition.shown else { return ShownItem(item, validUntil: item.isEdited ? draft?.ends : nil) }
        item.content = shown.content
        item.content?.icon = shown.content.icon ?? manifest?.icon
        item.source = shown.source
        if shown.source == .pushed, let pushed = store.layers(of: id).pushed {
            (item.pushedBy, item.expires) = (pushed.by, pushed.expires)
        }
        item.taken = shown.taken
        item.confirmed = shown.confirmed
        item.stale = shown.isStale
        let changes = [shown.changes, item.isEdited ? draft?.ends : nil]
        return ShownItem(item, validUntil: changes.compactMap { $0 }.min())
    }

    func status(of id: WidgetID) -> WidgetStatus? {
        guard let entry = registry.widgets[id], let condition = condition(of: id) else { return nil }
        let manifest = entry.manifest
        var status = WidgetStatus(id: id.text, name: entry.displayName, state: condition.state)
        status.reason = condition.reasonForSilence(entry.reason)
        status.shows = condition.shown?.source
        if status.shows == .pushed, let pushed = store.layers(of: id).pushed {
            (status.pushedBy, status.expires) = (pushed.by, pushed.expires)
        }
        status.description = entry.described?.summary
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
    fileprivate var declaration: TodayDaemon.WidgetCondition.Declaration {
        switch validity {
        case .valid: .valid
        case .invalid: .invalid
        case .masked: .masked
        case .unsupported: .unsupported
        }
    }
}
