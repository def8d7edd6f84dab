// SPDX-License-Identifier: MIT

import Arguments

/// Lets a widget take part again.
struct Enable: PlainCall {
    static let command = Command(
        "enable", summary: "let a widget run and be shown",
        description: """
            Takes 'todayctl disable' back. A widget whose has-content flag is false stays hidden until \
            'todayctl set-has-content ID true'.
            """,
        positionals: [.widget()])

    let call: ServiceCall

    init(_ arguments: ParsedArguments) {
        call = ServiceCall("Enable", ["id": .string(arguments.word("ID"))])
    }
}
