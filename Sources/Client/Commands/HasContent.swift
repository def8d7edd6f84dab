// SPDX-License-Identifier: MIT

import Arguments
import Console
import JSON
import Link

/// Sets the has-content flag of a widget, as its containing app does.
struct SetHasContent: PlainCall {
    static let command = Command(
        "set-has-content", summary: "show or hide a widget, as its app does",
        description: """
            While the flag is false the widget is hidden and not launched, until it is set to true again: by this command or \
            by its app. What no app is to bring back is for 'todayctl disable'.
            """,
        positionals: [
            .widget(),
            Positional(
                "FLAG", choices: ["true", "false"], synonyms: Positional.booleans("true", "false"),
                help: "Whether it has content"),
        ],
        examples: [
            .init("todayctl set-has-content disk false", "Hides it, until it has content again."),
            .init("todayctl set-has-content disk true", "Shows it again."),
        ])

    let call: ServiceCall

    init(_ arguments: ParsedArguments) {
        call = ServiceCall(
            "SetHasContent",
            ["id": .string(arguments.word("ID")), "hasContent": .bool(arguments.word("FLAG") == "true")])
    }
}

/// Prints the has-content flag of a widget, which is also the exit code.
struct HasContent: ControlCommand {
    static let command = Command(
        "has-content", summary: "ask whether a widget has content",
        description: "Prints true or false; the exit status is 0 for true and 1 for false.",
        positionals: [.widget()],
        examples: [.init("todayctl -q has-content disk || echo hidden", "By the exit status alone.")])

    let call: ServiceCall

    init(_ arguments: ParsedArguments) {
        call = ServiceCall("HasContent", ["id": .string(arguments.word("ID"))])
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let reply = try context.service.call(call)
        let hasContent = try context.service.translated {
            try JSONField(root: .object(reply)).required("hasContent").bool()
        }
        if context.output.isJSON {
            try context.output.print(.object(reply))
        } else if !context.output.isQuiet {
            try context.output.print("\(hasContent)")
        }
        return hasContent ? .ok : .no
    }
}
