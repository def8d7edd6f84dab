// SPDX-License-Identifier: MIT

import Arguments
import JSON
import Varlink

/// Shows or hides a widget, as its containing app would.
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
