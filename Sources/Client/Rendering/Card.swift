// SPDX-License-Identifier: MIT

import TodayModel

/// One widget as a card: a title line with icon, name and age, what is wrong, and the view of its display mode; along its
/// side a bar in the colour of its severity.
package struct Card {
    let item: Item
    let presentation: Presentation

    package init(_ item: Item, _ presentation: Presentation) {
        self.item = item
        self.presentation = presentation
    }

    package func lines(width: Int) -> [Line] {
        let inner = max(width - 2, 1)
        let side = Line(presentation.glyph("▎", ascii: "|"), sideStyle)
        return ([title(width: inner)] + complaint(width: inner) + body(width: inner)).map { content in
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
        case .failing: word = "failing: "
        case .waiting: word = "failed: "
        case .invalid, .unsupported: word = "\(item.state.rawValue): "
        default:
            // Something that is to be shown, and for once cannot be.
            if item.content != nil { return [] }
            word = ""
        }
        let lines = presentation.printable(word + failure).wrapped(width)
        let shown = lines.prefix(3).map { Line($0, .meaning(.critical)) }
        if lines.count <= shown.count { return shown }
        var last = shown[shown.count - 1]
        last.append(presentation.ellipsis, .meaning(.critical))
        return shown.dropLast() + [presentation.truncated(last, width)]
    }

    private func body(width: Int) -> [Line] {
        guard let content = item.content, !content.isEmpty else {
            return item.state == .waiting && item.failure == nil ? [presentation.line("no content yet", .dim)] : []
        }
        let layout = ViewLayout(presentation: presentation, mode: item.mode)
        var lines = layout.lines(content, width: width)
        if let percentage = content.percentage, content.compact == nil, content.expanded == nil {
            lines.append(layout.line(.init(value: percentage / 100), labelWidth: 0, width: width))
        }
        // The size that was offered to the widget is the size that it gets: it cannot push others off the screen.
        let most = item.mode.maximumSize.rows
        if lines.count > most {
            let hidden = lines.count - most + 1
            lines = lines.prefix(most - 1) + [presentation.line("+ \(hidden) more lines", .dim)]
        }
        return item.isPast ? lines.map(\.dimmed) : lines
    }
}
