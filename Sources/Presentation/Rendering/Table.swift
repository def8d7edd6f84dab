// SPDX-License-Identifier: MIT

import TodayModel

/// Rows of cells, with columns aligned by display width.
package struct Table {
    /// A column, and how it behaves if the table is too wide.
    package struct Column {
        let title: String
        let isTrailing: Bool
        /// Narrower tables omit this column.
        let minimumTableWidth: Int
        /// Whether the column is shortened if the table is too wide.
        let isElastic: Bool

        package init(
            _ title: String, trailing: Bool = false, from minimumTableWidth: Int = 0, elastic: Bool = false
        ) {
            self.title = title
            isTrailing = trailing
            self.minimumTableWidth = minimumTableWidth
            isElastic = elastic
        }
    }

    let columns: [Column]
    var rows: [[StyledLine]] = []

    package init(_ columns: [Column]) {
        self.columns = columns
    }

    package mutating func append(_ row: [StyledLine]) {
        precondition(row.count == columns.count, "a row has a cell for every column")
        rows.append(row)
    }

    package func lines(_ presentation: Presentation) -> [StyledLine] {
        let shown = columns.indices.filter { columns[$0].minimumTableWidth <= presentation.width }
        let header = columns.map { presentation.line($0.title, .dim) }
        let gap = 2
        var widths = columns.indices.map { column in
            ([header] + rows).map { $0[column].width }.max() ?? 0
        }
        var excess = shown.reduce(gap * (shown.count - 1) - presentation.width) { $0 + widths[$1] }
        for column in shown.reversed() where columns[column].isElastic && excess > 0 {
            let cut = min(excess, max(widths[column] - columns[column].title.count, 0))
            widths[column] -= cut
            excess -= cut
        }
        return ([header] + rows).map { row in
            var line = StyledLine()
            for (place, column) in shown.enumerated() {
                if place > 0 { line.appendSpaces(gap) }
                let cell = presentation.truncated(row[column], widths[column])
                let isLast = place == shown.count - 1 && !columns[column].isTrailing
                line.append(
                    isLast ? cell : cell.padded(widths[column], columns[column].isTrailing ? .trailing : .leading))
            }
            return line
        }
    }
}
