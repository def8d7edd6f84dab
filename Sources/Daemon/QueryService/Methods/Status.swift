// SPDX-License-Identifier: MIT
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
        let widgets: [WidgetStatus]
        if let id {
            guard let status = WidgetID(id).flatMap({ context.backend.widgetStatus(of: $0) }) else {
                throw .noSuchWidget(id, among: context.backend.widgets())
            }
            widgets = [status]
        } else {
            // Of each only its last run: the logs of thousands would be more than one reply holds.
            widgets = context.backend.widgetStatuses().map { status in
                var status = status
                status.history = Array(status.history.prefix(1))
                return status
            }
        }
        var daemon = context.backend.daemonStatus()
        daemon.connections = context.service.connectionCount
        daemon.subscribers = context.service.subscriberCount
        return .parameters(["daemon": daemon.json, "widgets": .array(widgets.map(\.json))])
    }
}
