// SPDX-License-Identifier: MIT

import Spelling
import TodayModel

/// Draws a tree of views in a given width.
struct ViewLayout {
    let presentation: Presentation
    let mode: DisplayMode
    /// Whether text that is too long for a line continues in the next one. Otherwise it is cut.
    var isWhole = false
    /// Whether `Numbering` has written a number before each target.
    var isNumbered = false

    /// A wider chart shows no more.
    static let maximumChartWidth = 76
    /// Insets to the left and right are dropped if they would leave less than this to a view that needs it.
    private static let narrowestInside = 16

    var charset: Charset { presentation.charset }
    var progressRows: ProgressRows { ProgressRows(presentation: presentation, isWhole: isWhole) }
    private var columns: ColumnLayout { ColumnLayout(layout: self) }

    func lines(_ view: View, width: Int) -> [StyledLine] {
        let drawn = unaimed(view, width: max(width, 1))
        return isNumbered ? number(of: view).map { number in drawn.map { $0.aimed(at: number) } } ?? drawn : drawn
    }

    /// The number before a target.
    private func number(of view: View) -> Int? {
        switch view {
        case .button(let button): return Numbering.number(in: button.title)
        case .link(let link): return Numbering.number(in: link.title)
        case .item(let item): return item.isTarget ? Numbering.number(in: item.title) : nil
        case .stack(let stack):
            guard stack.action != nil, case .text(let mark)? = stack.children.first else { return nil }
            return Numbering.number(in: mark.text)
        case .text, .progress, .chart, .image, .grid, .spacer, .divider: return nil
        }
    }

    private func unaimed(_ view: View, width: Int) -> [StyledLine] {
        switch view {
        case .text(let text): return lines(text, width: width)
        case .progress(let progress):
            let labelWidth = progressRows.labelWidth([view], width: width)
            return progressRows.lines(progress, labelWidth: labelWidth, width: width)
        case .chart(let chart): return lines(chart, width: width)
        case .image(let image): return fitted(line(image), width: width)
        case .button(let button):
            return fitted(presentation.printable("[\(button.title)]"), Style(bold: true), width: width)
        case .link(let link): return fitted(line(link, width: width), width: width)
        case .stack(let stack) where stack.insets?.isZero == false: return lines(inset: stack, width: width)
        case .stack(let stack) where stack.axis == .vertical: return lines(below: stack.children, width: width)
        case .stack(let stack): return columns.lines(beside: stack.children, width: width)
        case .grid(let grid): return columns.lines(grid, width: width)
        case .spacer: return [StyledLine()]
        case .divider: return [rule(width: width)]
        case .item(let item): return lines(item, width: width)
        }
    }

    // MARK: Leaves

    private func lines(_ text: View.Text, width: Int) -> [StyledLine] {
        let style = style(of: text)
        let paragraphs = Printable.lines(of: text.text, charset)
        // Monospaced text has columns, which a break between words would destroy.
        var lines =
            text.style == .monospace
            ? paragraphs.flatMap {
                isWhole
                    ? $0.pieces(width).map { StyledLine($0, style) }
                    : [presentation.truncated(StyledLine($0, style), width)]
            }
            : paragraphs.flatMap { $0.wrapped(width) }.map { StyledLine($0, style) }
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

    private func lines(_ chart: View.Chart, width: Int) -> [StyledLine] {
        var lines: [StyledLine] = []
        if let label = chart.label { lines = fitted(presentation.line(label, .dim), width: width) }
        guard let drawing = ChartDrawing(chart) else { return lines + [presentation.line("no data", .dim)] }
        let rows = mode == .compact ? 2 : 5
        return lines
            + drawing.lines(width: min(width, Self.maximumChartWidth), rows: rows, color: chart.color, charset)
    }

    private func line(_ image: View.Image) -> StyledLine {
        var name = "image"
        if case .symbol(let symbol) = image.source {
            if let glyph = Symbol.glyph(symbol, charset) { return StyledLine(glyph) }
            name = symbol.consists(of: 0...0x7F) ? symbol : "?"
        }
        return presentation.line("[\(image.alternative ?? name)]", .dim)
    }

    /// One line that is cut, or as many lines as the text needs.
    private func fitted(_ text: Printable, _ style: Style, width: Int) -> [StyledLine] {
        isWhole
            ? text.wrapped(width).map { StyledLine($0, style) }
            : [presentation.truncated(StyledLine(text, style), width)]
    }

    func fitted(_ line: StyledLine, width: Int) -> [StyledLine] {
        isWhole ? line.wrapped(width) : [presentation.truncated(line, width)]
    }

    private func line(_ link: View.Link, width: Int) -> StyledLine {
        var line = presentation.line(link.title, .link)
        if mode == .expanded, link.title != link.url {
            let address = presentation.line(" (\(link.url))", .dim)
            // The address is left out if it does not fit whole.
            if line.width + address.width <= width { line.append(address) }
        }
        return line
    }

    private func rule(width: Int) -> StyledLine {
        let piece = charset == .unicode ? "─" : "-"
        return StyledLine(Printable(String(repeating: piece, count: width), .unicode), .dim)
    }

    // MARK: Below each other

    func lines(below children: [View], width: Int) -> [StyledLine] {
        let labels = progressRows.labelWidth(children, width: width)
        return children.filter { !$0.isAlternate }.flatMap { child -> [StyledLine] in
            if case .progress(let progress) = child {
                return progressRows.lines(progress, labelWidth: labels, width: width)
            }
            return lines(child, width: width)
        }
    }

    // MARK: Insets

    /// The view of a widget's content, with its insets around the view.
    func lines(_ content: Content, width: Int) -> [StyledLine] {
        lines(content.view(for: mode), inset: content.insets ?? .standard, width: width)
    }

    func lines(inset stack: View.Stack, width: Int) -> [StyledLine] {
        var inner = stack
        inner.insets = nil
        return lines(.stack(inner), inset: stack.insets ?? Insets(), width: width)
    }

    private func lines(_ view: View, inset insets: Insets, width: Int) -> [StyledLine] {
        if insets.isZero { return lines(view, width: width) }
        let inside = width - insets.left - insets.right
        let fits = inside >= Self.narrowestInside || inside >= WidthDemand(of: view, in: self).least
        let left = fits ? insets.left : 0
        let drawn = lines(view, width: fits ? inside : width).map { content in
            var line = StyledLine()
            line.appendSpaces(left)
            line.append(content)
            return line
        }
        return Self.empty(insets.top) + drawn + Self.empty(insets.bottom)
    }

    private static func empty(_ rows: Int) -> [StyledLine] { [StyledLine](repeating: StyledLine(), count: rows) }
}
