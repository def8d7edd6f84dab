// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// What a command works with.
struct CommandContext {
    let service: TodayService
    let output: Output
    let environment: Environment
}

extension CommandContext {
    /// A widget as it is shown now.
    func item(_ id: String) throws -> Item {
        let reply = try service.call(ServiceCall("Show", ["id": .string(id)]))
        return try service.translated {
            guard let item = try reply.items("items").first else {
                throw ClientError("no widget '\(id)'; 'todayctl list' shows all", .noSuchWidget)
            }
            return item
        }
    }

    /// Shows what came of a run that a call has asked for.
    func showAnswer(in reply: JSONObject) throws -> UpdateAnswer {
        let answer = try service.translated {
            try UpdateAnswer(JSONField(root: .object(reply)).required("answer"))
        }
        if output.isJSON {
            try output.print(.object(reply))
        } else if !output.isQuiet {
            try output.print([answer.line(output.presentation)])
        }
        return answer
    }
}
