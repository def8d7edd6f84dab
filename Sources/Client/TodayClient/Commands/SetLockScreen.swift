// SPDX-License-Identifier: MIT

import Arguments
import JSON
import Varlink

/// Decides whether a widget may be seen by people who pass by.
struct SetLockScreen: PlainCall {
    static let command = Command(
        "lock-screen", summary: "let a widget be shown while the session is locked, or not",
        positionals: [
            .widget(),
            Positional(
                "PERMISSION", choices: ["allow", "deny"], synonyms: Positional.booleans("allow", "deny"),
                help: "Whether it may"),
        ])

    let call: ServiceCall

    init(_ arguments: ParsedArguments) {
        call = ServiceCall(
            "SetLockScreen",
            ["id": .string(arguments.word("ID")), "allowed": .bool(arguments.word("PERMISSION") == "allow")])
    }
}
