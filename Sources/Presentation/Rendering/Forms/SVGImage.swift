// SPDX-License-Identifier: MIT

import TodayModel

/// Cards as one SVG image, below each other. It needs no other file, contains neither scripts nor foreign elements, and adapts
/// to light and dark, so that `<img>` shows it. Its title and description say in words what it shows.
struct SVGImage {
    private let items: [Item]
    private let presentation: Presentation

    /// In pixels. A cell is as wide as a character of a monospace font of this size.
    private static let fontSize = 15
    private static let cellWidth = 9
    private static let rowHeight = 21
    private static let padding = 12
    private static let gap = 12
    private static let sideWidth = 4

    init(_ items: [Item], _ presentation: Presentation) {
        self.items = items
        self.presentation = presentation
    }

    var svg: String {
        let columns = items.map { min(presentation.width, Card.width(of: $0)) }.max() ?? Card.sideWidth
        let width = (columns - Card.sideWidth) * Self.cellWidth + 2 * Self.padding
        var y = 0
        var cards = ""
        for item in items {
            let lines = drawn(item)
            let height = lines.count * Self.rowHeight + 2 * Self.padding
            cards += card(item, lines, y: y, width: width, height: height)
            y += height + Self.gap
        }
        let height = max(y - Self.gap, 0)
        // The one pixel around the cards leaves room for the lines along their edges.
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width + 2)" height="\(height + 2)" \
            viewBox="-1 -1 \(width + 2) \(height + 2)" role="img" aria-labelledby="title description">
            <title id="title">\(Markup.escaped(title))</title>
            <desc id="description">\(Markup.escaped(description))</desc>
            <style>
            \(Self.style)</style>
            \(cards)</svg>

            """
    }

    private var title: String {
        items.count == 1 ? presentation.printable(items[0].name).text : "Today"
    }

    /// What each widget says, and how fresh it is.
    private var description: String {
        items.map { item in
            let name = presentation.printable(item.name).text
            let text = BarSegment(item, presentation).text
            return text.isEmpty ? "\(name): \(item.freshness(at: presentation.now))" : "\(name): \(text)"
        }.joined(separator: "\n")
    }

    private func drawn(_ item: Item) -> [StyledLine] {
        var lines = Card(item, presentation, extent: .whole).lines(width: presentation.width)
        while lines.count > 1, let last = lines.last, last.width == 0 { lines.removeLast() }
        return lines
    }

    private func card(_ item: Item, _ lines: [StyledLine], y: Int, width: Int, height: Int) -> String {
        var classes = ["card", item.state.rawValue, item.content?.severity.rawValue ?? "normal"]
        if item.stale { classes.append("stale") }
        var svg = "<g class=\"\(classes.joined(separator: " "))\">\n"
        svg += "<rect class=\"page\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" rx=\"\(Self.padding)\"/>\n"
        svg += "<rect class=\"side\" y=\"\(y + Self.padding)\" width=\"\(Self.sideWidth)\" "
        svg += "height=\"\(height - 2 * Self.padding)\"/>\n"
        for (row, line) in lines.enumerated() {
            svg += text(line, baseline: y + Self.padding + row * Self.rowHeight + Self.fontSize)
        }
        return svg + "</g>\n"
    }

    /// Each piece has its place and its width, so that columns stay aligned in any font.
    private func text(_ line: StyledLine, baseline: Int) -> String {
        var column = 0
        var pieces = ""
        // The bar of the card is a rectangle here.
        for (index, span) in line.spans.enumerated() {
            defer { column += span.text.width }
            if index == 0 || span.text.isBlank { continue }
            let x = Self.padding + (column - Card.sideWidth) * Self.cellWidth
            let classes = Self.classes(of: span.style)
            pieces += "<tspan x=\"\(x)\" textLength=\"\(span.text.width * Self.cellWidth)\" "
            pieces += "lengthAdjust=\"spacingAndGlyphs\"\(classes)>\(Markup.escaped(span.text.text))</tspan>"
        }
        if pieces.isEmpty { return "" }
        return "<text y=\"\(baseline)\" xml:space=\"preserve\">\(pieces)</text>\n"
    }

    /// An exact colour may not be readable on the card, so it is not used for text.
    private static func classes(of style: Style) -> String {
        var classes = Markup.colorClass(style.color)
        if style.isBold { classes.append("bold") }
        if style.isDim { classes.append("dim") }
        if style.isUnderlined { classes.append("link") }
        return classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
    }

    /// The colours are those of `HTMLPage`.
    private static let style = """
        svg { --card: #fff; --text: #1c1c1e; --soft: #5f5f66; --line: #d8d8dd; --accent: #0a5fc4; --good: #1f7a34;
          --warning: #8f5a00; --critical: #c1121f }
        @media (prefers-color-scheme: dark) { svg { --card: #1f1f23; --text: #f2f2f5; --soft: #a9a9b2; --line: #3a3a40;
          --accent: #6cb6ff; --good: #7fd17f; --warning: #ffc457; --critical: #ff8080 } }
        text { font: \(fontSize)px monospace; fill: var(--text) }
        .page { fill: var(--card); stroke: var(--line) } .side { fill: var(--line) }
        .info .side { fill: var(--accent) } .good .side { fill: var(--good) } .warning .side, .stale .side {
          fill: var(--warning) } .critical .side, .failing .side, .invalid .side { fill: var(--critical) }
        .bold { font-weight: 700 } .link { text-decoration: underline } .dim, .secondary { fill: var(--soft) }
        .accent { fill: var(--accent) } .good-text { fill: var(--good) } .warning-text { fill: var(--warning) }
        .critical-text { fill: var(--critical) }

        """
}
