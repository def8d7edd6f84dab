// SPDX-License-Identifier: MIT

import Arguments
import Console
import JSON
import Link
import TodayModel

/// Moves a widget in the user's order.
struct Move: PlainCall {
    static let command = Command(
        "move", summary: "put a widget to another place in the order",
        positionals: [
            .widget(),
            Positional("PLACE", choices: ["first", "last", "up", "down", "before", "after"], help: "Where to"),
            Positional(
                "OTHER", isOptional: true, completion: CompletionKind.widgets.completion,
                help: "The widget before or after which it goes"),
        ],
        examples: [.init("todayctl move disk before load", "Disk use above the load.")])

    let call: ServiceCall

    init(_ arguments: ParsedArguments) throws {
        let place = arguments.word("PLACE")
        let other = arguments.positional("OTHER")
        if (place == "before" || place == "after") != (other != nil) {
            let reason = other == nil ? "missing OTHER: \(place) which widget?" : "'\(place)' takes no other widget"
            throw UsageError(commands: ["todayctl", "move"], reason: reason)
        }
        call = .moving(arguments.word("ID"), place, other)
    }
}

/// Enables a widget that the user has disabled.
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
        call = .enabling(arguments.word("ID"), true)
    }
}

/// Disables a widget: todayd neither runs nor shows it until the user enables it.
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
        call = .enabling(arguments.word("ID"), false)
    }
}

/// Shows the expanded view of a widget.
struct Expand: PlainCall {
    static let command = Command("expand", summary: "show a widget's expanded view", positionals: [.widget()])

    let call: ServiceCall

    init(_ arguments: ParsedArguments) {
        call = .setting(.expanded, of: arguments.word("ID"))
    }
}

/// Shows the compact view of a widget.
struct Collapse: PlainCall {
    static let command = Command("collapse", summary: "show a widget's compact view", positionals: [.widget()])

    let call: ServiceCall

    init(_ arguments: ParsedArguments) {
        call = .setting(.compact, of: arguments.word("ID"))
    }
}

/// Sets whether a widget is shown while the session is locked.
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
        call = .allowing(onLockScreen: arguments.word("PERMISSION") == "allow", arguments.word("ID"))
    }
}
