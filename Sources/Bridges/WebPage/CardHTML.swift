// SPDX-License-Identifier: MIT

import JSON
import Rendering
import TodayModel

/// A card at its place on the page, with what the script needs to know of it.
package struct CardHTML {
    private let item: Item
    private let now: WallTime
    private let hasChanges: Bool

    /// - Parameter hasChanges: whether the page lets the widgets be changed.
    package init(_ item: Item, now: WallTime, hasChanges: Bool) {
        self.item = item
        self.now = now
        self.hasChanges = hasChanges
    }

    package var html: String {
        var facts = "data-id=\"\(item.id.text)\" data-position=\"\(item.position)\""
        if let confirmed = item.confirmed ?? item.taken { facts += " data-since=\"\(confirmed.microseconds / 1_000)\"" }
        if let fresh = item.freshUntil { facts += " data-fresh=\"\(fresh.microseconds / 1_000)\"" }
        let card = HTMLCard(item, now: now, hasValues: true, pictures: Route.picturePath, footer: controls)
        return "<div class=\"place\" \(facts)>\n\(card.html)</div>\n"
    }

    /// What is changed of a widget as a whole. Without the script these buttons do nothing and are not shown.
    private var controls: String {
        guard hasChanges, item.isVisible else { return "" }
        var more = ""
        switch (item.mode, item.largestMode) {
        case (.compact, .expanded): more = button("More", "expand", "More of")
        case (.expanded, .expanded): more = button("Less", "collapse", "Less of")
        case (_, .compact): break
        }
        if item.isEdited {
            more += button("Done", "done", "Keep the changes of") + button("Cancel", "cancel", "Undo the changes of")
        } else if item.allowsEditing {
            more += button("Info", "begin", "Edit")
        }
        let arrange =
            button("↑", "up", "Move up") + button("↓", "down", "Move down") + button("Update", "update", "Update")
            + button("Hide", "disable", "Hide")
        return "<p class=\"controls\">\n\(more)<span class=\"arrange\">\n\(arrange)</span></p>\n"
    }

    private func button(_ title: String, _ change: String, _ label: String) -> String {
        let name = Markup.escaped(item.name)
        return "<button type=\"button\" data-change=\"\(change)\" aria-label=\"\(label) \(name)\">\(title)</button>\n"
    }
}

/// Cards that have changed, as an event of the stream.
package struct CardsEvent {
    private let cards: [(item: Item, html: String)]
    private let removed: [WidgetID]
    private let isWhole: Bool

    /// - Parameter isWhole: whether other cards than these are gone.
    package init(_ cards: [(item: Item, html: String)], removed: [WidgetID], isWhole: Bool) {
        self.cards = cards
        self.removed = removed
        self.isWhole = isWhole
    }

    package var bytes: [UInt8] {
        let changed = cards.map { card in
            JSONObject([
                ("id", .string(card.item.id.text)), ("position", JSON(card.item.position)),
                ("html", .string(card.html)),
            ])
        }
        let data: JSONObject = ["cards": JSON(changed), "removed": JSON(removed.map(\.text)), "whole": JSON(isWhole)]
        return EventStream.event("cards", JSON.object(data).text)
    }
}
