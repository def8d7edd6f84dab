// SPDX-License-Identifier: MIT
import QueryService
import TodayModel

/// What clients get of each widget.
extension Catalog {
    func condition(of id: WidgetID) -> WidgetCondition? {
        guard let entry = registry.widgets[id] else { return nil }
        let lastUpdate = store.lastUpdate(of: id)
        let shown = shown(of: id)
        return WidgetCondition(
            validity: entry.validity, choices: store.choices(of: id),
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
        let now = now
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
        status.source = PlainText.line(entry.path)
        status.complaints = entry.complaints.map(\.description)
        status.points = manifest?.extensionPoints ?? []
        status.containingApp = manifest?.containingApp
        if let update = manifest?.update {
            status.command = update.command.map { PlainText.line($0) }
            // A plugin has no protocol yet.
            if case .unsupported = entry.validity {} else { status.contentProtocol = update.contentProtocol.rawValue }
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
