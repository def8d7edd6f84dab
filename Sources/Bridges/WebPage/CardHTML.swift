// SPDX-License-Identifier: MIT

import JSON
import Rendering
import TodayModel

/// A card with its attributes for the script: its place and what can be done with it.
package struct CardHTML {
    private let item: Item
    private let now: WallTime
    private let hasChanges: Bool

    /// - Parameter hasChanges: whether the page allows changes.
    package init(_ item: Item, now: WallTime, hasChanges: Bool) {
        self.item = item
        self.now = now
        self.hasChanges = hasChanges
    }

    package var html: String {
        var facts = "data-id=\"\(item.id.text)\" data-position=\"\(item.position)\""
        if let mark = item.stateMark { facts += " data-mark=\"\(mark)\"" }
        if item.hasAge, let confirmed = item.confirmed ?? item.taken {
            facts += " data-since=\"\(confirmed.microseconds / 1_000)\""
        }
        if let fresh = item.freshUntil { facts += " data-fresh=\"\(fresh.microseconds / 1_000)\"" }
        let card = HTMLCard(
            item, now: now, hasValues: true, pictures: Route.picturePath, button: chevron, footer: controls)
        return "<div class=\"place\" \(facts)>\n\(card.html)</div>\n"
    }

    /// Shows more or less of the widget. Without the script it does nothing and is not shown, like the other buttons.
    private var chevron: String {
        guard hasChanges, item.isVisible, item.largestMode == .expanded else { return "" }
        return switch item.mode {
        case .compact: button("⌄", "expand", "More of", kind: "chevron")
        case .expanded: button("⌃", "collapse", "Less of", kind: "chevron")
        }
    }

    /// The buttons of editing, labelled in the widget's own words.
    private var controls: String {
        guard hasChanges, item.isVisible else { return "" }
        var buttons = ""
        if item.isEdited {
            buttons = button("Done", "done", "Keep the changes of") + button("Cancel", "cancel", "Undo the changes of")
        } else if item.allowsEditing {
            buttons = button("Info", "begin", "Edit")
        }
        return buttons.isEmpty ? "" : "<p class=\"controls\">\n\(buttons)</p>\n"
    }

    private func button(_ title: String, _ change: String, _ label: String, kind: String? = nil) -> String {
        let name = Markup.escaped(item.name)
        let kind = kind.map { " class=\"\($0)\"" } ?? ""
        return
            "<button type=\"button\"\(kind) data-change=\"\(change)\" aria-label=\"\(label) \(name)\">\(title)</button>\n"
    }
}

/// Cards that have changed, as an event of the stream.
package struct CardsEvent {
    private let cards: [(item: Item, html: String)]
    private let removed: [WidgetID]
    private let isWhole: Bool

    /// - Parameter isWhole: whether the page has to drop all other cards.
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
