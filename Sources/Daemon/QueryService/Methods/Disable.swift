// SPDX-License-Identifier: MIT
import Reactor
import Varlink

/// org.todayd.Today.Disable: keeps a widget from running and being shown.
struct Disable: Method {
    static let name = "Disable"
    static let parameterNames = ["id"]

    let id: String

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
    }

    func answer(in context: MethodContext) throws(VarlinkError) -> Answer {
        let widget = try context.choosableWidget(id)
        return .afterwards { context.backend.change(.enabled(widget, false), by: context.peer, then: $0) }
    }
}
