// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// org.todayd.Today.Status: the status of the daemon and of one widget, or all.
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

/// org.todayd.Today.Reload: reads the settings and all manifests again.
struct Reload: Method {
    static let name = "Reload"
    static let parameterNames: [String] = []

    init(_ parameters: Parameters) {}

    func answer(in context: MethodContext) throws(VarlinkError) -> Answer {
        try context.require(.everything)
        return .later { done in
            context.backend.reload { result in
                done(
                    result.map { reload in
                        [
                            "widgets": .int(Int64(reload.widgets)),
                            "complaints": .array(reload.complaints.map(JSON.string)),
                        ]
                    })
            }
        }
    }
}
