// SPDX-License-Identifier: MIT
import JSON
import Reactor
import Varlink

/// org.todayd.Today.HasContent: the has-content flag of a widget.
struct HasContent: Method {
    static let name = "HasContent"
    static let parameterNames = ["id"]

    let id: String

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
    }

    func answer(in context: MethodContext) throws(VarlinkError) -> Answer {
        let widget = try context.widget(id)
        return .parameters(["hasContent": .bool(context.backend.hasContent(widget) ?? true)])
    }
}
