// SPDX-License-Identifier: MIT

import TodayModel

/// The Today view: cards below each other, and beside each other where all of them have the room that they are offered.
package struct TodayPage {
    /// What is on it besides the cards.
    package struct Extras: Sendable {
        /// What can be pressed or opened has its number.
        package var hasNumbers = false
        /// Below each card stands what the user may do with the widget.
        package var hasCommands = false
        /// Widgets have all the rows that they draw, not only those that they are offered.
        package var isWhole = false

        package init(numbers: Bool = false, commands: Bool = false, whole: Bool = false) {
            hasNumbers = numbers
            hasCommands = commands
            isWhole = whole
        }
    }

    let items: [Item]
    let presentation: Presentation
    let extras: Extras

    static let gap = 3

    package init(_ items: [Item], _ presentation: Presentation, _ extras: Extras = Extras()) {
        self.items = items
        self.presentation = presentation
        self.extras = extras
    }

    package var lines: [Line] {
        let widest = items.map(Card.width).max() ?? 1
        let count = min(max((presentation.width + Self.gap) / (widest + Self.gap), 1), max(items.count, 1))
        let width = min(presentation.width, widest)
        var columns = [[Line]](repeating: [], count: count)
        for item in items {
            // The shortest column is the next place that is read: the user's order, and no holes.
            var target = 0
            for index in columns.indices where columns[index].count < columns[target].count { target = index }
            // Room that a card leaves free below itself parts it from the next one, too.
            if let last = columns[target].last, last.width > 0 { columns[target].append(Line()) }
            columns[target] += lines(item, width: width)
        }
        for index in columns.indices {
            while let last = columns[index].last, last.width == 0 { columns[index].removeLast() }
        }
        if count == 1 { return columns[0] }
        return (0..<(columns.map(\.count).max() ?? 0)).map { row in
            var line = Line()
            for (index, column) in columns.enumerated() where row < column.count {
                line.appendSpaces(index * (width + Self.gap) - line.width)
                line.append(column[row])
            }
            return line
        }
    }

    private func lines(_ item: Item, width: Int) -> [Line] {
        let extent: Card.Extent = extras.isWhole ? .whole : .offeredWithCommand
        let card = Card(item, presentation, isNumbered: extras.hasNumbers, extent: extent).lines(width: width)
        guard extras.hasCommands else { return card }
        // They belong to what is drawn, not to the room below it.
        let drawn = (card.lastIndex { $0.width > 0 } ?? -1) + 1
        return card.prefix(drawn) + ItemCommands(item).lines(width: width, presentation)
    }
}
