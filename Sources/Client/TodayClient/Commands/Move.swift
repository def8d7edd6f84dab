// SPDX-License-Identifier: MIT

import Arguments
import JSON
import Varlink

/// Changes the user's order.
struct Move: PlainCall {
    static let command = Command(
        "move", summary: "put a widget to another place in the order",
        positionals: [
            .widget(),
            Positional("PLACE", choices: ["first", "last", "up", "down", "before", "after"], help: "Where to"),
            Positional(
                "OTHER", isOptional: true, completion: Complete.Kind.widgets.completion,
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
        call = ServiceCall(
            "Move", optional: [("id", arguments.word("ID")), ("to", place), ("other", other)])
    }
}
