// SPDX-License-Identifier: MIT
import Reactor
import Varlink

/// org.todayd.Today.SetHasContent: shows a widget, or hides it and lets it sleep.
struct SetHasContent: Method {
    static let name = "SetHasContent"
    static let parameterNames = ["id", "hasContent"]

    let id: String
    let hasContent: Bool

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        hasContent = try parameters.bool("hasContent")
    }

    func answer(in context: MethodContext) throws(VarlinkError) -> Answer {
        let widget = try context.changeableWidget(id)
        return .afterwards { context.backend.change(.hasContent(widget, hasContent), by: context.peer, then: $0) }
    }
}
