// SPDX-License-Identifier: MIT

import Arguments
import JSON
import Link
import Rendering
import TodayModel

/// What the user asks to see: the widgets of a place or single ones, in which order, and how much of each.
package struct ViewRequest {
    package let ids: [String]
    package let point: ExtensionPoint?
    package let order: ItemOrder
    package let extras: TodayPage.Extras
    private let arguments: ParsedArguments

    package init(_ arguments: ParsedArguments) {
        ids = arguments.positionals("ID")
        point = arguments.extensionPoint
        order = arguments.order
        extras = TodayPage.Extras(
            numbers: arguments.has("numbers"), commands: !ids.isEmpty, whole: !ids.isEmpty || arguments.has("all"))
        self.arguments = arguments
    }

    package var call: ServiceCall { .show(ids, at: point) }

    /// The command that prints all lines, for the last line of a screen that is too small. It omits `--socket`, whose path
    /// is too long for that line.
    package var commandForAll: String {
        var words = ["todayctl"] + arguments.instanceOptions
        words.append("show")
        if let point { words += ["--point", point.name] }
        return (words + (ids.isEmpty ? ["--all"] : ids)).joined(separator: " ")
    }

    /// The lines of the view.
    package func lines(_ items: [Item], _ presentation: Presentation) -> [StyledLine] {
        TodayPage(order.sorted(items, at: presentation.now), presentation, extras).lines
    }

    /// The reply with its items sorted.
    package func sorted(_ reply: JSONObject) -> JSONObject {
        guard order != .order, let items = reply["items"]?.arrayValue else { return reply }
        var reply = reply
        reply["items"] = .array(order.sorted(items, at: WallTime.now))
        return reply
    }
}
