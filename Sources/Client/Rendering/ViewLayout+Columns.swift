// SPDX-License-Identifier: MIT

import TodayModel

/// How much width a view asks for when it stands beside others.
struct WidthDemand: Equatable {
    /// What it needs.
    var least: Int
    /// What it can use: bars and charts look better with more, and spacers take all that is left over.
    var most: Int

    static let unlimited = 100_000

    static func exactly(_ width: Int) -> WidthDemand { WidthDemand(least: width, most: width) }

    /// Of views that share a column.
    static func widest(_ demands: some Sequence<WidthDemand>) -> WidthDemand {
        demands.reduce(.exactly(0)) { WidthDemand(least: max($0.least, $1.least), most: max($0.most, $1.most)) }
    }
}

extension ViewLayout {
    /// Columns narrower than this are not read but deciphered.
    static let narrowestColumn = 6

    func lines(beside children: [View], width: Int) -> [Line] {
        let demands = children.map(demand)
        let gaps = children.indices.dropFirst().map { gap(between: children[$0 - 1], and: children[$0]) }
        let room = width - gaps.reduce(0, +)
        // Where beside is too tight, below is better. Spacers then have nothing to keep apart.
        let needed = demands.reduce(0) { $0 + min($1.least, Self.narrowestColumn) }
        if needed > room { return lines(.stack(.init(.vertical, children.filter { $0 != .spacer })), width: width) }
        let widths = Self.distribute(demands, width: room)
        let cells = zip(children, widths).map { child, width in cell(child, width: width) }
        return joined(cells, widths: widths, gaps: gaps)
    }

    func lines(_ grid: View.Grid, width: Int) -> [Line] {
        var columns = max(grid.columns, 1)
        // Fewer columns where not all fit.
        while columns > 1 && columns * (Self.narrowestColumn + 2) - 2 > width { columns -= 1 }
        let rows = stride(from: 0, to: grid.children.count, by: columns).map {
            Array(grid.children[$0..<min($0 + columns, grid.children.count)])
        }
        let demands = (0..<columns).map { column in
            WidthDemand.widest(rows.filter { column < $0.count }.map { demand($0[column]) })
        }
        let gaps = [Int](repeating: 2, count: columns - 1)
        let widths = Self.distribute(demands, width: width - 2 * gaps.count)
        return rows.flatMap { row in
            joined(zip(row, widths).map { cell($0, width: $1) }, widths: widths, gaps: gaps)
        }
    }

    /// Gives each column its width. What is left goes in equal shares to those that can use it; what is missing is taken
    /// from the widest first.
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
        // The largest cap under which all fit together.
        var cap = width
        while cap > 0 && wanted.reduce(0, { $0 + min($1, cap) }) > width { cap -= 1 }
        left = width - wanted.reduce(0) { $0 + min($1, cap) }
        return wanted.map { want in
            guard want > cap, left > 0 else { return min(want, cap) }
            left -= 1
            return cap + 1
        }
    }

    func demand(_ view: View) -> WidthDemand {
        switch view {
        case .text(let text): return .exactly(Printable.lines(of: text.text, charset).map(\.width).max() ?? 0)
        case .progress(let progress):
            let label = progress.label.map { presentation.printable($0).width + 1 } ?? 0
            let value = max(valueText(of: progress).width, 4) + 1
            return WidthDemand(least: label + 8 + value, most: label + Self.maximumBarWidth + value)
        case .chart: return WidthDemand(least: 16, most: Self.maximumChartWidth)
        case .image, .button, .link: return .exactly(lines(view, width: 1_000).map(\.width).max() ?? 0)
        case .spacer: return WidthDemand(least: 0, most: WidthDemand.unlimited)
        case .divider: return .exactly(1)
        case .item(let item): return .exactly(presentation.printable("* \(item.title) >").width)
        case .stack(var stack) where stack.insets?.isZero == false:
            let room = (stack.insets?.left ?? 0) + (stack.insets?.right ?? 0)
            stack.insets = nil
            let inner = demand(.stack(stack))
            return WidthDemand(least: inner.least + room, most: min(inner.most + room, WidthDemand.unlimited))
        case .stack(let stack) where stack.axis == .vertical:
            return .widest(stack.children.filter { $0 != .spacer && $0 != .divider }.map(demand))
        case .stack(let stack):
            let gaps = max(stack.children.count - 1, 0) * 2
            return stack.children.map(demand).reduce(.exactly(gaps)) {
                WidthDemand(least: $0.least + $1.least, most: min($0.most + $1.most, WidthDemand.unlimited))
            }
        case .grid(let grid):
            let columns = max(grid.columns, 1)
            let cell = WidthDemand.widest(grid.children.map(demand))
            return WidthDemand(
                least: columns * (cell.least + 2) - 2, most: min(columns * (cell.most + 2) - 2, WidthDemand.unlimited))
        }
    }

    // MARK: Putting together

    /// The lines of one column; nil is a vertical rule, as high as its neighbours.
    private func cell(_ view: View, width: Int) -> [Line]? {
        view == .divider ? nil : lines(view, width: width)
    }

    /// A picture belongs to the words behind it.
    private func gap(between left: View, and right: View) -> Int {
        if case .image = left { return 1 }
        return left == .spacer || right == .spacer ? 0 : 2
    }

    private func joined(_ cells: [[Line]?], widths: [Int], gaps: [Int]) -> [Line] {
        let height = cells.map { $0?.count ?? 1 }.max() ?? 0
        let rule = Line(presentation.glyph("│", ascii: "|"), .dim)
        return (0..<height).map { row in
            var result = Line()
            for (index, cell) in cells.enumerated() {
                if index > 0 { result.appendSpaces(gaps[index - 1]) }
                let line = cell.map { row < $0.count ? $0[row] : Line() } ?? rule
                result.append(line.padded(widths[index]))
            }
            return result
        }
    }
}
