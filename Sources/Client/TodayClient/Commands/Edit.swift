// SPDX-License-Identifier: MIT

import Arguments
import TodayModel
import Varlink

/// Lets the user change what a widget has to be changed.
struct Edit: ControlCommand {
    static let command = Command(
        "edit", summary: "begin to edit a widget, or end it",
        description: "The widget shows what can be changed, mostly as buttons for 'todayctl perform'.",
        options: [Option("done", help: "End it: the widget shows again what it has to say")],
        positionals: [.widget()])

    let call: ServiceCall

    init(_ arguments: ParsedArguments) {
        call = ServiceCall(
            "SetEditing", ["id": .string(arguments.word("ID")), "editing": .bool(!arguments.has("done"))])
    }

    func run(in context: CommandContext) throws -> ExitCode {
        try context.showAnswer(in: try context.service.call(call)).exitCode
    }
}
