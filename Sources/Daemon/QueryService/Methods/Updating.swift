// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// org.todayd.Today.Update: runs the perform-update of one widget, or of all that may run.
struct Update: Method {
    static let name = "Update"
    static let parameterNames = ["id"]

    let id: String?

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.optionalString("id")
    }

    func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
        call.backend.catchUp()
        var widget: WidgetID?
        if let id { widget = try call.changeableWidget(id) } else { try call.require(.everything) }
        // The service keeps no state for a client that does not wait, because such a client can send any number of
        // calls.
        guard call.wantsReply else {
            _ = call.backend.update(widget, listener: nil)
            return .parameters([:])
        }
        let progress = UpdateProgress()
        let initial = call.backend.update(widget, listener: progress)
        if call.wantsMore {
            let feeds = call.service.feeds
            let feed = feeds.updateFeed(for: progress)
            progress.begin(with: initial) { [weak feed] answer in
                guard let feed else { return }
                feed.note(answer)
                feeds.markChanged(feed)
            }
            return .stream(feed)
        }
        return progress.answer(initial, patience: call.service.limits.updatePatience) { answers in
            ["answers": .array(answers.map(\.json))]
        }
    }
}

extension UpdateProgress {
    /// One reply, when all answers are final or the patience is over.
    func answer(
        _ initial: [UpdateAnswer], patience: TimeSpan,
        _ reply: @escaping @LoopActor ([UpdateAnswer]) -> JSONObject
    ) -> Answer {
        .stoppable { done in
            let wait = UpdateWait(for: self, patience: patience) { done(.success(reply(self.answers))) }
            // The reference is weak: `UpdateWait` ends at once if it has no timer, and nothing else would break the
            // cycle.
            self.begin(with: initial) { [weak self, weak wait] _ in
                if let self, self.isFinished { wait?.end() }
            }
            if self.isFinished { wait.end() }
            return { wait.cancel() }
        }
    }
}

/// A method that runs a widget for more than an update.
protocol InteractionMethod: Method {
    nonisolated var id: String { get }
    nonisolated var interaction: Interaction { get }
}

extension InteractionMethod {
    func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
        let widget = try call.changeableWidget(id)
        if interaction.isForbiddenToWidgets, call.backend.isOfRun(call.peer) {
            throw .refused("a widget does not edit itself")
        }
        guard call.wantsReply else {
            _ = call.backend.perform(interaction, of: widget, listener: nil)
            return .parameters([:])
        }
        let progress = UpdateProgress()
        let initial = call.backend.perform(interaction, of: widget, listener: progress)
        switch initial {
        case .failure(let refusal):
            throw call.service.error(for: refusal)
        case .success(let answer):
            return progress.answer([answer], patience: call.service.limits.updatePatience) { answers in
                ["answer": (answers.first ?? answer).json]
            }
        }
    }
}

/// org.todayd.Today.PerformAction: presses a button of a widget.
struct PerformAction: InteractionMethod {
    static let name = "PerformAction"
    static let parameterNames = ["id", "action", "locked"]

    let id: String
    let interaction: Interaction

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        interaction = .action(try parameters.string("action"), isLocked: try parameters.flag("locked"))
    }
}

/// org.todayd.Today.SetEditing: begins or ends the editing of a widget by the user.
struct SetEditing: InteractionMethod {
    static let name = "SetEditing"
    static let parameterNames = ["id", "editing", "cancel"]

    let id: String
    let interaction: Interaction

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        let begins = try parameters.bool("editing")
        let isCancelled = try parameters.flag("cancel")
        if begins, isCancelled { throw .invalidParameter("cancel") }
        interaction = begins ? .beginEditing : .endEditing(isCancelled: isCancelled)
    }
}

/// org.todayd.Today.PrepareCommand: with what a host executes a command of an item.
struct PrepareCommand: Method {
    static let name = "PrepareCommand"
    static let parameterNames = ["id", "command", "locked"]

    let id: String
    let command: [String]
    let isLocked: Bool

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        command = try parameters.required("command") { field throws(JSONMismatch) in
            var words: [String] = []
            for word in try field.array() { words.append(try word.string()) }
            return words
        }
        isLocked = try parameters.flag("locked")
    }

    func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
        let widget = try call.widget(id)
        try call.require(.commands)
        if isLocked { throw .refused(Refusal.whileLocked) }
        do throws(Refusal) {
            return .parameters(try call.backend.launch(of: command, of: widget).json)
        } catch {
            throw call.service.error(for: error)
        }
    }
}

/// org.todayd.Today.OpenURL: whether a host may open a URL for a widget.
struct OpenURL: Method {
    static let name = "OpenURL"
    static let parameterNames = ["id", "url", "locked"]

    let id: String
    let url: String
    let isLocked: Bool

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        url = try parameters.string("url")
        isLocked = try parameters.flag("locked")
    }

    func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
        if isLocked { throw .refused(Refusal.whileLocked) }
        if let reason = call.backend.refusal(ofOpening: url, for: try call.widget(id)) {
            throw .refused(reason)
        }
        return .parameters([:])
    }
}
