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
    func change(_ change: Change, then: @escaping Completion<Void>) {
        if let refusal = catalog.refusal(of: change) { return then(.failure(refusal)) }
        beforeChange(change)
        store.change(change, completion: then)
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
