// SPDX-License-Identifier: MIT

import Arguments
import JSON
import Rendering
import TodayModel

/// Lets the user change what a widget has to be changed.
struct Edit: ControlCommand {
    static let command = Command(
        "edit", summary: "begin to edit a widget, or end it",
        description: """
            The widget shows what can be changed, mostly as buttons for 'todayctl perform', which are printed with their \
            numbers. It ends with --done or --cancel, and by itself when nothing is edited for five minutes.
            """,
        options: [
            Option("done", help: "End it: the widget shows again what it has to say"),
            Option("cancel", help: "End it, as if nothing had been changed"),
        ],
        positionals: [.widget(.editable)], exclusiveOptions: [["done", "cancel"]],
        examples: [
            .init("todayctl edit clocks", "Shows what can be changed."),
            .init("todayctl perform clocks 1", "Changes it."), .init("todayctl edit --done clocks", "Keeps it."),
        ])

    let call: ServiceCall
    let begins: Bool

    init(_ arguments: ParsedArguments) {
        let isCancelled = arguments.has("cancel")
        begins = !isCancelled && !arguments.has("done")
        var parameters: JSONObject = ["id": .string(arguments.word("ID")), "editing": .bool(begins)]
        if isCancelled { parameters["cancel"] = true }
        call = ServiceCall("SetEditing", parameters)
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let answer = try context.showAnswer(in: try context.service.call(call))
        let output = context.output
        if begins, answer.exitCode == .ok, !output.isJSON, !output.isQuiet {
            let item = try context.item(answer.id.text)
            try output.print(
                TodayPage([item], output.presentation, .init(numbers: true, commands: true, whole: true)).lines)
        }
        return answer.exitCode
    }
}
