// SPDX-License-Identifier: MIT
import Reactor
import Registry
import Scheduler
import SnapshotStore
import TodayModel

/// What follows from changes of manifests, of the store, of todayd.conf and of the clock. Every such change passes
/// through here once, whatever its source.
extension Daemon {
    /// Called when manifests have appeared, changed or gone.
    func widgetsChanged(_ changes: [Registry.Change]) {
        for change in changes {
            schedule(change.id)
            report(change)
            settle(change.id)
        }
        if changes.contains(where: \.isRemoval) { forgetDeparted() }
        // An app group may have its first widget now.
        if phase == .serving { makePendingCalls() }
        if changes.contains(where: \.changesWhoIsThere) {
            // The positions of all later widgets have changed.
            catalog.forgetOrder()
            service.announceEverything()
        } else {
            service.announce(changed: Set(changes.map(\.id)))
        }
    }

    func forgetDeparted() { store.forgetDeparted { registry.widgets[$0] != nil } }

    /// Updates the scheduler after a change of a widget's manifest or choices.
    func schedule(_ id: WidgetID, isStart: Bool = false) {
        guard let manifest = catalog.manifest(of: id) else {
            scheduler.remove(id)
            forgetDraft(of: id)
            let isThere = registry.widgets[id] != nil
            return runner.cancel(id, because: isThere ? "its manifest is not valid any more" : "its manifest has gone")
        }
        if !manifest.allowsEditing { forgetDraft(of: id) }
        scheduler.add(
            id, manifest.update, isStart: isStart, stored: catalog.storedAnswer(of: id),
            notBefore: catalog.notBefore(of: id),
            obstacle: catalog.obstacle(of: id))
    }

    /// Called when the choices, layers or log of widgets have changed, or their largest display mode.
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

    /// Called when a client has pushed content to a widget or has taken it back.
    func pushed(_ layer: Layers.Pushed?, to id: WidgetID) {
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
            runs.changed(group, to: store.revision(of: group), by: writers)
            for manifest in catalog.manifests(inGroup: group) { settle(manifest.id, after: .defaults) }
        }
    }

    func settingsChanged() {
        scheduler.setConcurrency(settings.concurrency(registry.settings))
        access.permissions = settings.permissions(administrators: registry.settings.administratorsGroup)
        // EnableNewWidgets= affects every widget that the user has not enabled or disabled.
        stored(Set(registry.widgets.keys))
        guard sizes != registry.settings.sizes else { return }
        sizes = registry.settings.sizes
        for id in registry.widgets.keys { settle(id) }
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
