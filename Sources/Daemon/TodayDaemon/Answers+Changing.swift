// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import Registry
import Scheduler
import SnapshotStore
import Spelling
import TodayModel

/// What clients want changed or done, passed on to the stages.
extension Answers {
    func change(_ request: ChangeRequest, then: @escaping Completion<Void>) {
        switch request {
        case .hasContent(let id, let flag):
            let change = Change.hasContent(id, flag)
            beforeChange(change, catalog.manifest(of: id)?.appGroups ?? [])
            keep(change, then)
        case .enabled(let id, let enabled): keep(.enabled(id, enabled), then)
        case .lockScreen(let id, let allowed):
            if allowed, let manifest = catalog.manifest(of: id), !manifest.extensionPoints.contains(.lockScreen) {
                return then(.failure(.refused("\(id) is not for lock screens: its ExtensionPoint= does not say so")))
            }
            keep(.lockScreen(id, allowed), then)
        case .displayMode(let id, let mode):
            guard catalog.manifest(of: id) != nil else {
                return then(.failure(.refused(catalog.flaw(of: id))))
            }
            if mode > catalog.largestMode(of: id) {
                return then(.failure(.refused("\(id) has only the compact display mode")))
            }
            keep(.displayMode(id, mode), then)
        case .push(let id, let content, let timeToLive, let client):
            push(content, to: id, timeToLive, by: client, then)
        case .takeBack(let id):
            store.push(nil, to: id) { then($0.mapError(Refusal.init)) }
            // One that has never answered by itself has nothing to show now.
            if catalog.own(of: id) == nil { _ = scheduler.request(id) }
        case .defaults(let group, let key, let value, let writer):
            let change = Change.defaults(group: group, key: key, value: value, writer: writer)
            beforeChange(change, [group])
            keep(change, then)
        }
    }

    private func push(
        _ content: Content, to id: WidgetID, _ timeToLive: TimeSpan?, by client: String,
        _ then: @escaping Completion<Void>
    ) {
        guard catalog.manifest(of: id) != nil else {
            return then(.failure(.refused(catalog.flaw(of: id))))
        }
        let now = catalog.look().wall
        let pushed = Layers.Pushed(content, taken: now, expires: timeToLive.map { now + $0 }, by: client)
        if let span = content.nextUpdate { scheduler.ask(id, in: span) }
        onPush(id, content)
        store.push(pushed, to: id) { then($0.mapError(Refusal.init)) }
    }

    private func keep(_ change: Change, _ then: @escaping Completion<Void>) {
        store.change(change) { then($0.mapError(Refusal.init)) }
    }

    func move(
        _ id: WidgetID, to placement: Placement, then: @escaping Completion<Int>
    ) {
        // One up or down is past the next widget that can be seen.
        let neighbours =
            placement == .up || placement == .down
            ? catalog.widgets.filter { $0 == id || catalog.standing(of: $0)?.state.isVisible == true } : catalog.widgets
        store.change(.move(id, placement, among: neighbours)) { [catalog] result in
            then(result.map { catalog.position(of: id) }.mapError(Refusal.init))
        }
    }

    func update(
        _ id: WidgetID?, listener: (any UpdateListener)?
    ) -> [UpdateAnswer] {
        guard let id else {
            // All which may run: what is hidden, disabled or pushed has nothing to say to this.
            return catalog.widgets.filter { mayRun($0) }.map { request($0, listener) }
        }
        return [request(id, listener)]
    }

    func perform(
        _ errand: Errand, of id: WidgetID, listener: (any UpdateListener)?
    ) -> Result<UpdateAnswer, Refusal> {
        if let objection = objection(to: errand, of: id) { return .failure(.refused(objection)) }
        let before = catalog.draft(of: id)
        touch(id, for: errand)
        let answer = request(id, errand: errand, listener)
        if answer.answer == .refused { onRefused(id, errand, before) }
        return .success(answer)
    }

    /// A host edits a widget, or ends it: from then on the editor is shown no more, whatever the widget draws.
    private func touch(_ id: WidgetID, for errand: Errand) {
        let now = catalog.look().boot
        switch errand {
        case .beginEditing: store.sketch(id) { $0.edit(at: now) }
        case .action:
            guard store.layers(of: id).isEdited(at: now) else { return }
            store.sketch(id) { $0.edit(at: now) }
        case .endEditing: store.sketch(id) { $0.draft?.isEnding = true }
        case .displayMode: break
        }
    }

    private func objection(to errand: Errand, of id: WidgetID) -> String? {
        switch errand {
        case .action(let action):
            let actions = catalog.shown(of: id)?.content.actions ?? []
            if actions.contains(where: { $0.isSpelled(as: action) }) { return nil }
            let others = actions.prefix(8).map { "\"\($0)\"" }.joined(separator: ", ")
            return "nothing that \(id) shows now has the action \"\(action.shortened(to: 256))\""
                + (others.isEmpty ? "" : "; there \(actions.count == 1 ? "is" : "are") \(others)")
        case .displayMode: return nil
        case .beginEditing, .endEditing:
            guard let manifest = catalog.manifest(of: id) else { return catalog.flaw(of: id) }
            if !manifest.allowsEditing { return "\(id) has nothing to edit: its manifest says no AllowsEditing=yes" }
            if errand == .beginEditing || catalog.draft(of: id) != nil { return nil }
            return
                "\(id) is not being edited; editing ends by itself \(Layers.Draft.patience.text) after the last touch"
        }
    }

    private func mayRun(_ id: WidgetID) -> Bool {
        guard let manifest = catalog.manifest(of: id), !manifest.update.isPushed else { return false }
        return catalog.obstacle(of: id) == nil
    }

    private func request(
        _ id: WidgetID, errand: Errand? = nil, _ listener: (any UpdateListener)?
    ) -> UpdateAnswer {
        guard catalog.manifest(of: id) != nil else {
            return UpdateAnswer(id: id, answer: .refused, reason: catalog.flaw(of: id))
        }
        let reception = scheduler.request(id, errand: errand)
        if let listener, let run = reception.run { waiters.add(run: run, listener) }
        return reception.answer
    }

    func reload(then: @escaping Completion<ReloadResult>) {
        registry.reload()
        let complaints = registry.complaints + registry.widgets.values.flatMap(\.complaints)
        then(
            .success(
                ReloadResult(widgets: registry.widgets.count, complaints: complaints.map(\.description).sorted())))
    }
}

extension Refusal {
    init(_ failure: StoreFailure) {
        switch failure.kind {
        case .refused: self = .refused(failure.reason)
        case .notStored, .unavailable: self = .notStored(failure.reason)
        }
    }
}
