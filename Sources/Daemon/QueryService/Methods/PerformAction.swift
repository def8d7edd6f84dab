// SPDX-License-Identifier: MIT
import Reactor
import TodayModel
import Varlink

/// org.todayd.Today.PerformAction: presses a button of a widget.
struct PerformAction: Method {
    static let name = "PerformAction"
    static let parameterNames = ["id", "action"]

    let id: String
    let action: String

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        action = try parameters.string("action")
    }

    func answer(in context: MethodContext) throws(VarlinkError) -> Answer {
        let widget = try context.changeableWidget(id)
        guard context.wantsReply else {
            _ = context.backend.performAction(action, of: widget, by: context.peer, onProgress: nil)
            return .parameters([:])
        }
        let progress = UpdateProgress()
        let initial = context.backend.performAction(action, of: widget, by: context.peer) { progress.take($0) }
        switch initial {
        case .failure(let refusal):
            throw context.service.error(for: refusal)
        case .success(let answer):
            return progress.answer([answer], patience: context.service.limits.updatePatience) { answers in
                ["answer": (answers.first ?? answer).json]
            }
        }
    }
}
