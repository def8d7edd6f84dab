// SPDX-License-Identifier: MIT

import Arguments

/// Takes a widget out: neither run nor shown, until it is enabled.
struct Disable: PlainCall {
    static let command = Command(
        "disable", summary: "neither run nor show a widget",
        description: """
            This is the user's own choice: until 'todayctl enable' the widget does not come back, whatever its app says. \
            With 'todayctl set-has-content ID false' it is hidden only until it has content again.
            """,
        positionals: [.widget()])

    let call: ServiceCall

    init(_ arguments: ParsedArguments) {
        call = ServiceCall("Disable", ["id": .string(arguments.word("ID"))])
    }
}
