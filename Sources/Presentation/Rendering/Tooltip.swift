// SPDX-License-Identifier: MIT

import TodayModel

/// What a bar shows of a widget while the mouse rests on it: its name and state, then its own tooltip, or otherwise its content
/// in words. A bar uses a proportional font, so there are no bars or charts made of characters.
struct Tooltip {
    private static let mostLines = 24

    private let item: Item
    private let presentation: Presentation

    init(_ item: Item, _ presentation: Presentation) {
        self.item = item
        self.presentation = presentation
    }

    var text: String {
        var lines = [heading] + words
        if let failure = item.failure, item.state.isTrouble || item.content == nil {
            lines += presentation.printable(failure).wrapped(presentation.width).prefix(4).map(\.text)
        }
        if lines.count > Self.mostLines {
            let missing = lines.count - Self.mostLines + 1
            lines = lines.prefix(Self.mostLines - 1) + ["+ \(missing) more lines"]
        }
        return lines.joined(separator: "\n")
    }

    private var heading: String {
        let name = presentation.printable(item.name).text
        let isDated = item.hasVisibleAge && item.state != .empty || item.content == nil
        let mark = isDated ? item.freshness(at: presentation.now) : ""
        return mark.isEmpty ? name : "\(name) · \(mark)"
    }

    private var words: [String] {
        guard let content = item.content else { return [] }
        if let own = content.tooltip { return Printable.lines(of: own, presentation.charset).map(\.text) }
        let lines = self.lines(of: content.view(for: max(item.mode, item.largestMode))).filter {
            !$0.allSatisfy(\.isWhitespace)
        }
        return lines.isEmpty ? wrapped(content.text) : lines
    }

    private func wrapped(_ text: String) -> [String] {
        Printable.lines(of: text, presentation.charset).flatMap { $0.wrapped(presentation.width).map(\.text) }
    }

    // MARK: A view in words

    private func lines(of view: View) -> [String] {
        switch view {
        case .text(let text): return wrapped(text.text)
        case .progress(let progress):
            return [pair(progress.label, progress.text ?? NumberText.percentage(progress.value))]
        case .chart(let chart):
            guard let curve = ChartCurve(chart) else { return [] }
            let range = [curve.low, curve.high].map { NumberText.short($0) }.joined(separator: " – ")
            return [pair(chart.label, range)]
        case .image(let image): return image.alternative.map(wrapped) ?? []
        // Nothing in a tooltip can be pressed.
        case .button, .spacer, .divider: return []
        case .link(let link): return wrapped(link.title)
        case .item(let item):
            if item.isAlternate { return [] }
            let mark = item.isChecked ? "✓ " : ""
            return [pair(mark + item.title, item.badge)] + item.children.flatMap(lines(of:)).map { "  \($0)" }
        case .grid(let grid): return table(grid.children.map { lines(of: $0).joined(separator: " ") }, grid.columns)
        case .stack(let stack):
            let parts = stack.children.map(lines(of:))
            if stack.axis == .vertical { return Array(parts.joined()) }
            let line = parts.map { $0.joined(separator: " ") }.filter { !$0.isEmpty }.joined(separator: "  ")
            return line.isEmpty ? [] : [line]
        }
    }

    private func pair(_ label: String?, _ value: String?) -> String {
        [label, value].compactMap { $0 }.filter { !$0.isEmpty }
            .map { presentation.printable($0).text }.joined(separator: "  ")
    }

    /// Cells in columns that begin at the same position.
    private func table(_ cells: [String], _ columns: Int) -> [String] {
        let columns = max(columns, 1)
        let widths = (0..<columns).map { column in
            stride(from: column, to: cells.count, by: columns).map { Printable(cells[$0], .unicode).width }.max() ?? 0
        }
        return cells.rows(of: columns).map { cells in
            var line = StyledLine()
            for (column, cell) in cells.enumerated() {
                if column > 0 { line = line.padded(widths[..<column].reduce(0, +) + 2 * column) }
                line.append(presentation.line(cell))
            }
            return line.text()
        }
    }
}
