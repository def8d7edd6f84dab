// SPDX-License-Identifier: MIT

import Arguments
import JSON
import Rendering
import TodayModel

/// Does what a touch of a button, a link or an item does.
struct PerformAction: ControlCommand {
    static let command = Command(
        "perform", summary: "press a button or an item of a widget",
        description: """
            ACTION is the name of the button's action, which 'todayctl show --json ID' has; or else its number, which \
            'todayctl show --numbers ID' shows; or else its title. What the widget then wants opened is opened with \
            xdg-open; where that fails the exit status is 8.

            A link is opened, and the command of an item is executed: by todayctl, as the user who calls it, with the \
            settings of the widget as variables and in the directory that the widget runs in. todayd allows it only where \
            the manifest has AllowsCommands=yes, which plugins have. A command that wants a terminal gets this one, or else \
            one that $TERMINAL names or that is installed. The exit status is 8 where the command fails. An item that asks \
            for it is updated afterwards.
            """,
        options: [.noOpen],
        positionals: [
            .widget(.pressable),
            Positional(
                "ACTION", completion: Complete.Kind.actions.completion,
                help: "The button's action, its number or its title"),
        ],
        examples: [.init("todayctl perform todo 1", "Presses what 'todayctl show --numbers todo' shows as 1.")])

    let id: String
    let word: String
    private let opens: Bool

    init(_ arguments: ParsedArguments) {
        id = arguments.word("ID")
        word = arguments.word("ACTION")
        opens = !arguments.has(Option.noOpen.long)
    }

    /// Sends the word as the name of an action first, so that an action named `2` wins over the second button. Only where
    /// todayd refuses that, looks for the word among the numbers and the titles.
    func run(in context: CommandContext) throws -> ExitCode {
        let reply: JSONObject
        do {
            reply = try context.service.call(call(id, word))
        } catch let refusal as ClientError where refusal.isRefusal {
            let item = try context.item(id)
            let choice = TargetChoice(item)
            switch choice.pressed(word) {
            case .one(let target) where target.action == word: throw refusal
            case .one(let target): return try touch(target, of: item, in: context)
            case .several(let numbers): throw choice.ambiguous(word, numbers)
            case .none: throw choice.unknown(word, verb: "press", Array(1..<choice.targets.count + 1))
            }
        }
        return try finish(reply, in: context)
    }

    /// What todayd answered to an action, and the URL that the widget wants opened then.
    private func finish(_ reply: JSONObject, in context: CommandContext) throws -> ExitCode {
        let answer = try context.showAnswer(in: reply)
        if let url = answer.open, !context.output.isJSON {
            try open(url, of: try context.item(answer.id.text), in: context)
        }
        return answer.exitCode
    }

    /// An action is the widget's own business. Without one, the URL is opened, the command executed and the widget updated.
    private func touch(_ target: Numbering.Target, of item: Item, in context: CommandContext) throws -> ExitCode {
        let id = item.id.text
        if let action = target.action { return try finish(try context.service.call(call(id, action)), in: context) }
        var report: JSONObject = [:]
        var failure: ClientError?
        if let url = target.url {
            _ = try context.service.call(ServiceCall("OpenURL", ["id": .string(id), "url": .string(url)]))
            report["url"] = .string(url)
            if !context.output.isJSON { try open(url, of: item, in: context) }
        }
        if let command = target.command {
            let execution = try CommandExecution(command, of: id, in: context)
            if !opens, !context.output.isJSON, !context.output.isQuiet {
                try context.output.print("to be executed: \(execution.line)")
            }
            report["command"] = JSON(command.arguments)
            do throws(ClientError) {
                if opens {
                    report["status"] = .int(Int64(try execution.run(context.output)))
                }
            } catch {
                // It may have changed what the widget shows, all the same.
                failure = error
            }
        }
        var code = ExitCode.ok
        if target.updates, opens || target.command == nil {
            let reply = try context.service.call(ServiceCall("Update", ["id": .string(id)]))
            guard let answer = reply["answers"]?.arrayValue?.first else { throw ClientError("todayd gave no answer") }
            report["answer"] = answer
            let read = try context.service.translated { try UpdateAnswer(JSONField(root: answer, isTolerant: true)) }
            code = read.exitCode
            if !context.output.isJSON, !context.output.isQuiet {
                try context.output.print([read.line(context.output.presentation)])
            }
        }
        if context.output.isJSON { try context.output.print(.object(report)) }
        if let failure { throw failure }
        return code
    }

    private func open(_ url: String, of item: Item, in context: CommandContext) throws {
        if opens {
            try URLOpener(environment: context.environment).open(url, for: item)
        } else if !context.output.isQuiet {
            try context.output.print([context.output.presentation.line("to be opened: \(url)")])
        }
    }

    private func call(_ id: String, _ action: String) -> ServiceCall {
        ServiceCall("PerformAction", ["id": .string(id), "action": .string(action)])
    }
}
