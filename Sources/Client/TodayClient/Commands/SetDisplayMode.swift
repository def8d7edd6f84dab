// SPDX-License-Identifier: MIT

import Arguments

/// Gives a widget all the room it can use.
struct Expand: PlainCall {
    static let command = Command("expand", summary: "show a widget's expanded view", positionals: [.widget()])

    let call: ServiceCall

    init(_ arguments: ParsedArguments) {
        call = ServiceCall("SetDisplayMode", ["id": .string(arguments.word("ID")), "mode": "expanded"])
    }
}

/// Gives a widget a few lines.
struct Collapse: PlainCall {
    static let command = Command("collapse", summary: "show a widget's compact view", positionals: [.widget()])

    let call: ServiceCall

    init(_ arguments: ParsedArguments) {
        call = ServiceCall("SetDisplayMode", ["id": .string(arguments.word("ID")), "mode": "compact"])
    }
}
