// SPDX-License-Identifier: MIT

import TodayModel

/// The columns of a page, which fill its width: as many as are wide enough to read. If todayd.conf offers widgets more or fewer
/// columns than usual, a column of cards has that width.
package struct CardColumns: Equatable {
    static let gap = 2
    private static let usual = 44...72

    let count: Int
    package let width: Int

    package init(for items: [Item], in width: Int) {
        let offered = items.map(Card.width).max() ?? Card.usualWidth
        let (least, most) =
            offered == Card.usualWidth ? (Self.usual.lowerBound, Self.usual.upperBound) : (offered, offered)
        count = min(max((width + Self.gap) / (least + Self.gap), 1), max(items.count, 1))
        self.width = min((width - (count - 1) * Self.gap) / count, most)
    }

    /// One column.
    package init(oneFor items: [Item], in width: Int) {
        count = 1
        self.width = CardColumns(for: Array(items.prefix(1)), in: width).width
    }

    /// The first cell of a column.
    package func start(of column: Int) -> Int { column * (width + Self.gap) }
}

/// Cards in columns. The shortest column gets the next card, so that cards keep the user's order and leave no holes.
package struct CardGrid {
    package struct Place: Equatable, Sendable {
        package let column: Int
        package let rows: Range<Int>

        package init(column: Int, rows: Range<Int>) {
            self.column = column
            self.rows = rows
        }
    }

    package let columns: CardColumns
    /// The place of each card.
    package private(set) var places: [Place] = []
    /// The rows of all columns, without empty ones at the end.
    package private(set) var height = 0
    private let cards: [[StyledLine]]
    /// The cards of each column.
    private var members: [[Int]]

    /// - Parameter areSeparated: whether an empty line separates cards, except those of one row.
    package init(_ cards: [[StyledLine]], in columns: CardColumns, areSeparated: Bool = true) {
        self.cards = cards
        self.columns = columns
        members = [[Int]](repeating: [], count: columns.count)
        var ends = [Int](repeating: 0, count: columns.count)
        for (index, card) in cards.enumerated() {
            var target = 0
            for column in ends.indices where ends[column] < ends[target] { target = column }
            // No empty line follows a card that ends with one.
            if areSeparated, let last = members[target].last, (cards[last].last?.width ?? 0) > 0,
                max(cards[last].count, card.count) > 1
            {
                ends[target] += 1
            }
            places.append(Place(column: target, rows: ends[target]..<ends[target] + card.count))
            members[target].append(index)
            ends[target] += card.count
            let drawn = (card.lastIndex { $0.width > 0 } ?? -1) + 1
            height = max(height, places[index].rows.lowerBound + drawn)
        }
    }

    package var lines: [StyledLine] { lines(0..<height) }

    /// The lines of some rows.
    package func lines(_ rows: Range<Int>) -> [StyledLine] {
        let rows = rows.clamped(to: 0..<height)
        var lines = [StyledLine](repeating: StyledLine(), count: rows.count)
        for (column, members) in members.enumerated() {
            for index in members {
                let place = places[index].rows
                for row in place.clamped(to: rows) {
                    let line = cards[index][row - place.lowerBound]
                    if line.width == 0 { continue }
                    lines[row - rows.lowerBound].appendSpaces(
                        columns.start(of: column) - lines[row - rows.lowerBound].width)
                    lines[row - rows.lowerBound].append(line)
                }
            }
        }
        return lines
    }

    /// The card at a cell.
    package func card(at column: Int, row: Int) -> Int? {
        places.firstIndex { place in
            let start = columns.start(of: place.column)
            return place.rows.contains(row) && (start..<start + columns.width).contains(column)
        }
    }
}
