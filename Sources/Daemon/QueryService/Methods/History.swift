// SPDX-License-Identifier: MIT
import JSON
import TodayModel
import Varlink

/// org.todayd.Today.History: the last values of a widget's numbers.
struct ReadHistory: Method {
    static let name = "History"
    static let parameterNames = ["id", "name", "last"]

    let id: String
    let series: String?
    let last: Int?

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        series = try parameters.optionalString("name")
        last = try parameters.optional("last") { field throws(JSONMismatch) in
            try field.int(in: 0...Int(Int32.max))
        }
    }

    func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
        .bytes(call.backend.numbers(of: try call.widget(id)).reply(series, last: last))
    }
}
