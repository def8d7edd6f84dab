// SPDX-License-Identifier: MIT

import Arguments
import JSON
import Rendering
import TodayModel

/// All widgets, including those that are not shown.
struct List: ControlCommand {
    static let command = Command(
        "list", summary: "list all widgets",
        description: """
            In the user's order, with those that are not shown. COMMANDS is what todayctl can do with a widget now: show more or less of it, or \
            edit it. Files that cannot be widgets are complained of on standard error.
            """,
        options: [
            .point, .sort,
            Option("ids", help: "Print the identifiers only, one a line"),
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
            // Read from the JSON itself, so that content which this version cannot read does no harm.
            let ids = (reply["widgets"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
            for id in ids { try output.print(id) }
        } else if output.isJSON {
            try output.print(.object(reply))
        } else if !output.isQuiet {
            let items = try context.service.translated { try reply.items("widgets") }
            try output.print(ItemTable(items, output.listing).lines)
            // On standard error, because a program may read the list.
            let complaints = context.service.complaintsAboutManifests(known: items.first?.id)
            for complaint in complaints.ofWidgets { output.warn(complaint) }
        }
        return .ok
    }
}

/// The order in which widgets are shown.
enum ItemOrder: String, CaseIterable {
    /// The user's order, which `todayctl move` changes.
    case order
    /// The highest relevance first, as the widgets judge it. Widgets without a relevance are last.
    case relevance

    /// Items with the same relevance keep their order.
    func sorted(_ items: [Item], at now: WallTime) -> [Item] {
        sorted(items) { $0.content?.relevance.flatMap { Self.score($0.score, until: $0.until, at: now) } }
    }

    /// Sorts items that are still JSON.
    func sorted(_ items: [JSON], at now: WallTime) -> [JSON] {
        sorted(items) { item in
            guard let relevance = item["content"]?["relevance"], let score = relevance["score"]?.doubleValue else {
                return nil
            }
            let until = relevance["until"]?.intValue.map { WallTime(microseconds: $0) }
            return Self.score(score, until: until, at: now)
        }
    }

    /// Nil after `until`: the item then counts as one without a relevance.
    private static func score(_ score: Double, until: WallTime?, at now: WallTime) -> Double? {
        if let until, until <= now { return nil }
        return score
    }

    private func sorted<Element>(_ elements: [Element], score: (Element) -> Double?) -> [Element] {
        if self == .order { return elements }
        let scored = elements.enumerated().map { (place: $0.offset, score: score($0.element), element: $0.element) }
        return scored.sorted { first, second in
            // An item without a score comes after a score of 0.
            let (left, right) = (first.score ?? -1, second.score ?? -1)
            return left == right ? first.place < second.place : left > right
        }.map(\.element)
    }
}
