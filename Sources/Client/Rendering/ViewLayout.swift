// SPDX-License-Identifier: MIT

import TodayModel

/// Draws a view tree in a given width.
struct ViewLayout {
    let presentation: Presentation
    let mode: DisplayMode
    /// What is too long for a line goes on in the next one.
    var isWhole = false

    /// Wider than this, bars and charts say no more.
    static let maximumBarWidth = 40
    static let maximumChartWidth = 76

    var charset: Charset { presentation.charset }

    func lines(_ view: View, width: Int) -> [Line] {
        let width = max(width, 1)
        switch view {
        case .text(let text): return lines(text, width: width)
        case .progress(let progress):
            return lines(progress, labelWidth: labelWidth([view], width: width), width: width)
        case .chart(let chart): return lines(chart, width: width)
        case .image(let image): return fitted(line(image), width: width)
        case .button(let button):
            return fitted(presentation.printable("[\(button.title)]"), Style(bold: true), width: width)
        case .link(let link): return fitted(line(link, width: width), width: width)
        case .stack(let stack) where stack.insets?.isZero == false: return lines(inset: stack, width: width)
        case .stack(let stack) where stack.axis == .vertical: return lines(below: stack.children, width: width)
        case .stack(let stack): return lines(beside: stack.children, width: width)
        case .grid(let grid): return lines(grid, width: width)
        case .spacer: return [Line()]
        case .divider: return [rule(width: width)]
        case .item(let item): return lines(item, width: width)
        }
    }

    // MARK: Leaves

    private func lines(_ text: View.Text, width: Int) -> [Line] {
        let style = style(of: text)
        let paragraphs = Printable.lines(of: text.text, charset)
        // Monospaced text is a picture of columns: breaking its lines would destroy it.
        var lines =
            text.style == .monospace
            ? paragraphs.flatMap {
                isWhole ? $0.pieces(width).map { Line($0, style) } : [presentation.truncated(Line($0, style), width)]
            }
            : paragraphs.flatMap { $0.wrapped(width) }.map { Line($0, style) }
        if let most = text.lines, most > 0, lines.count > most {
            lines.removeLast(lines.count - most)
            var last = lines.removeLast()
            last.append(presentation.ellipsis, style)
            lines.append(presentation.truncated(last, width))
        }
        if text.alignment == .leading { return lines }
        return lines.map { $0.padded(width, text.alignment == .center ? .center : .trailing) }
    }

    private func style(of text: View.Text) -> Style {
        var style = Style(color: text.color, bold: text.weight == .bold)
        switch text.style {
        case .title, .headline: style.isBold = true
        case .caption: style.isDim = text.color == nil
        case .body, .monospace: break
        }
        return style
    }

    /// What stands after a bar: its text, or else the percentage.
    func valueText(of progress: View.Progress) -> Printable {
        presentation.printable(progress.text ?? NumberText.percentage(progress.value))
    }

    /// One line, or where nothing may be cut as many as it takes: a label or a value that is too long for a line with the
    /// bar has lines of its own.
    private func lines(_ progress: View.Progress, labelWidth: Int, width: Int) -> [Line] {
        let label = presentation.printable(progress.label ?? "")
        let value = valueText(of: progress)
        let isLabelLong = label.width > labelWidth
        let left = width - (isLabelLong || labelWidth == 0 ? 0 : labelWidth + 1)
        guard isWhole, isLabelLong || value.width > left else {
            return [line(progress, labelWidth: labelWidth, width: width)]
        }
        let above = label.width == 0 ? [] : label.wrapped(width).map { Line($0) }
        return above
            + (value.width > width
                ? value.wrapped(width).map { Line($0) } : [line(progress, labelWidth: 0, width: width)])
    }

    /// Label, bar and percentage; the label's room is given so that bars below each other begin below each other.
    func line(_ progress: View.Progress, labelWidth: Int, width: Int) -> Line {
        var line = Line()
        if labelWidth > 0 {
            let label = presentation.line(progress.label ?? "")
            line.append(presentation.truncated(label, labelWidth).padded(labelWidth))
            line.appendSpaces(1)
        }
        let value = valueText(of: progress)
        let valueWidth = max(value.width, 4)
        let room = width - line.width - valueWidth - 1
        if room >= 3 {
            line.append(
                ProgressBar(value: progress.value, tint: progress.tint, track: progress.track)
                    .line(width: min(room, Self.maximumBarWidth), charset))
            line.appendSpaces(1)
        }
        line.append(Line(value).padded(valueWidth, .trailing))
        return presentation.truncated(line, width)
    }

    /// The room for the labels of bars that stand below each other: at most half of the width.
    func labelWidth(_ views: [View], width: Int) -> Int {
        let widths = views.map { view -> Int in
            guard case .progress(let progress) = view, let label = progress.label else { return 0 }
            return presentation.printable(label).width
        }
        return min(widths.max() ?? 0, width / 2)
    }

    private func lines(_ chart: View.Chart, width: Int) -> [Line] {
        var lines: [Line] = []
        if let label = chart.label { lines = fitted(presentation.line(label, .dim), width: width) }
        guard let drawing = LineChart(chart) else { return lines + [presentation.line("no data", .dim)] }
        let rows = mode == .compact ? 2 : 5
        return lines
            + drawing.lines(width: min(width, Self.maximumChartWidth), rows: rows, color: chart.color, charset)
    }

    private func line(_ image: View.Image) -> Line {
        var name = "image"
        if case .symbol(let symbol) = image.source {
            if let glyph = Symbol.glyph(symbol, charset) { return Line(glyph) }
            name = symbol.utf8.allSatisfy { $0 < 0x80 } ? symbol : "?"
        }
        return presentation.line("[\(image.alternative ?? name)]", .dim)
    }

    /// One line, or as many as it takes.
    private func fitted(_ text: Printable, _ style: Style, width: Int) -> [Line] {
        isWhole ? text.wrapped(width).map { Line($0, style) } : [presentation.truncated(Line(text, style), width)]
    }

    private func fitted(_ line: Line, width: Int) -> [Line] {
        isWhole ? line.wrapped(width) : [presentation.truncated(line, width)]
    }

    private func line(_ link: View.Link, width: Int) -> Line {
        var line = presentation.line(link.title, .link)
        if mode == .expanded, link.title != link.url {
            let address = presentation.line(" (\(link.url))", .dim)
            // Half an address is of no use.
            if line.width + address.width <= width { line.append(address) }
        }
        return line
    }

    private func rule(width: Int) -> Line {
        let piece = charset == .unicode ? "─" : "-"
        return Line(Printable(String(repeating: piece, count: width), .unicode), .dim)
    }

    // MARK: Below each other

    private func lines(below children: [View], width: Int) -> [Line] {
        let labels = labelWidth(children, width: width)
        return children.flatMap { child -> [Line] in
            if case .progress(let progress) = child { return lines(progress, labelWidth: labels, width: width) }
            return lines(child, width: width)
        }
    }

    private func lines(_ item: View.Item, width: Int) -> [Line] {
        let acts = item.url != nil || item.action != nil
        let isClosed = mode == .compact && !item.children.isEmpty
        let pieces = fitted(
            presentation.printable(item.title), acts ? .link : .plain, width: max(width - (isClosed ? 4 : 2), 1))
        var lines = pieces.enumerated().map { place, piece in
            var line = place == 0 ? Line(presentation.glyph("• ", ascii: "* "), .dim) : Line()
            if place > 0 { line.appendSpaces(2) }
            line.append(piece)
            return line
        }
        if item.children.isEmpty { return lines }
        // The outline opens with the widget; closed, it says that there is more.
        if isClosed {
            lines[lines.count - 1].append(presentation.glyph(" ›", ascii: " >"), .dim)
            return lines.map { presentation.truncated($0, width) }
        }
        return lines
            + self.lines(below: item.children, width: width - 2).map { child in
                var line = Line()
                line.appendSpaces(2)
                line.append(child)
                return line
            }
    }
}
