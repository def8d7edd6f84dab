// SPDX-License-Identifier: MIT

import JSON
import Link
import Rendering
import TodayModel

/// Presses a button, a link or an item. An action goes to the widget. Without an action, todayctl opens the URL, executes the
/// command and updates the widget.
package struct TargetTouch {
    private let opens: Bool
    private let isLocked: Bool
    private let context: CommandContext

    /// - Parameters:
    ///   - opens: whether URLs are opened and commands executed; otherwise they are printed.
    ///   - isLocked: whether the session is locked.
    package init(opens: Bool, isLocked: Bool = false, _ context: CommandContext) {
        self.opens = opens
        self.isLocked = isLocked
        self.context = context
    }

    package func press(_ action: String, of id: String) throws -> ExitCode {
        try finish(try context.service.call(.pressing(action, of: id).whileLocked(isLocked)))
    }

    /// Shows todayd's answer to an action, and opens the URL that the widget asks for.
    private func finish(_ reply: JSONObject) throws -> ExitCode {
        let answer = try context.showAnswer(in: reply)
        if let url = answer.open {
            try open(url, of: try context.item(answer.id.text))
        }
        return answer.exitCode
    }

    package func perform(_ target: Numbering.Target, of item: Item) throws -> ExitCode {
        let id = item.id.text
        if let action = target.action { return try press(action, of: id) }
        var report: JSONObject = [:]
        var failure: ClientError?
        if let url = target.url {
            _ = try context.service.call(.opening(url, of: id).whileLocked(isLocked))
            report["url"] = .string(url)
            try open(url, of: item)
        }
        if let command = target.command {
            let execution = try CommandExecution(command, of: id, isLocked: isLocked, in: context)
            if !opens, !context.output.isJSON, !context.output.isQuiet {
                try context.output.print("to be executed: \(execution.line)")
            }
            report["command"] = JSON(command.arguments)
            do throws(ClientError) {
                if opens {
                    report["status"] = .int(Int64(try execution.run(context.output)))
                }
            } catch {
                // Even so, the command may have changed what the widget shows.
                failure = error
            }
        }
        var code = ExitCode.ok
        if target.updates, opens || target.command == nil {
            let (answer, read) = try updated(id)
            report["answer"] = answer
            code = read.exitCode
            if !context.output.isJSON { try print(read) }
        }
        if context.output.isJSON { try context.output.print(.object(report)) }
        if let failure { throw failure }
        return code
    }

    package func update(_ id: String) throws -> ExitCode {
        let (answer, read) = try updated(id)
        if context.output.isJSON { try context.output.print(answer) } else { try print(read) }
        return read.exitCode
    }

    private func updated(_ id: String) throws -> (JSON, UpdateAnswer) {
        let reply = try context.service.call(.updating(id))
        guard let answer = reply["answers"]?.arrayValue?.first else { throw ClientError("todayd gave no answer") }
        return (
            answer,
            try context.service.translated { try UpdateAnswer(JSONField(root: answer)) }
        )
    }

    private func print(_ answer: UpdateAnswer) throws {
        if !context.output.isQuiet { try context.output.print([answer.line(context.output.presentation)]) }
    }

    private func open(_ url: String, of item: Item) throws {
        if opens {
            try URLOpener(environment: context.environment).open(url, for: item, of: context.service.listener)
        } else if !context.output.isQuiet, !context.output.isJSON {
            try context.output.print([context.output.presentation.line("to be opened: \(url)")])
        }
    }
}
