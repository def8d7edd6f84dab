// SPDX-License-Identifier: MIT
import Reactor
import SnapshotStore
import TodayModel

/// How the daemon continues from what the previous one has left: the database, and processes that still run.
extension Daemon {
    /// Schedules all widgets by their stored answers. Nothing is served yet.
    func adoptStoredState() {
        reportOpening()
        for id in registry.widgets.keys { applyManifest(of: id, isStart: true) }
        if store.followsCrash { prepareAfterCrash() }
        for id in registry.widgets.keys {
            // An answer whose memory could not be read has unknown inputs.
            runIfBehind(id, after: catalog.own(of: id) == nil ? nil : .defaults)
            markGroupsUnknown(of: id)
        }
        forgetDeparted()
    }

    /// Logs what an administrator should know about the start.
    private func reportOpening() {
        // A failure to create a new database must not hide what happened to the old one.
        if store.lasting != .ok, store.lasting != store.condition { log.error(store.lasting.sentence) }
        if store.condition != .ok { storageChanged(store.condition) }
        for complaint in store.complaints { log.warning(complaint) }
        reportComplaints()
        for id in catalog.widgets() { registry.widgets[id].map(warn) }
    }

    /// A killed daemon may not have written its last answers.
    private func prepareAfterCrash() {
        for id in registry.widgets.keys where catalog.own(of: id) != nil { catalog[id].mayBeOutdated = true }
    }

    /// Makes a widget with groups run once: while no daemon ran, an app may have changed the files that they share.
    private func markGroupsUnknown(of id: WidgetID) {
        guard catalog.validManifest(of: id)?.appGroups.isEmpty == false, catalog.own(of: id) != nil else { return }
        // A widget that has failed may have asked to wait longer.
        if let date = catalog.notBefore(of: id), date > catalog.now.wall { return }
        scheduler.markBehind(id, .defaults)
    }
}
