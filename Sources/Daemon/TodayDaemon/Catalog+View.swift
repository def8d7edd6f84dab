// SPDX-License-Identifier: MIT
import QueryService
import Registry
import Spelling
import TodayModel

/// What clients get of each widget.
extension Catalog {
    func condition(of id: WidgetID) -> WidgetCondition? {
        guard let entry = registry.widgets[id] else { return nil }
        let lastUpdate = store.lastUpdate(of: id)
        let shown = shown(of: id)
        return WidgetCondition(
            validity: entry.validity, choices: store.choices(of: id),
            enabledByDefault: isEnabledByDefault(id),
            isPushed: entry.manifest?.update.isPushed ?? false, shown: shown,
            pushHasExpired: shown?.source != .pushed && store.layers(of: id).pushed != nil,
            points: entry.manifest?.extensionPoints ?? [.today],
            failure: lastUpdate?.result == .failed ? lastUpdate?.failure ?? "failed" : nil)
    }

    func item(_ id: WidgetID) -> ShownItem? {
        guard let entry = registry.widgets[id], let condition = condition(of: id) else { return nil }
        var item = Item(
            of: entry, in: condition, position: position(of: id), mode: mode(of: id), largestMode: largestMode(of: id))
        item.size = sizes[item.mode]
        let draft = draft(of: id)
        let now = now
        item.isEdited = store.layers(of: id).isEdited(at: now.boot)
        guard let shown = condition.shown else { return ShownItem(item, validUntil: item.isEdited ? draft?.ends : nil) }
        item.show(shown, of: entry)
        item.content = item.content?.namingPictures
        item.content?.drawHistory(store.numbers(of: id))
        if shown.source == .own, !shown.isStale {
            item.freshUntil = scheduler.freshUntil(of: id).map { now.wall + ($0 - now.awake) }
        }
        if shown.source == .pushed, let pushed = store.layers(of: id).pushed {
            (item.pushedBy, item.expires) = (pushed.by, pushed.expires)
        }
        let changes = [shown.changes, item.isEdited ? draft?.ends : nil]
        return ShownItem(item, validUntil: changes.compactMap { $0 }.min())
    }

    /// The bytes of a picture in what a widget shows now, in base64.
    func picture(_ name: String, of id: WidgetID) throws(Refusal) -> String {
        let content = shown(of: id)?.content
        if let picture = content?.picture(named: name) { return picture }
        let names = (content?.pictureNames ?? []).prefix(8).joined(separator: ", ")
        let others = names.isEmpty ? "" : "; there are \(names)"
        throw .refused("nothing that \(id) shows now has the picture \"\(name.shortened(to: 64))\"\(others)")
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
        status.dropIns = entry.dropIns.map { PlainText.line($0) }
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
        if manifest?.update.isStream == true { status.stream = records[id]?.stream.status ?? StreamStatus() }
        status.activity = scheduler.activity(of: id) ?? WidgetActivity()
        let now = now
        status.freshUntil =
            store.layers(of: id).own == nil ? nil : scheduler.freshUntil(of: id).map { now.wall + ($0 - now.awake) }
        status.changes = condition.shown?.changes.map(now.wall)
        if let output = records[id]?.output { (status.printed, status.notes) = (output.printed, output.notes) }
        status.history = store.history(of: id).reversed()
        return status
    }
}

extension Item {
    /// A widget without its content.
    init(
        of entry: Registry.Entry, in condition: WidgetCondition, position: Int, mode: DisplayMode,
        largestMode: DisplayMode
    ) {
        let manifest = entry.manifest
        self.init(
            id: entry.id, name: entry.displayName, points: manifest?.extensionPoints ?? [.today],
            position: position, state: condition.state, mode: mode, largestMode: largestMode)
        lockScreen = condition.choices.allowedOnLockScreen
        allowsEditing = manifest?.allowsEditing ?? false
        urlSchemes = manifest?.urlSchemes ?? []
        failure = condition.state == .failing ? condition.failure : entry.reason
    }

    /// Takes what is shown of the widget.
    mutating func show(_ shown: Layers.Shown, of entry: Registry.Entry) {
        content = shown.content
        content?.icon = shown.content.icon ?? entry.manifest?.icon
        source = shown.source
        taken = shown.taken
        confirmed = shown.confirmed
        stale = shown.isStale
    }
}
