// SPDX-License-Identifier: MIT
import JSON
import TodayModel
import Varlink

/// The answer of a widget to an update. A failure is an `OutputError` instead.
package enum WidgetAnswer: Equatable, Sendable {
    case newData(Content)
    /// The previous content is still right; with how long the widget asks not to be run.
    case noData(wait: TimeSpan? = nil)
}

/// Reads the replies of a widget to the methods of org.todayd.Widget.
package enum WidgetReply {
    /// The answer in the last reply to a call.
    package static func answer(in reply: VarlinkReply) throws(OutputError) -> WidgetAnswer {
        if let error = reply.error {
            throw OutputError("answered with the error \(VarlinkError(name: error, parameters: reply.parameters))")
        }
        let failure: OutputError
        do throws(JSONMismatch) {
            switch try update(JSONField(root: .object(reply.parameters)).required("update")) {
            case .answer(let answer): return answer
            case .failure(let stated): failure = stated
            }
        } catch {
            throw OutputError("\(error)")
        }
        throw failure
    }

    /// The content of a reply that continues, to show until the answer.
    package static func placeholder(in reply: VarlinkReply) throws(OutputError) -> Content {
        guard case .newData(let content) = try answer(in: reply) else {
            throw OutputError("a reply that continues has to be newData")
        }
        return content
    }

    private enum Result: String, CaseIterable { case newData, noData, failed }

    private enum Update {
        case answer(WidgetAnswer)
        case failure(OutputError)
    }

    private static func update(_ update: JSONField) throws(JSONMismatch) -> Update {
        try update.noOtherKeys(than: ["result", "content", "reason", "nextUpdate"])
        let content = try update.optional("content")
        let result = try update.required("result").choice(Result.self)
        if result != .newData, let content { throw content.fail("goes with newData only") }
        switch result {
        case .newData:
            if let wait = try update.optional("nextUpdate") {
                throw wait.fail("goes with noData and failed; new content says it itself")
            }
            return .answer(.newData(try Content(try update.required("content"))))
        case .noData:
            return .answer(.noData(wait: try update.optional("nextUpdate")?.timeSpan()))
        case .failed:
            let reason = try StatedFailure.reason(try update.optional("reason"))
            return .failure(OutputError(reason, wait: try StatedFailure.wait(update)))
        }
    }
}
