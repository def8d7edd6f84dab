// SPDX-License-Identifier: MIT

import TodayModel

extension ViewLayout {
    /// Draws an item with its children below it, as an outline.
    func lines(_ item: View.Item, width: Int) -> [StyledLine] {
        let isClosed = mode == .compact && !item.children.isEmpty
        let pieces = fitted(title(of: item), width: max(width - (isClosed ? 4 : 2), 1))
        var lines = pieces.enumerated().map { place, piece in
            var line = place == 0 ? mark(of: item) : StyledLine()
            if place > 0 { line.appendSpaces(2) }
            line.append(piece)
            return line
        }
        if item.children.isEmpty { return lines }
        // In the compact mode the outline is closed, and a mark shows that there is more.
        if isClosed {
            lines[lines.count - 1].append(presentation.glyph(" ›", ascii: " >"), .dim)
            return lines.map { presentation.truncated($0, width) }
        }
        // Numbering counts nothing below a disabled item.
        var inner = self
        inner.isNumbered = isNumbered && !item.isDisabled
        return lines
            + inner.lines(below: item.children, width: width - 2).map { child in
                var line = StyledLine()
                line.appendSpaces(2)
                line.append(child)
                return line
            }
    }

    private func mark(of item: View.Item) -> StyledLine {
        item.isChecked
            ? StyledLine(presentation.glyph("✓ ", ascii: "+ "), .meaning(.good))
            : StyledLine(presentation.glyph("• ", ascii: "* "), .dim)
    }

    private func title(of item: View.Item) -> StyledLine {
        var line = StyledLine()
        if let glyph = item.symbol.flatMap({ Symbol.glyph($0, charset) }) {
            line.append(glyph)
            line.appendSpaces(1)
        }
        let acts = item.url != nil || item.action != nil || item.command != nil || item.updates
        var style = item.isDisabled ? Style.dim : acts ? .link : .plain
        if let color = item.color, !item.isDisabled { style.color = color }
        line.append(presentation.printable(item.title), style)
        if let badge = item.badge { line.append(presentation.printable(" \(badge)"), .dim) }
        return line
    }
}

extension View {
    /// Whether it replaces the previous item only while the user holds a key, which terminals do not report.
    var isAlternate: Bool { if case .item(let item) = self { item.isAlternate } else { false } }
}
