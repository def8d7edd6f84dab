// SPDX-License-Identifier: MIT

import Arguments
import Varlink

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

    func run(in session: Session) throws -> ExitCode {
        let reply = try session.service.call(call)
        let hasContent = try session.service.translated {
            try JSONField(root: .object(reply)).required("hasContent").bool()
        }
        if session.output.isJSON {
            try session.output.print(.object(reply))
        } else if !session.output.isQuiet {
            try session.output.print("\(hasContent)")
        }
        return hasContent ? .ok : .no
    }
}
