// SPDX-License-Identifier: MIT
import Reactor
import Registry
import Scheduler
import SnapshotStore
import TodayModel

/// What follows from what is different: in the manifests, in the store, in todayd.conf, on the clock. Each change comes by
/// here once, whoever has made it.
extension Daemon {
    /// Manifests have appeared, changed or gone.
    func widgetsChanged(_ changes: [Registry.Change]) {
        for change in changes {
            schedule(change.id)
            report(change)
            settle(change.id)
        }
        if changes.contains(where: \.isRemoval) { forgetDeparted() }
        // A group may have got its first widget.
        if phase == .serving { makePendingCalls() }
        if changes.contains(where: \.changesWhoIsThere) {
            // All that follow in the order have moved.
            catalog.forgetOrder()
            service.announceEverything()
        } else {
            service.announce(changed: Set(changes.map(\.id)))
        }
    }

    func forgetDeparted() { store.forgetDeparted { registry.widgets[$0] != nil } }

    /// Brings the schedule in step with what is declared and decided about a widget.
    func schedule(_ id: WidgetID) {
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

    /// Choices, layers or logs are different, or what a widget says of itself.
    func stored(_ widgets: Set<WidgetID>) {
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
    func pushed(_ layer: Layers.Pushed?, to id: WidgetID) {
        if let layer {
            event(.snapshot, id, layer.content.text)
            if let span = layer.content.nextUpdate { scheduler.ask(id, in: span) }
        } else if catalog.own(of: id) == nil {
            // One that has never answered by itself has nothing to show now.
            _ = scheduler.request(id)
        }
    }

    /// A containing app or a widget has changed its group's defaults: their widgets want to know.
    func defaultsChanged(_ groups: [AppGroup: [WidgetID?]]) {
        for (group, writers) in groups {
            event(.defaults, nil, group.text)
            service.announce(defaultsOf: group)
            runs.changed(group, to: store.revision(of: group), by: writers)
            for manifest in catalog.manifests(inGroup: group) { settle(manifest.id, after: .defaults) }
        }
    }

    func settingsChanged() {
        scheduler.setConcurrency(settings.concurrency(registry.settings))
        access.permissions = settings.permissions(administrators: registry.settings.administratorsGroup)
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
}

extension Registry.Change {
    fileprivate var isRemoval: Bool { if case .removed = self { true } else { false } }

    fileprivate var changesWhoIsThere: Bool {
        if case .changed = self { false } else { true }
    }
}
