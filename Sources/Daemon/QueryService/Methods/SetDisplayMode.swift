// SPDX-License-Identifier: MIT
import Reactor
import TodayModel
import Varlink

/// org.todayd.Today.SetDisplayMode: how much of a widget is shown.
struct SetDisplayMode: Method {
    static let name = "SetDisplayMode"
    static let parameterNames = ["id", "mode"]

    let id: String
    let mode: DisplayMode

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        mode = try parameters.required("mode") { field throws(JSONMismatch) in try field.choice(DisplayMode.self) }
    }

    func answer(in context: MethodContext) throws(VarlinkError) -> Answer {
        let widget = try context.choosableWidget(id)
        return .afterwards { context.backend.change(.displayMode(widget, mode), by: context.peer, then: $0) }
    }
}
