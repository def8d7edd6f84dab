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

    func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
        call.backend.catchUp()
        guard let id else { return .frame { [service = call.service] in service.reportStatus(to: $0) } }
        guard let status = WidgetID(id).flatMap({ call.backend.widgetStatus(of: $0) }) else {
            throw .noSuchWidget(id, among: call.backend.widgets())
        }
        return .parameters(["daemon": call.service.daemonStatus().json, "widgets": [status.json]])
    }
}

/// org.todayd.Today.Reload: reads the settings and all manifests again.
struct Reload: Method {
    static let name = "Reload"
    static let parameterNames: [String] = []

    init(_ parameters: Parameters) {}

    func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
        try call.require(.everything)
        return .later { done in
            call.backend.reload { result in
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
