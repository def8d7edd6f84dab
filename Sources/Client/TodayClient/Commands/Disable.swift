// SPDX-License-Identifier: MIT

import Arguments

/// Takes a widget out: neither run nor shown, until it is enabled.
struct Disable: PlainCall {
    static let command = Command("disable", summary: "neither run nor show a widget", positionals: [.widget()])

    let call: ServiceCall

    init(_ arguments: ParsedArguments) {
        call = ServiceCall("Disable", ["id": .string(arguments.word("ID"))])
    }
}
