// SPDX-License-Identifier: MIT
import Reactor
import Varlink

/// org.todayd.Today.Enable: lets a widget run and be shown.
struct Enable: Method {
    static let name = "Enable"
    static let parameterNames = ["id"]

    let id: String

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
    }

    func answer(in context: MethodContext) throws(VarlinkError) -> Answer {
        let widget = try context.choosableWidget(id)
        return .afterwards { context.backend.change(.enabled(widget, true), by: context.peer, then: $0) }
    }
}
