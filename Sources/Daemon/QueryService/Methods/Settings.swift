// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// org.todayd.Today.Settings: the settings of a widget with their values, but for those of secrets. A widget reads its own
/// in its extension context.
struct Settings: Method {
    static let name = "Settings"
    static let parameterNames = ["id"]

    let id: String

    init(_ parameters: Parameters) throws(VarlinkError) { id = try parameters.string("id") }

    func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
        let widget = try call.choosableWidget(id)
        do throws(Refusal) {
            return .parameters(["settings": .array(try call.backend.settings(of: widget).map(\.json))])
        } catch {
            throw call.service.error(for: error)
        }
    }
}

/// org.todayd.Today.SetSettings: sets values of a widget's settings, and removes others.
struct SetSettings: Method {
    static let name = "SetSettings"
    static let parameterNames = ["id", "values", "unset"]

    let id: String
    let values: [(name: String, text: String)]
    let unset: [String]

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        values = try parameters.required("values") { field throws(JSONMismatch) in
            var values: [(name: String, text: String)] = []
            for (name, value) in try field.members() { values.append((name, try value.string())) }
            return values
        }
        unset =
            try parameters.optional("unset") { field throws(JSONMismatch) in try field.strings() } ?? []
    }

    func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
        let widget = try call.choosableWidget(id)
        return .afterwards { call.backend.setSettings(values, unset: unset, of: widget, then: $0) }
    }
}
