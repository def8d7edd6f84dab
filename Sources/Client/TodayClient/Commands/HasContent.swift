// SPDX-License-Identifier: MIT

import Arguments
import JSON

/// Asks for the flag; the exit code alone is an answer.
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
