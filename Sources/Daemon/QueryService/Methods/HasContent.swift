// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// org.todayd.Today.HasContent: the has-content flag of a widget.
struct HasContent: Method {
    static let name = "HasContent"
    static let parameterNames = ["id"]

    let id: String

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
    }

    func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
        let widget = try call.widget(id)
        return .parameters(["hasContent": .bool(call.backend.hasContent(widget) ?? true)])
    }
}

/// org.todayd.Today.SetHasContent: shows a widget, or hides it and stops launching it.
struct SetHasContent: WidgetChange {
    static let name = "SetHasContent"
    static let parameterNames = ["id", "hasContent"]

    let id: String
    let hasContent: Bool

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        hasContent = try parameters.bool("hasContent")
    }

    var choice: Choice { .hasContent(hasContent) }
}
