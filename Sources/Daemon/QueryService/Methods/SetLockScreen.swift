// SPDX-License-Identifier: MIT
import Reactor
import Varlink

/// org.todayd.Today.SetLockScreen: whether a widget may be shown while the session is locked.
struct SetLockScreen: Method {
    static let name = "SetLockScreen"
    static let parameterNames = ["id", "allowed"]

    let id: String
    let allowed: Bool

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        allowed = try parameters.bool("allowed")
    }

    func answer(in context: MethodContext) throws(VarlinkError) -> Answer {
        let widget = try context.choosableWidget(id)
        return .afterwards { context.backend.change(.lockScreen(widget, allowed), by: context.peer, then: $0) }
    }
}
