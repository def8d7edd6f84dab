// SPDX-License-Identifier: MIT

import Spelling
import TodayModel

/// Draws views side by side: horizontal stacks and grids.
struct ColumnLayout {
    let layout: ViewLayout

    /// People cannot read text in narrower columns.
    static let narrowestColumn = 6

    func lines(beside children: [View], width: Int) -> [StyledLine] {
        let demands = children.map { WidthDemand(of: $0, in: layout) }
        let gaps = children.indices.dropFirst().map { gap(between: children[$0 - 1], and: children[$0]) }
        let room = width - gaps.reduce(0, +)
        // If a word or a number would break, the columns are placed below each other. Spacers then have nothing to separate.
        let needed = demands.reduce(0) { $0 + max($1.word, min($1.least, Self.narrowestColumn)) }
        if needed > room {
            return layout.lines(.stack(.init(.vertical, children.filter { $0 != .spacer })), width: width)
        }
        let widths = Self.distribute(demands, width: room)
        let cells = zip(children, widths).map { child, width in cell(child, width: width) }
        return joined(cells, widths: widths, gaps: gaps)
    }

    func lines(_ grid: View.Grid, width: Int) -> [StyledLine] {
        var columns = max(grid.columns, 1)
        // A grid has fewer columns if not all of them fit.
        while columns > 1 && columns * (Self.narrowestColumn + 2) - 2 > width { columns -= 1 }
        let rows = grid.children.rows(of: columns)
        let demands = (0..<columns).map { column in
            WidthDemand.widest(rows.filter { column < $0.count }.map { WidthDemand(of: $0[column], in: layout) })
        }
        let gaps = [Int](repeating: 2, count: columns - 1)
        let widths = Self.distribute(demands, width: width - 2 * gaps.count)
        return rows.flatMap { row in
            joined(zip(row, widths).map { cell($0, width: $1) }, widths: widths, gaps: gaps)
        }
    }

    /// Gives each column its width. Columns that can use free width share it equally. If width is missing, the widest columns
    /// lose it first, and no column breaks a word if all words have room.
    static func distribute(_ demands: [WidthDemand], width: Int) -> [Int] {
        let wanted = demands.map(\.least)
        var left = width - wanted.reduce(0, +)
        if left >= 0 {
            var widths = wanted
            while left > 0 {
                let growing = demands.indices.filter { widths[$0] < demands[$0].most }
                if growing.isEmpty { break }
                let share = max(left / growing.count, 1)
                for index in growing {
                    let grown = min(share, demands[index].most - widths[index], left)
                    widths[index] += grown
                    left -= grown
                }
            }
            return widths
        }
        let areWhole = demands.reduce(0) { $0 + $1.word } <= width
        func widths(_ cap: Int) -> [Int] { demands.map { max(min($0.least, cap), areWhole ? $0.word : 0) } }
        // The largest cap with which all columns fit.
        var cap = width
        while cap > 0 && widths(cap).reduce(0, +) > width { cap -= 1 }
        left = width - widths(cap).reduce(0, +)
        return zip(wanted, widths(cap)).map { want, width in
            guard want > width, width == cap, left > 0 else { return width }
            left -= 1
            return width + 1
        }
    }

    // MARK: Joining columns

    /// The lines of one column. Nil means a vertical rule, as high as its neighbours.
    private func cell(_ view: View, width: Int) -> [StyledLine]? {
        view == .divider ? nil : layout.lines(view, width: width)
    }

    /// An image belongs to the text after it, so its gap is narrow.
    private func gap(between left: View, and right: View) -> Int {
        if case .image = left { return 1 }
        return left == .spacer || right == .spacer ? 0 : 2
    }

    private func joined(_ cells: [[StyledLine]?], widths: [Int], gaps: [Int]) -> [StyledLine] {
        let height = cells.map { $0?.count ?? 1 }.max() ?? 0
        let rule = StyledLine(layout.presentation.glyph("│", ascii: "|"), .dim)
        return (0..<height).map { row in
            var result = StyledLine()
            for (index, cell) in cells.enumerated() {
                if index > 0 { result.appendSpaces(gaps[index - 1]) }
                let line = cell.map { row < $0.count ? $0[row] : StyledLine() } ?? rule
                result.append(line.padded(widths[index]))
            }
            return result
        }
    }
}

/// The width that a view asks for beside other views.
struct WidthDemand: Equatable {
    /// The width that it needs.
    var least: Int
    /// The width that it can use: bars and charts use more than they need, and spacers use all that is free.
    var most: Int
    /// The width of parts that should not break: a word, a number, a button.
    var word: Int

    static let unlimited = 100_000
    /// Longer words, such as addresses, and texts without spaces may break.
    static let longestWord = 16

    init(least: Int, most: Int, word: Int? = nil) {
        (self.least, self.most) = (least, most)
        self.word = word ?? least
    }

    static func exactly(_ width: Int, word: Int? = nil) -> WidthDemand {
        WidthDemand(least: width, most: width, word: word)
    }

    /// The demand of views that share a column.
    static func widest(_ demands: some Sequence<WidthDemand>) -> WidthDemand {
        demands.reduce(.exactly(0)) {
            WidthDemand(least: max($0.least, $1.least), most: max($0.most, $1.most), word: max($0.word, $1.word))
        }
    }
}

extension WidthDemand {
    init(of view: View, in layout: ViewLayout) {
        let presentation = layout.presentation
        switch view {
        case .text(let text):
            let lines = Printable.lines(of: text.text, presentation.charset)
            let words = lines.flatMap { $0.text.split(at: " ") }.map { DisplayWidth.of($0) }
            self = .exactly(lines.map(\.width).max() ?? 0, word: words.filter { $0 <= Self.longestWord }.max() ?? 0)
        case .progress(let progress):
            // Its label can be cut.
            let label = progress.label.map { presentation.printable($0).width + 1 } ?? 0
            let value = max(layout.progressRows.valueText(of: progress).width, 4) + 1
            self.init(least: label + 8 + value, most: label + ProgressBar.maximumWidth + value, word: value)
        case .chart: self.init(least: 16, most: ViewLayout.maximumChartWidth, word: 0)
        case .image, .button, .link:
            let width = layout.lines(view, width: 1_000).map(\.width).max() ?? 0
            self = .exactly(width, word: min(width, Self.longestWord))
        case .spacer: self.init(least: 0, most: Self.unlimited)
        case .divider: self = .exactly(1)
        case .item(let item):
            self = .exactly(presentation.printable("* \(item.title) >").width, word: 0)
        case .stack(var stack) where stack.insets?.isZero == false:
            let room = (stack.insets?.left ?? 0) + (stack.insets?.right ?? 0)
            stack.insets = nil
            let inner = WidthDemand(of: .stack(stack), in: layout)
            self.init(least: inner.least + room, most: min(inner.most + room, Self.unlimited), word: inner.word + room)
        case .stack(let stack) where stack.axis == .vertical:
            let children = stack.children.filter { $0 != .spacer && $0 != .divider }
            self = .widest(children.map { WidthDemand(of: $0, in: layout) })
        case .stack(let stack):
            let gaps = max(stack.children.count - 1, 0) * 2
            // If its children do not fit side by side, they are placed below each other.
            self = stack.children.map { WidthDemand(of: $0, in: layout) }.reduce(.exactly(gaps, word: 0)) {
                WidthDemand(
                    least: $0.least + $1.least, most: min($0.most + $1.most, Self.unlimited),
                    word: max($0.word, $1.word))
            }
        case .grid(let grid):
            let columns = max(grid.columns, 1)
            let cell = WidthDemand.widest(grid.children.map { WidthDemand(of: $0, in: layout) })
            self.init(
                least: columns * (cell.least + 2) - 2, most: min(columns * (cell.most + 2) - 2, Self.unlimited),
                word: cell.word)
        }
    }
}
