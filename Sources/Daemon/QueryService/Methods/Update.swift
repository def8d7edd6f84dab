// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// org.todayd.Today.Update: runs the perform-update of one widget, or of all which may run.
struct Update: Method {
    static let name = "Update"
    static let parameterNames = ["id"]

    let id: String?

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.optionalString("id")
    }

    func answer(in context: MethodContext) throws(VarlinkError) -> Answer {
        context.backend.catchUp()
        var widget: WidgetID?
        if let id { widget = try context.changeableWidget(id) } else { try context.require(.everything) }
        // A client that does not wait is not remembered: there may be any number of such calls.
        guard context.wantsReply else {
            _ = context.backend.update(widget, listener: nil)
            return .parameters([:])
        }
        let progress = UpdateProgress()
        let initial = context.backend.update(widget, listener: progress)
        if context.wantsMore {
            let feeds = context.service.feeds
            let feed = feeds.update(progress)
            progress.begin(with: initial) { [weak feed] answer in
                guard let feed else { return }
                feed.note(answer)
                feeds.stir(feed)
            }
            return .stream(feed)
        }
        return progress.answer(initial, patience: context.service.limits.updatePatience) { answers in
            ["answers": .array(answers.map(\.json))]
        }
    }
}

extension UpdateProgress {
    /// One reply, when all answers are final or patience is at its end.
    func answer(
        _ initial: [UpdateAnswer], patience: TimeSpan,
        _ reply: @escaping @LoopActor ([UpdateAnswer]) -> JSONObject
    ) -> Answer {
        .unlessLeft { done in
            let wait = UpdateWait(for: self, patience: patience) { done(.success(reply(self.answers))) }
            // Weakly: a wait for which there was no timer has ended already, and nothing else would part the two.
            self.begin(with: initial) { [weak self, weak wait] _ in
                if let self, self.isFinished { wait?.end() }
            }
            if self.isFinished { wait.end() }
            return { wait.cancel() }
        }
    }
}
