// SPDX-License-Identifier: MIT

import Arguments
import TodayModel
import Varlink

/// Presses a button of a widget.
struct PerformAction: ControlCommand {
    static let command = Command(
        "perform", summary: "press a button of a widget",
        description: "ACTION is what the button is called in the content; 'todayctl show --json ID' has it.",
        positionals: [.widget(), Positional("ACTION", help: "The action of the button")])

    let call: ServiceCall

    init(_ arguments: ParsedArguments) {
        call = ServiceCall(
            "PerformAction", ["id": .string(arguments.word("ID")), "action": .string(arguments.word("ACTION"))])
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let reply = try context.service.call(call)
        let answer = try context.service.translated {
            try UpdateAnswer(JSONField(root: .object(reply)).required("answer"))
        }
        if context.output.isJSON {
            try context.output.print(.object(reply))
        } else if !context.output.isQuiet {
            try context.output.print([answer.line(context.output.presentation)])
        }
        return answer.exitCode
    }
}
