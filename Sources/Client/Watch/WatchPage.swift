// SPDX-License-Identifier: MIT

import Rendering
import TodayModel

/// The widgets on a page, and where their cards stand.
struct WatchPage {
    let items: [Item]
    let grid: CardGrid

    init(_ items: [Item], _ state: WatchState, _ cards: inout CardCache) {
        self.items = items
        let columns =
            state.isViewEdited
            ? CardColumns(oneFor: items, in: state.presentation.width)
            : CardColumns(for: items, in: state.presentation.width)
        let drawn = items.map { cards.lines(state.card($0), width: columns.width) }
        grid = CardGrid(drawn, in: columns, areSeparated: !state.isViewEdited)
    }
}

/// The lines of the cards that were drawn last.
struct CardCache {
    private struct Entry {
        let freshness: String
        let isSelected: Bool
        let width: Int
        let lines: [StyledLine]
    }

    private var entries: [WidgetID: Entry] = [:]

    mutating func clear() { entries = [:] }

    mutating func remove(_ id: WidgetID) { entries[id] = nil }

    mutating func lines(_ card: Card, width: Int) -> [StyledLine] {
        let freshness = card.item.freshnessOfCard(at: card.presentation.now)
        if let known = entries[card.item.id],
            (known.freshness, known.isSelected, known.width) == (freshness, card.isSelected, width)
        {
            return known.lines
        }
        let lines = card.lines(width: width)
        entries[card.item.id] = Entry(
            freshness: freshness, isSelected: card.isSelected, width: width, lines: lines)
        return lines
    }
}
