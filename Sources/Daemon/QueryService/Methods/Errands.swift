// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// A method that runs a widget for more than an update.
protocol ErrandMethod: Method {
    nonisolated var id: String { get }
    nonisolated var errand: Errand { get }
}

extension ErrandMethod {
    func answer(in context: MethodContext) throws(VarlinkError) -> Answer {
        let widget = try context.changeableWidget(id)
        if errand.isOfHosts, context.backend.isOfRun(context.peer) { throw .refused("a widget does not edit itself") }
        guard context.wantsReply else {
            _ = context.backend.perform(errand, of: widget, listener: nil)
            return .parameters([:])
        }
        let progress = UpdateProgress()
        let initial = context.backend.perform(errand, of: widget, listener: progress)
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

/// org.todayd.Today.PerformAction: presses a button of a widget.
struct PerformAction: ErrandMethod {
    static let name = "PerformAction"
    static let parameterNames = ["id", "action"]

    let id: String
    let errand: Errand

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        errand = .action(try parameters.string("action"))
    }
}

/// org.todayd.Today.SetEditing: lets the user change what a widget has to be changed.
struct SetEditing: ErrandMethod {
    static let name = "SetEditing"
    static let parameterNames = ["id", "editing", "cancel"]

    let id: String
    let errand: Errand

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        let begins = try parameters.bool("editing")
        let isCancelled = try parameters.optional("cancel") { field throws(JSONMismatch) in try field.bool() } ?? false
        if begins, isCancelled { throw .invalidParameter("cancel") }
        errand = begins ? .beginEditing : .endEditing(isCancelled: isCancelled)
    }
}
