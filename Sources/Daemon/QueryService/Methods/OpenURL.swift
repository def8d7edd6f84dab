// SPDX-License-Identifier: MIT
import JSON
import Reactor
import Varlink

/// org.todayd.Today.OpenURL: whether a host may open a URL for a widget.
struct OpenURL: Method {
    static let name = "OpenURL"
    static let parameterNames = ["id", "url"]

    let id: String
    let url: String

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        url = try parameters.string("url")
    }

    func answer(in context: MethodContext) throws(VarlinkError) -> Answer {
        if let reason = context.backend.objection(toOpening: url, for: try context.widget(id)) {
            throw .refused(reason)
        }
        return .parameters([:])
    }
}
