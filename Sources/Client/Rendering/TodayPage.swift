// SPDX-License-Identifier: MIT

import TodayModel

/// The Today view: cards below each other, on wide terminals in columns beside each other.
package struct TodayPage {
    let items: [Item]
    let presentation: Presentation

    /// From here on there are two columns; each further one needs half of it again.
    static let twoColumns = 120
    /// Wider, and the eye loses the line between a name and its age.
    static let maximumCardWidth = 76
    static let gap = 3

    package init(_ items: [Item], _ presentation: Presentation) {
        self.items = items
        self.presentation = presentation
    }

    package var lines: [Line] {
        let count = min(max(presentation.width / (Self.twoColumns / 2), 1), max(items.count, 1))
        let width = min((presentation.width - Self.gap * (count - 1)) / count, Self.maximumCardWidth)
        var columns = [[Line]](repeating: [], count: count)
        for item in items {
            // The shortest column is the next place that is read: the user's order, and no holes.
            var target = 0
            for index in columns.indices where columns[index].count < columns[target].count { target = index }
            if !columns[target].isEmpty { columns[target].append(Line()) }
            columns[target] += Card(item, presentation).lines(width: width)
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
}
