// SPDX-License-Identifier: MIT

import TodayModel

/// What a terminal shows: one line for each of its rows, none wider than it is.
package struct Frame: Equatable, Sendable {
    package let size: Size
    package let rows: [StyledLine]

    /// - Parameter lines: lines that do not fit are left out, and missing ones are empty.
    package init(_ lines: [StyledLine], _ size: Size, _ presentation: Presentation) {
        self.size = size
        let fitting = lines.prefix(size.rows).map { presentation.truncated($0, size.columns) }
        rows = fitting + [StyledLine](repeating: StyledLine(), count: max(size.rows - fitting.count, 0))
    }

    /// The first lines. If there are more, the last row counts the others and names the command that prints all, if it fits
    /// whole: a user cannot type half of it.
    package static func beginning(
        _ lines: [StyledLine], _ size: Size, _ presentation: Presentation, command: String
    ) -> Frame {
        guard lines.count > size.rows else { return Frame(lines, size, presentation) }
        let count = "+ \(lines.count - size.rows + 1) more lines"
        let texts = ["\(count); '\(command)' prints them", "\(count): \(command)", count]
        let rest = texts.map { presentation.line($0, .dim) }.first { $0.width <= size.columns }
        return Frame(lines.prefix(size.rows - 1) + [rest ?? StyledLine()], size, presentation)
    }

    /// What turns a terminal that shows another frame into one that shows this one: the rows that differ (console_codes(4)).
    /// The terminal does not wrap lines.
    ///
    /// - Parameter old: nil if it is unknown what the terminal shows: then all rows are written.
    package func text(after old: Frame?, _ colors: ColorDepth) -> String {
        let known = old.flatMap { $0.size == size ? $0.rows : nil }
        var text = ""
        for (index, row) in rows.enumerated() where known?[index] != row {
            let drawn = row.text(colors)
            // After a line as wide as the terminal, the cursor is on its last character, which clearing would remove.
            let isFull = row.width >= size.columns
            text += "\u{1B}[\(index + 1)H" + (isFull ? "\u{1B}[K" + drawn : drawn + "\u{1B}[K")
        }
        return text
    }
}

/// Blocks of lines in a frame with a title, in two columns if there is room.
package struct FramedBox {
    private static let leastWidthOfTwo = 96

    private let title: String
    private let width: Int
    private let presentation: Presentation
    private let columns: Int
    /// The width of a block.
    package let room: Int

    package init(title: String, width: Int, _ presentation: Presentation) {
        self.title = title
        self.width = width
        self.presentation = presentation
        columns = width >= Self.leastWidthOfTwo ? 2 : 1
        room = max((width - 2 - 2 * columns) / columns, 1)
    }

    /// A blank line stands between two blocks.
    package func lines(_ blocks: [[StyledLine]]) -> [StyledLine] {
        let half = blocks.reduce(0) { $0 + $1.count } / columns
        var parts = [[StyledLine]](repeating: [], count: columns)
        for block in blocks {
            let column = columns > 1 && parts[0].count + block.count / 2 > half ? 1 : 0
            parts[column] += (parts[column].isEmpty ? [] : [StyledLine()]) + block
        }
        let bar = presentation.glyph("│", ascii: "|")
        let rows = (0..<(parts.map(\.count).max() ?? 0)).map { row in
            var line = StyledLine(bar, .dim)
            for part in parts {
                line.appendSpaces(1)
                line.append((row < part.count ? part[row] : StyledLine()).padded(room))
                line.appendSpaces(1)
            }
            line = line.padded(width - 1)
            line.append(bar, .dim)
            return line
        }
        return [edge("╭", "╮", " \(title) ")] + rows + [edge("╰", "╯", "")]
    }

    private func edge(_ left: String, _ right: String, _ title: String) -> StyledLine {
        var line = StyledLine(presentation.glyph(left, ascii: "+"), .dim)
        line.append(presentation.printable(title), .bold)
        let count = max(width - line.width - 1, 0)
        let unicode = String(repeating: "─", count: count)
        line.append(presentation.glyph(unicode, ascii: String(repeating: "-", count: count)), .dim)
        line.append(presentation.glyph(right, ascii: "+"), .dim)
        return line
    }
}
