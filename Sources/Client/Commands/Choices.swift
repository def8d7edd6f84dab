// SPDX-License-Identifier: MIT

import Arguments
import Console
import Link
import TodayModel

/// Moves widgets in the user's order.
struct Move: PlainCall {
    private static let places = ["first", "last", "up", "down", "before", "after"]

    static let command = Command(
        "move", summary: "move widgets in the order",
        positionals: [
            .widget(isRepeating: true), Positional("PLACE", choices: places, help: "Where to"),
            Positional(
                "OTHER", isOptional: true, completion: CompletionKind.widgets.completion,
                help: "The widget before or after which to put them"),
        ],
        examples: [
            .init("todayctl move disk before load", "Disk use above the load."),
            .init("todayctl move backup ci first", "Both on top, the backup first."),
        ])

    let calls: [ServiceCall]

    init(_ arguments: ParsedArguments) throws {
        let place = arguments.word("PLACE")
        let other = arguments.positional("OTHER")
        if (place == "before" || place == "after") != (other != nil) {
            let reason = other == nil ? "missing OTHER: \(place) which widget?" : "'\(place)' takes no other widget"
            throw UsageError(commands: ["todayctl", "move"], reason: reason)
        }
        let calls = arguments.positionals("ID").map { ServiceCall.moving($0, place, other) }
        // Of several widgets that move to such a place, the last one moved ends up in front.
        self.calls = ["first", "down", "after"].contains(place) ? calls.reversed() : calls
    }
}

/// Enables widgets that the user has disabled, or allows them on the lock screen.
struct Enable: PlainCall {
    static let command = Command(
        "enable", summary: "let widgets run and be shown",
        description: """
            Reverses 'todayctl disable'. A widget whose has-content flag is false stays hidden until 'todayctl \
            set-has-content ID true'. With --on, widgets are also shown in this place, whatever their manifest says; \
            but on the lock screen, which other people can read, only if the manifest allows it.
            """,
        options: [.place("on", help: "Show them in this place")], positionals: [.widget(isRepeating: true)],
        examples: [
            .init("todayctl enable --on today volume", "Shows a bar's script in the Today view, too."),
            .init("todayctl enable --on lock-screen disk", "Shows it while the session is locked, too."),
        ], advice: ["--from": "did you mean '--on PLACE'?"])

    let calls: [ServiceCall]

    init(_ arguments: ParsedArguments) { calls = arguments.calls(enabling: true, at: "on") }
}

/// Disables widgets: todayd neither runs nor shows them until the user enables them.
struct Disable: PlainCall {
    static let command = Command(
        "disable", summary: "neither run nor show widgets",
        description: """
            This is the user's own choice: the widget does not come back before 'todayctl enable', whatever its app \
            says. 'todayctl set-has-content ID false' hides it only until it has content again. With --from, the \
            widget is not shown in this place but runs as before, for the other places and for bars that name it.
            """,
        options: [.place("from", help: "Hide them only in this place")], positionals: [.widget(isRepeating: true)],
        examples: [.init("todayctl disable --from today volume", "It stays in the bar.")],
        advice: ["--on": "did you mean '--from PLACE'?"])

    let calls: [ServiceCall]

    init(_ arguments: ParsedArguments) { calls = arguments.calls(enabling: false, at: "from") }
}

/// Shows the expanded view of widgets.
struct Expand: PlainCall {
    static let command = Command(
        "expand", summary: "show the expanded view of widgets", positionals: [.widget(isRepeating: true)])

    let calls: [ServiceCall]

    init(_ arguments: ParsedArguments) { calls = arguments.positionals("ID").map { .setting(.expanded, of: $0) } }
}

/// Shows the compact view of widgets.
struct Collapse: PlainCall {
    static let command = Command(
        "collapse", summary: "show the compact view of widgets", positionals: [.widget(isRepeating: true)])

    let calls: [ServiceCall]

    init(_ arguments: ParsedArguments) { calls = arguments.positionals("ID").map { .setting(.compact, of: $0) } }
}

/// Sets whether widgets have content, as their containing apps do.
struct SetHasContent: PlainCall {
    static let command = Command(
        "set-has-content", summary: "show or hide widgets, as their apps do",
        description: """
            While the flag is false, the widget is hidden and not launched, until this command or its app sets the \
            flag to true again. To hide a widget so that no app can bring it back, use 'todayctl disable'. 'todayctl \
            get ID has-content' prints the flag.
            """,
        positionals: [
            .widget(isRepeating: true),
            Positional(
                "FLAG", choices: ["true", "false"], synonyms: Positional.booleans("true", "false"),
                help: "Whether they have content"),
        ],
        examples: [
            .init("todayctl set-has-content disk false", "Hides it until it has content again."),
            .init("todayctl set-has-content disk true", "Shows it again."),
        ])

    let calls: [ServiceCall]

    init(_ arguments: ParsedArguments) {
        let flag = arguments.word("FLAG") == "true"
        calls = arguments.positionals("ID").map { .settingHasContent(flag, of: $0) }
    }
}

extension Option {
    fileprivate static func place(_ name: String, help: String) -> Option {
        Option(name, value: "PLACE", choices: Option.point.choices, synonyms: Option.point.synonyms, help: help)
    }
}

extension ParsedArguments {
    fileprivate func calls(enabling isEnabled: Bool, at option: String) -> [ServiceCall] {
        let point = value(option).flatMap { ExtensionPoint(name: $0) }
        return positionals("ID").map { .enabling($0, isEnabled, at: point) }
    }
}
