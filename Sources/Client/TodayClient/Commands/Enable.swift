// SPDX-License-Identifier: MIT

import Arguments

/// Lets a widget take part again.
struct Enable: PlainCall {
    static let command = Command("enable", summary: "let a widget run and be shown", positionals: [.widget()])

    let call: ServiceCall

    init(_ arguments: ParsedArguments) {
        call = ServiceCall("Enable", ["id": .string(arguments.word("ID"))])
    }
}
