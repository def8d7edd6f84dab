// SPDX-License-Identifier: MIT
import TodayModel
import Varlink

/// What a widget answered to a method of org.todayd.Widget, as content.
package enum WidgetReply {
    /// The `Update` that a method was answered with. `unchanged` is for newData that is not: nobody is woken for it.
    package static func result(of reply: VarlinkReply) throws(OutputError) -> RunOutcome.Result {
        if let error = reply.error {
            throw OutputError("answered with the error \(VarlinkError(name: error, parameters: reply.parameters))")
        }
        do throws(JSONMismatch) {
            return try result(of: JSONField(root: .object(reply.parameters)).required("update"))
        } catch {
            throw OutputError("\(error)")
        }
    }

    private enum Result: String, CaseIterable { case newData, noData, failed }

    private static func result(of update: JSONField) throws(JSONMismatch) -> RunOutcome.Result {
        try update.noOtherKeys(than: ["result", "content", "reason"])
        let content = try update.optional("content")
        let result = try update.required("result").choice(Result.self)
        if result != .newData, let content { throw content.fail("goes with newData only") }
        switch result {
        case .newData: return .newData(try Content(try update.required("content")))
        case .noData: return .noData
        case .failed:
            let reason = try update.optional("reason")?.line(upTo: ContentLimits.summaryBytes) ?? ""
            return .failed(reason.isEmpty ? "failed, and did not say why" : reason)
        }
    }
}
