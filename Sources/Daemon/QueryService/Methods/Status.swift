// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// org.todayd.Today.Status: about the daemon and one widget, or all.
struct Status: Method {
    static let name = "Status"
    static let parameterNames = ["id"]

    let id: String?

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.optionalString("id")
    }

    func answer(in context: MethodContext) throws(VarlinkError) -> Answer {
        context.backend.catchUp()
        guard let id else { return .frame { [service = context.service] in service.reportStatus(to: $0) } }
        guard let status = WidgetID(id).flatMap({ context.backend.widgetStatus(of: $0) }) else {
            throw .noSuchWidget(id, among: context.backend.widgets())
        }
        return .parameters(["daemon": context.service.daemonStatus().json, "widgets": [status.json]])
    }
}
