// SPDX-License-Identifier: MIT
import TodayModel
import Varlink

/// What a command works with.
struct CommandContext {
    let service: TodayService
    let output: Output
    let environment: Environment
}

extension CommandContext {
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
