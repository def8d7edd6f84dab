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
        case .hasContent(let id, let flag): keep(.hasContent(id, flag), then)
        case .enabled(let id, let enabled): keep(.enabled(id, enabled), then)
        case .lockScreen(let id, let allowed):
            if allowed, let manifest = catalog.manifest(of: id), !manifest.extensionPoints.contains(.lockScreen) {
                return then(.failure(.refused("\(id) is not for lock screens: its ExtensionPoint= does not say so")))
            }
            keep(.lockScreen(id, allowed), then)
        case .displayMode(let id, let mode):
            guard let manifest = catalog.manifest(of: id) else {
                return then(.failure(.refused("the manifest of \(id) is not valid")))
            }
            if mode > catalog.largestMode(of: id) || manifest.largestDisplayMode < mode {
                return then(.failure(.refused("\(id) has only the compact display mode")))
            }
            let isNew = mode != catalog.mode(of: id)
            keep(.displayMode(id, mode)) { [scheduler] result in
                // The widget may have something else to say in its new size; a run in progress knows the old one.
                guard isNew, case .success = result else { return then(result) }
                // One that stays draws what it has; any other has to run.
                if manifest.update.contentProtocol == .varlink {
                    _ = scheduler.request(id, errand: .displayMode)
                } else {
                    _ = scheduler.request(id, reason: .defaults)
                }
                then(result)
            }
        case .push(let id, let content, let timeToLive):
            push(content, to: id, timeToLive, then)
        case .takeBack(let id):
            keep(catalog.takeOwnSnapshot(of: id), of: id) { [scheduler] result in
                // A widget with a program says again what it says by itself.
                _ = scheduler.request(id)
                then(result)
            }
        case .defaults(let group, let key, let value, let writer):
            writers.begin(group, writer)
            keep(.defaults(group: group, key: key, value: value)) { [self] result in
                writers.end(group, writer)
                then(result)
            }
        }
    }

    private func push(
        _ content: Content, to id: WidgetID, _ timeToLive: TimeSpan?, _ then: @escaping Completion<Void>
    ) {
        guard catalog.manifest(of: id) != nil else {
            return then(.failure(.refused("the manifest of \(id) is not valid")))
        }
        let now = WallTime.now
        let snapshot = Snapshot(content: content, taken: now, expires: timeToLive.map { now + $0 })
        catalog.setOwnSnapshotAside(of: id)
        scheduler.renewed(id, nextUpdate: content.nextUpdate)
        onPush(id, content)
        keep(snapshot, of: id, then)
    }

    private func keep(_ change: Change, _ then: @escaping Completion<Void>) {
        store.change(change) { then($0.mapError(Refusal.init)) }
    }

    private func keep(_ snapshot: Snapshot?, of id: WidgetID, _ then: @escaping Completion<Void>) {
        store.record(snapshot, for: id) { then($0.mapError(Refusal.init)) }
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
        return .success(request(id, errand: errand, listener))
    }

    private func objection(to errand: Errand, of id: WidgetID) -> String? {
        switch errand {
        case .action(let action):
            let actions = catalog.snapshot(of: id)?.content.actions ?? []
            if actions.contains(where: { $0.isSpelled(as: action) }) { return nil }
            let others = actions.prefix(8).map { "\"\($0)\"" }.joined(separator: ", ")
            return "nothing that \(id) shows now has the action \"\(action.shortened(to: 256))\""
                + (others.isEmpty ? "" : "; there \(actions.count == 1 ? "is" : "are") \(others)")
        case .displayMode: return nil
        case .beginEditing, .endEditing:
            guard let manifest = catalog.manifest(of: id) else { return "the manifest of \(id) is not valid" }
            return manifest.allowsEditing ? nil : "\(id) has nothing to edit: its manifest says no AllowsEditing=yes"
        }
    }

    private func mayRun(_ id: WidgetID) -> Bool {
        guard let manifest = catalog.manifest(of: id), !manifest.update.isPushed else { return false }
        return catalog.standing(of: id)?.obstacle == nil
    }

    private func request(
        _ id: WidgetID, errand: Errand? = nil, _ listener: (any UpdateListener)?
    ) -> UpdateAnswer {
        guard catalog.manifest(of: id) != nil else {
            let state = catalog.standing(of: id)?.state.rawValue ?? "unknown"
            return UpdateAnswer(id: id, answer: .refused, reason: "it is \(state), so it is not run")
        }
        let reception = scheduler.request(id, errand: errand)
        if let listener, let run = reception.run, !reception.answer.isFinal { waiters.add(run: run, listener) }
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
