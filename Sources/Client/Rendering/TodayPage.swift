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

        package init(numbers: Bool = false, commands: Bool = false) {
            hasNumbers = numbers
            hasCommands = commands
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
            if !columns[target].isEmpty { columns[target].append(Line()) }
            columns[target] += lines(item, width: width)
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
        let card = Card(item, presentation, isNumbered: extras.hasNumbers).lines(width: width)
        return extras.hasCommands ? card + ItemCommands(item).lines(width: width, presentation) : card
    }
}
