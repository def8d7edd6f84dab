// SPDX-License-Identifier: MIT
import QueryService
import Registry
import Spelling
import TodayModel

/// What clients get of each widget.
extension Catalog {
    /// The standing of a widget by its choices alone, for callers that only ask whether it may run.
    private func bareStanding(of id: WidgetID, _ entry: Registry.Entry) -> Standing {
        let validity: Standing.Validity =
            switch entry.validity {
            case .valid: .valid
            case .invalid: .invalid(entry.reason)
            case .masked: .masked(entry.reason)
            }
        return Standing(validity, store.choices(of: id), enabledByDefault: isEnabledByDefault(id))
    }

    /// Why the user's or a client's choice keeps a widget from running; nil when it may run.
    func obstacle(of id: WidgetID) -> String? { registry.widgets[id].flatMap { bareStanding(of: id, $0).obstacle } }

    func standing(of id: WidgetID) -> Standing? {
        guard let entry = registry.widgets[id] else { return nil }
        var standing = bareStanding(of: id, entry)
        let lastUpdate = store.lastUpdate(of: id)
        standing.shown = shown(of: id)
        standing.isPushed = entry.manifest?.update.isPushed ?? false
        standing.pushHasExpired = standing.shown?.source != .pushed && store.layers(of: id).pushed != nil
        standing.points = entry.manifest?.extensionPoints ?? [.today]
        standing.failure = lastUpdate?.result == .failed ? lastUpdate?.failure ?? "failed" : nil
        return standing
    }

    func item(_ id: WidgetID) -> ShownItem? {
        guard let entry = registry.widgets[id], let standing = standing(of: id) else { return nil }
        var item = Item(
            of: entry, standing, position: position(of: id), mode: mode(of: id), largestMode: largestMode(of: id))
        item.face = face(of: id)
        item.name = item.face[.name] ?? item.name
        item.size = sizes[item.mode]
        let draft = draft(of: id)
        let now = now
        item.isEdited = store.layers(of: id).isEdited(at: now.boot)
        guard let shown = standing.shown else {
            item.icon = item.face[.icon] ?? entry.described?.icon
            return ShownItem(item, validUntil: item.isEdited ? draft?.ends : nil)
        }
        item.show(shown, of: entry.manifest)
        item.content = item.content?.namingPictures
        item.content?.drawHistory(store.numbers(of: id))
        if shown.source == .own, !shown.isStale {
            item.freshUntil = scheduler.freshUntil(of: id).map { now.wall + ($0 - now.awake) }
            item.isLive = item.freshUntil == nil && entry.manifest?.update.stays == true
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
        guard let entry = registry.widgets[id], let standing = standing(of: id) else { return nil }
        let manifest = entry.manifest
        var status = WidgetStatus(id: id.text, name: face(of: id)[.name] ?? entry.displayName, state: standing.state)
        status.reason = standing.reason
        status.cure = standing.cure
        status.shows = standing.shown?.source
        if status.shows == .pushed, let pushed = store.layers(of: id).pushed {
            (status.pushedBy, status.expires) = (pushed.by, pushed.expires)
        }
        status.description = entry.described?.summary
        status.source = PlainText.line(entry.path)
        status.dropIns = entry.dropIns.map { PlainText.line($0) }
        status.complaints = entry.complaints.map(\.description)
        status.points = manifest?.extensionPoints ?? []
        status.places = standing.choices.places(of: status.points)
        status.containingApp = manifest?.containingApp
        status.sandbox = manifest?.sandbox.words
        status.unheld = manifest?.limits.unheld(limited: identity.limited) ?? []
        if let manifest, manifest.sandbox.level != .none { status.unheld += sandboxing.gaps() }
        if let update = manifest?.update {
            status.command = update.command.map { PlainText.line($0) }
            status.contentProtocol = update.contentProtocol.rawValue
            if !update.isPushed {
                status.interval = update.interval
                status.timeout = update.timeout
            }
        }
        if manifest?.update.isStream == true { status.stream = records[id]?.stream.status ?? StreamStatus() }
        status.fleet = records[id]?.fleetOrigin
        status.activity = scheduler.activity(of: id) ?? WidgetActivity()
        let now = now
        status.freshUntil =
            store.layers(of: id).own == nil ? nil : scheduler.freshUntil(of: id).map { now.wall + ($0 - now.awake) }
        status.changes = standing.shown?.changes.map(now.wall)
        if let output = records[id]?.output { (status.printed, status.notes) = (output.printed, output.notes) }
        status.history = store.history(of: id).reversed()
        return status
    }
}

extension Item {
    /// A widget without its content.
    init(
        of entry: Registry.Entry, _ standing: Standing, position: Int, mode: DisplayMode,
        largestMode: DisplayMode
    ) {
        let manifest = entry.manifest
        self.init(
            id: entry.id, name: entry.displayName, points: manifest?.extensionPoints ?? [.today],
            position: position, state: standing.state, mode: mode, largestMode: largestMode)
        places = standing.choices.places(of: points)
        allowsEditing = manifest?.allowsEditing ?? false
        urlSchemes = manifest?.urlSchemes ?? []
        failure = standing.state == .failing ? standing.failure : entry.reason
        cure = standing.cure
    }

    /// Fills in what is shown of the widget.
    mutating func show(_ shown: Layers.Shown, of manifest: Manifest?) {
        content = shown.content
        content?.icon = face[.icon] ?? shown.content.icon ?? manifest?.icon
        source = shown.source
        taken = shown.taken
        confirmed = shown.confirmed
        stale = shown.isStale
    }
}
