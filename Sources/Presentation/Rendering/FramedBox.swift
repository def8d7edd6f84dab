// SPDX-License-Identifier: MIT

/// Blocks of lines in a frame with a title, in two columns where there is room.
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
