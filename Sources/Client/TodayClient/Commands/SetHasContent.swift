// SPDX-License-Identifier: MIT

import Arguments
import Varlink

/// Shows or hides a widget, as its containing app would.
struct SetHasContent: PlainCall {
    static let command = Command(
        "set-has-content", summary: "show or hide a widget",
        description: "While the flag is false the widget is hidden and not launched, until it is set to true again.",
        positionals: [
            .widget(), Positional("FLAG", choices: ["true", "false"], help: "Whether it has content"),
        ])

    let call: ServiceCall

    init(_ arguments: ParsedArguments) {
        call = ServiceCall(
            "SetHasContent",
            ["id": .string(arguments.word("ID")), "hasContent": .bool(arguments.word("FLAG") == "true")])
    }
}
