// SPDX-License-Identifier: MIT

import Arguments
import Console
import JSON
import Link
import Rendering
import TodayModel

/// All widgets, including those that are not shown.
struct List: ControlCommand {
    static let command = Command(
        "list", summary: "list all widgets",
        description: """
            Lists all widgets in the user's order, including those that are not shown. COMMANDS is what todayctl can \
            do with a widget now: show more or less of it, or edit it. Files that cannot be widgets are reported on \
            standard error.
            """,
        options: [
            .point, .sort,
            Option("ids", help: "Print only the identifiers, one per line"),
        ], exclusiveOptions: [["json", "ids"]])

    let point: ExtensionPoint?
    let order: ItemOrder
    let onlyIDs: Bool

    init(_ arguments: ParsedArguments) throws {
        point = arguments.extensionPoint
        order = arguments.order
        onlyIDs = arguments.has("ids")
    }

    var call: ServiceCall { ServiceCall("List", optional: [("point", point?.rawValue)]) }

    func run(in context: CommandContext) throws -> ExitCode {
        var reply = try context.service.call(call)
        if let widgets = reply["widgets"]?.arrayValue, order != .order {
            reply["widgets"] = .array(order.sorted(widgets, at: WallTime.now))
        }
        let output = context.output
        if onlyIDs {
            // Reads the JSON itself, so that content that this version cannot read does no harm.
            let ids = (reply["widgets"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
            for id in ids { try output.print(id) }
        } else if output.isJSON {
            try output.print(.object(reply))
        } else if !output.isQuiet {
            let items = try context.service.translated { try reply.member("widgets", [Item].self) }
            try output.print(ItemTable(items, output.listing).lines)
            // On standard error, because a program may read the list.
            let complaints = context.service.complaintsAboutManifests(known: items.first?.id)
            for complaint in complaints.ofWidgets { output.warn(complaint) }
        }
        return .ok
    }
}
