// SPDX-License-Identifier: MIT
import Files
import JSON
import QueryService
import Reactor
import Registry
import Runner
import Scheduler
import SnapshotStore
import Spelling
import TodayModel

/// Answers calls of the service from the stages' data, and passes clients' changes to the stages.
@LoopActor
final class Answers: Backend {
    let catalog: Catalog
    let registry: Registry
    let scheduler: Scheduler
    let runner: any WidgetRunner
    let store: SnapshotStore
    let access: AccessControl
    let editing: Editing
    /// The part of the status that stays the same while the daemon lives.
    let identity: DaemonStatus
    /// Called when a resident has set its largest display mode.
    var onLargestMode: (WidgetID) -> Void = { _ in }
    /// Called when a host looks at a widget.
    var onLook: (WidgetID) -> Void = { _ in }

    init(
        catalog: Catalog, registry: Registry, scheduler: Scheduler, runner: any WidgetRunner, store: SnapshotStore,
        access: AccessControl, editing: Editing, identity: DaemonStatus
    ) {
        self.catalog = catalog
        self.registry = registry
        self.scheduler = scheduler
        self.runner = runner
        self.store = store
        self.access = access
        self.editing = editing
        self.identity = identity
    }

    // MARK: Reading

    func catchUp() { registry.catchUp() }

    func widgets() -> [WidgetID] { catalog.widgets }

    func position(of id: WidgetID) -> Int { catalog.position(of: id) }

    func neighbours(of id: WidgetID, for placement: Placement) -> [WidgetID] {
        catalog.neighbours(of: id, for: placement)
    }

    var now: WallTime { catalog.now.wall }

    func item(_ id: WidgetID) -> ShownItem? { catalog.item(id) }

    func picture(_ name: String, of id: WidgetID) throws(Refusal) -> String {
        let content = catalog.shown(of: id)?.content
        if let picture = content?.picture(named: name) { return picture }
        let names = (content?.pictureNames ?? []).prefix(8).joined(separator: ", ")
        let others = names.isEmpty ? "" : "; there are \(names)"
        throw .refused("nothing that \(id) shows now has the picture \"\(name.shortened(to: 64))\"\(others)")
    }

    func hasContent(_ id: WidgetID) -> Bool? {
        registry.widgets[id] == nil ? nil : store.choices(of: id).hasContent
    }

    func defaults(of group: AppGroup) -> JSONObject? {
        let values = store.defaults(of: group)
        // A group's stored values stay readable after its last widget has gone.
        return values.isEmpty && catalog.widgets(inGroup: group).isEmpty ? nil : values
    }

    func settings(of id: WidgetID) throws(Refusal) -> [SettingStatus] { try catalog.settings(of: id) }

    func numbers(of id: WidgetID) -> History { store.numbers(of: id) }

    func daemonStatus() -> DaemonStatus {
        var status = identity
        status.widgetDirectories = registry.searchPath.widgetDirectories
        status.pluginDirectories = registry.searchPath.pluginDirectories
        status.storage = store.condition.sentence
        status.storageIsFine = store.condition.isDurable
        status.widgets = registry.widgets.count
        status.running = scheduler.runningCount
        status.waiting = scheduler.waitingCount
        status.concurrency = scheduler.concurrency
        status.complaints = registry.complaints.map(\.description)
        return status
    }

    func widgetStatus(of id: WidgetID) -> WidgetStatus? { catalog.status(of: id) }

    func hostLooked(at widgets: [WidgetID]) {
        for id in widgets {
            scheduler.appeared(id)
            onLook(id)
        }
    }

    func looksChanged(began: Set<WidgetID>, ended: Set<WidgetID>) {
        for id in began { tell(id, .appear) }
        for id in ended { tell(id, .disappear) }
    }

    private func tell(_ id: WidgetID, _ change: VisibilityChange) {
        let mode = catalog.mode(of: id)
        runner.tell(
            id, change,
            in: Scene(
                mode: mode, size: catalog.sizes[mode], isKnown: catalog.own(of: id) != nil,
                isEditing: catalog.draft(of: id)?.hasBegun ?? false))
    }

    func description(of widget: WidgetID) -> WidgetDescription? {
        guard let manifest = catalog.validManifest(of: widget) else { return nil }
        return WidgetDescription(
            mode: catalog.mode(of: widget), largestMode: catalog.largestMode(of: widget), sizes: catalog.sizes,
            groups: manifest.appGroups, schemes: manifest.urlSchemes, settings: catalog.settingTexts(of: manifest))
    }

    func setLargestDisplayMode(_ mode: DisplayMode, of widget: WidgetID, context: SessionID) {
        guard catalog[widget].processes.acceptMode(from: context) else { return }
        store.remember(widget) { $0.largestMode = mode }
        onLargestMode(widget)
    }

    func openURL(_ url: String, for widget: WidgetID) -> String? {
        guard let manifest = catalog.validManifest(of: widget) else { return catalog.reasonForInvalidity(of: widget) }
        let record = catalog[widget]
        let refusal = record.press.open(url, for: manifest)
        if let refusal { record.output.refusedToOpen(url, because: refusal) }
        return refusal
    }

    func refusal(ofOpening url: String, for widget: WidgetID) -> String? {
        guard let manifest = catalog.validManifest(of: widget) else { return catalog.reasonForInvalidity(of: widget) }
        return URLScheme.refusal(of: url, for: manifest.id, declaring: manifest.urlSchemes)
    }

    func launch(of command: [String], of id: WidgetID) throws(Refusal) -> CommandLaunch {
        if let refusal = catalog.refusal(ofExecuting: command, for: id, in: access.permissions.instance) {
            throw refusal
        }
        guard let manifest = catalog.validManifest(of: id) else { throw .refused(catalog.reasonForInvalidity(of: id)) }
        do throws(DirectoryFailure) {
            return try runner.commandLaunch(of: manifest, settings: catalog.settingTexts(of: manifest))
        } catch {
            throw .refused("\(error)")
        }
    }

    // MARK: Permission

    func mayChange(_ subject: ChangeSubject, peer: PeerCredentials) -> Bool { access.mayChange(subject, peer) }

    func isOfRun(_ peer: PeerCredentials) -> Bool { access.origin(of: peer) != .outside }

    func widget(of peer: PeerCredentials) -> WidgetID? {
        if case .widget(let id) = access.origin(of: peer) { id } else { nil }
    }
}

/// Clients' changes and requests.
extension Answers {
    func change(_ change: Change, then: @escaping Completion<Void>) {
        if let refusal = catalog.refusal(of: change) { return then(.failure(refusal)) }
        store.change(change, completion: then)
    }

    func setSettings(
        _ texts: [(name: String, text: String)], unset: [String], of id: WidgetID, then: @escaping Completion<Void>
    ) {
        do throws(Refusal) {
            change(try catalog.settingsChange(texts, unset: unset, of: id), then: then)
        } catch {
            then(.failure(error))
        }
    }

    func update(
        _ id: WidgetID?, listener: (any UpdateListener)?
    ) -> [UpdateAnswer] {
        guard let id else {
            // Hidden, disabled and pushed widgets do not run, so they give no answer.
            return catalog.widgets.filter { mayRun($0) }.map { request($0, listener) }
        }
        return [request(id, listener)]
    }

    func perform(
        _ interaction: Interaction, of id: WidgetID, listener: (any UpdateListener)?
    ) -> Result<UpdateAnswer, Refusal> {
        if let refusal = catalog.refusal(of: interaction, for: id) { return .failure(refusal) }
        let before = catalog.draft(of: id)
        editing.touch(id, for: interaction)
        let answer = request(id, interaction: interaction, listener)
        if answer.answer == .refused { editing.requestRefused(interaction, of: id, before: before) }
        return .success(answer)
    }

    private func mayRun(_ id: WidgetID) -> Bool {
        guard let manifest = catalog.validManifest(of: id), !manifest.update.isPushed else { return false }
        return catalog.obstacle(of: id) == nil
    }

    private func request(
        _ id: WidgetID, interaction: Interaction? = nil, _ listener: (any UpdateListener)?
    ) -> UpdateAnswer {
        guard catalog.validManifest(of: id) != nil else {
            return UpdateAnswer(id: id, answer: .refused, reason: catalog.reasonForInvalidity(of: id))
        }
        let requested = scheduler.request(id, interaction: interaction)
        if let listener, let run = requested.run { catalog[id].waiters.add(run: run, listener) }
        return requested.answer
    }

    func reload(then: @escaping Completion<ReloadResult>) {
        registry.reload()
        let complaints = registry.complaints + registry.widgets.values.flatMap(\.complaints)
        then(
            .success(
                ReloadResult(widgets: registry.widgets.count, complaints: complaints.map(\.description).sorted())))
    }
}
