// SPDX-License-Identifier: MIT
import Reactor
import Registry
import Scheduler
import SnapshotStore
import TodayModel

/// The consequences of changes of manifests, of the store, of todayd.conf and of the clock. Every such change passes through
/// here once, whatever its source.
extension Daemon {
    /// Called when manifests have appeared, changed or gone.
    func widgetsChanged(_ changes: [Registry.Change]) {
        for change in changes {
            applyManifest(of: change.id)
            report(change)
            endFormerStream(change.id)
            runIfBehind(change.id)
        }
        if changes.contains(where: \.isRemoval) { forgetDeparted() }
        if changes.contains(where: \.changesWhoIsThere) {
            // The positions of all later widgets have changed.
            catalog.forgetOrder()
            service.announceEverything()
        } else {
            service.announce(changed: Set(changes.map(\.id)))
        }
        if fleetRunner.isPresent { offerToFleet() }
    }

    func forgetDeparted() {
        store.forgetDeparted { registry.widgets[$0] != nil }
        catalog.dropDeparted()
    }

    /// Schedules a widget by its manifest. Without a valid one, its runs and its editing end.
    func applyManifest(of id: WidgetID, isStart: Bool = false) {
        guard let manifest = catalog.validManifest(of: id) else {
            scheduler.remove(id)
            editing.abandon(id)
            catalog[id].stream.forget()
            let isThere = registry.widgets[id] != nil
            return runner.cancel(id, because: "\(id.declaration) \(isThere ? "is not valid any more" : "was removed")")
        }
        if !manifest.allowsEditing { editing.abandon(id) }
        scheduler.add(
            id, manifest.update, isStart: isStart, stored: catalog.storedAnswer(of: id),
            notBefore: catalog.notBefore(of: id),
            obstacle: catalog.obstacle(of: id))
    }

    /// Called when something that decides what hosts see of widgets, or whether they may run, may be different: in the
    /// store, in todayd.conf, or their largest display mode.
    ///
    /// A consequence may make a widget differ again: its further consequences follow afterwards, and hosts are told once.
    func widgetsMayDiffer(_ widgets: Set<WidgetID>) {
        if widgets.contains(where: { store.choices(of: $0).isAdded != registry.hasAdded($0) }) {
            registry.setAdded(store.added)
        }
        differing.formUnion(widgets)
        if isDeriving { return }
        isDeriving = true
        defer { isDeriving = false }
        var changed: Set<WidgetID> = []
        var haveMoved = false
        while !differing.isEmpty {
            let widgets = differing
            differing = []
            changed.formUnion(widgets)
            for id in widgets.sorted() where registry.widgets[id] != nil && deriveConsequences(of: id) {
                haveMoved = true
            }
        }
        if haveMoved {
            catalog.forgetOrder()
            service.announceEverything()
        } else {
            service.announce(changed: changed)
        }
        if fleetRunner.isPresent { offerToFleet() }
    }

    /// - Returns: whether the position of the widget in the user's order has changed.
    private func deriveConsequences(of id: WidgetID) -> Bool {
        let record = catalog[id]
        let (choices, before) = (store.choices(of: id), record.choices)
        let isEdited = store.layers(of: id).draft != nil
        let editingHasEnded = record.wasEdited && !isEdited
        (record.choices, record.wasEdited) = (choices, isEdited)
        let mayRunAgain = applyObstacle(of: id)
        if mayRunAgain || choices != before { runIfBehind(id) }
        if choices != before { event(.choice, id, describe(choices)) }
        if editingHasEnded { runIfBehind(id, isRateLimited: true) }
        // This visits all widgets, so it is not done after each run.
        if isEdited || editingHasEnded { editing.armPatience() }
        return choices.rank != before.rank
    }

    /// - Returns: whether an obstacle was removed, so that the widget may run again.
    private func applyObstacle(of id: WidgetID) -> Bool {
        let obstacle = catalog.obstacle(of: id)
        let hasGone = scheduler.setObstacle(obstacle, of: id)
        if let obstacle {
            editing.abandon(id)
            if catalog[id].stream.isRunning { runner.endStream(id, because: obstacle) }
        }
        return hasGone
    }

    /// Called when a resident has chosen its largest display mode, or a new process of it has not.
    func largestModeChanged(of id: WidgetID) {
        widgetsMayDiffer([id])
        runIfBehind(id, isRateLimited: true)
    }

    /// Called when a client has pushed content to a widget or has taken it back (nil).
    func pushChanged(_ layer: Layers.Pushed?, of id: WidgetID) {
        if let layer {
            event(.snapshot, id, layer.content.text)
            if let span = layer.content.nextUpdate { scheduler.planUpdate(of: id, in: span) }
        } else if catalog.own(of: id) == nil {
            // A widget that has never answered has nothing to show now, so it runs.
            _ = scheduler.request(id)
        }
    }

    /// Called when an app or a widget has changed the defaults of groups. The widgets of the groups run again if they
    /// are behind.
    func defaultsChanged(_ groups: [AppGroup: [WidgetID?]]) {
        for (group, writers) in groups {
            event(.defaults, nil, group.text)
            service.announce(defaultsOf: group)
            for record in catalog.records.values {
                record.changed(group, to: store.revision(of: group), by: writers)
            }
            for id in catalog.widgets(inGroup: group) { runIfBehind(id, after: .defaults) }
        }
        if fleetRunner.isPresent { offerToFleet() }
    }

    /// Called when the user has set or removed values of widgets' settings. The events contain names only, because a value may
    /// be a secret.
    func settingsChanged(_ names: [WidgetID: Set<String>]) {
        for (id, names) in names {
            event(.choice, id, "settings: \(names.sorted().joined(separator: ", "))")
            runIfBehind(id, after: .settings)
        }
        if fleetRunner.isPresent { offerToFleet() }
        widgetsMayDiffer(Set(names.filter { $0.value.contains { Face.Key(rawValue: $0) != nil } }.keys))
    }

    /// Called when todayd.conf has changed.
    func configurationChanged() {
        scheduler.setConcurrency(instance.concurrency(registry.settings))
        catalog.permissions = instance.permissions(administrators: registry.settings.administratorsGroup)
        // EnableNewWidgets= affects every widget that the user has not enabled or disabled.
        widgetsMayDiffer(Set(registry.widgets.keys))
        guard sizes != registry.settings.sizes else { return }
        sizes = registry.settings.sizes
        for id in registry.widgets.keys { runIfBehind(id) }
    }

    /// What has failed may need the session that has begun, and programs may be where only its PATH looks.
    func sessionChanged() {
        registry.setProgramDirectories(ProgramPath.directories(in: session.variables))
        for id in registry.widgets.keys where store.lastUpdate(of: id)?.result == .failed { runInNewSession(id) }
    }

    /// Runs a widget again that has failed in the session before, unless it has requested a later time.
    func runInNewSession(_ id: WidgetID) {
        if catalog.notBefore(of: id).map({ $0 <= catalog.now.wall }) ?? true { scheduler.markBehind(id, .defaults) }
    }

    /// Called when the wall clock was set, so that dates are nearer or farther.
    func clockChanged() {
        scheduler.clockChanged()
        service.announceEverything()
    }
}

extension Registry.Change {
    fileprivate var isRemoval: Bool { if case .removed = self { true } else { false } }

    fileprivate var changesWhoIsThere: Bool {
        if case .changed = self { false } else { true }
    }
}
