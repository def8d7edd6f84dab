// SPDX-License-Identifier: MIT

import TodayModel

/// One widget as a card: a title line with icon, name and age, what is wrong, and the view of its display mode; along its
/// side a bar in the colour of its severity.
package struct Card {
    /// The bar and the space behind it.
    static let sideWidth = 2

    let item: Item
    let presentation: Presentation
    let isNumbered: Bool
    let extent: Extent

    /// How much of a widget that draws more than it is offered.
    package enum Extent: Hashable, Sendable {
        /// What it is offered. The last line says how much is missing.
        case offered
        /// The same, and the last line names the command that prints the rest.
        case offeredWithCommand
        /// All of it.
        case whole
    }

    /// - Parameter isNumbered: what can be pressed or opened has its number.
    package init(
        _ item: Item, _ presentation: Presentation, isNumbered: Bool = false, extent: Extent = .offered
    ) {
        self.item = item
        self.presentation = presentation
        self.isNumbered = isNumbered
        self.extent = extent
    }

    /// The room that the widget is offered, with the side; hosts give no more.
    static func width(of item: Item) -> Int { item.size.columns + sideWidth }

    /// At most `width` wide, and no wider than the room which the widget is offered.
    package func lines(width: Int) -> [Line] {
        let inner = max(min(width, Self.width(of: item)) - Self.sideWidth, 1)
        let side = Line(presentation.glyph("▎", ascii: "|"), sideStyle)
        let contents = [title(width: inner)] + complaint(width: inner) + body(width: inner)
        // The bar ends with what is drawn: room that is left free below it is no part of the picture.
        let drawn = (contents.lastIndex { $0.width > 0 } ?? 0) + 1
        return contents.enumerated().map { row, content in
            if row >= drawn { return Line() }
            var line = side
            line.appendSpaces(1)
            line.append(presentation.truncated(content, inner))
            return line
        }
    }

    // MARK: Title

    private var severity: Severity { item.content?.severity ?? .normal }

    private var sideStyle: Style {
        switch item.state {
        case .failing, .invalid: .meaning(.critical)
        default: item.isPast ? .dim : severity.color.map { Style(color: $0) } ?? .dim
        }
    }

    private func title(width: Int) -> Line {
        var name = Line()
        if let icon = item.content?.icon.flatMap({ Symbol.glyph($0, presentation.charset) }) {
            name.append(icon.width <= 2 ? Line(icon).padded(2) : Line(icon))
            name.appendSpaces(1)
        }
        name.append(presentation.printable(item.name), Style(color: item.isPast ? nil : severity.color, bold: true))
        if !severity.mark.isEmpty { name.append(presentation.printable(" \(severity.mark)"), nameStyle) }
        if item.isEdited { name.append(presentation.printable(" [editing]"), .meaning(.accent)) }

        let freshness = presentation.line(item.freshness(at: presentation.now), freshnessStyle)
        if freshness.width == 0 { return presentation.truncated(name, width) }
        // Never lose the mark of age: a long name gives way.
        let room = max(width - freshness.width - 2, 0)
        var line = presentation.truncated(name, room).padded(room)
        line.appendSpaces(min(2, width - line.width))
        line.append(freshness)
        return presentation.truncated(line, width)
    }

    private var nameStyle: Style { Style(color: severity.color, bold: true) }

    private var freshnessStyle: Style {
        switch item.state {
        case .failing, .invalid: .meaning(.critical)
        default: item.stale ? .meaning(.warning) : .dim
        }
    }

    // MARK: Below it

    private func complaint(width: Int) -> [Line] {
        guard let failure = item.failure else { return [] }
        let word: String
        switch item.state {
        // The title says it already.
        case .failing, .invalid, .unsupported: word = ""
        case .waiting: word = "failed: "
        default:
            // Something that is to be shown, and for once cannot be.
            if item.content != nil { return [] }
            word = ""
        }
        let lines = presentation.printable(word + failure).wrapped(width)
        let shown = lines.prefix(extent == .whole ? lines.count : 3).map { Line($0, .meaning(.critical)) }
        if lines.count <= shown.count { return shown }
        if extent == .offeredWithCommand {
            return shown.dropLast() + [rest(of: lines.count - shown.count + 1, width: width)]
        }
        var last = shown[shown.count - 1]
        last.append(presentation.ellipsis, .meaning(.critical))
        return shown.dropLast() + [presentation.truncated(last, width)]
    }

    private func body(width: Int) -> [Line] {
        guard let content = item.content, !content.isEmpty else {
            return item.state == .waiting && item.failure == nil ? [presentation.line("no content yet", .dim)] : []
        }
        let layout = ViewLayout(presentation: presentation, mode: item.mode, isWhole: extent == .whole)
        let drawn = isNumbered ? Numbering(content, mode: item.mode).content : content
        var lines = layout.lines(drawn, width: width)
        if let percentage = content.percentage, content.compact == nil, content.expanded == nil {
            lines.append(layout.line(.init(value: percentage / 100), labelWidth: 0, width: width))
        }
        lines = fitted(lines, width: width)
        return item.isPast ? lines.map(\.dimmed) : lines
    }

    /// The height that the widget prefers, where it does, but never more than what it was offered: it cannot push others
    /// off the screen.
    private func fitted(_ lines: [Line], width: Int) -> [Line] {
        let preferred = item.content?.rows(in: item.mode)
        let most = max(min(preferred ?? item.size.rows, item.size.rows), 1)
        if lines.count > most, extent != .whole {
            // In one line, what there is to read is more than how much there is.
            if most == 1 {
                var line = presentation.truncated(lines[0], width - presentation.ellipsis.width)
                line.append(presentation.ellipsis, .dim)
                return [line]
            }
            return lines.prefix(most - 1) + [rest(of: lines.count - most + 1, width: width)]
        }
        let missing = preferred == nil ? 0 : most - lines.count
        return lines + [Line](repeating: Line(), count: max(missing, 0))
    }

    /// A command that is cut cannot be typed: it stands there where it has room.
    private func rest(of count: Int, width: Int) -> Line {
        let words = presentation.line("+ \(count) more lines", .dim)
        guard extent == .offeredWithCommand else { return words }
        let full = presentation.line("+ \(count) more lines: todayctl show \(item.id)", .dim)
        return full.width <= width ? full : words
    }
}
