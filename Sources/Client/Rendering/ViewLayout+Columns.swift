// SPDX-License-Identifier: MIT

import TodayModel

/// How much width a view asks for when it stands beside others.
struct WidthDemand: Equatable {
    /// What it needs at least, or exactly unless it can grow.
    var width: Int
    /// Takes its share of what is left over: bars, charts, spacers.
    var grows: Bool
}

extension ViewLayout {
    /// Columns narrower than this are not read but deciphered.
    static let narrowestColumn = 6

    func lines(beside children: [View], width: Int) -> [Line] {
        let demands = children.map(demand)
        let gaps = children.indices.dropFirst().map { gap(between: children[$0 - 1], and: children[$0]) }
        let room = width - gaps.reduce(0, +)
        // Where beside is too tight, below is better. Spacers then have nothing to keep apart.
        let needed = demands.reduce(0) { $0 + min($1.width, Self.narrowestColumn) }
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
            rows.filter { column < $0.count }.map { demand($0[column]) }.reduce(WidthDemand(width: 0, grows: false)) {
                WidthDemand(width: max($0.width, $1.width), grows: $0.grows || $1.grows)
            }
        }
        let gaps = [Int](repeating: 2, count: columns - 1)
        let widths = Self.distribute(demands, width: width - 2 * gaps.count)
        return rows.flatMap { row in
            joined(zip(row, widths).map { cell($0, width: $1) }, widths: widths, gaps: gaps)
        }
    }

    /// Gives each column its width. What is left goes to those that grow, in equal shares; what is missing is taken from
    /// the widest first.
    static func distribute(_ demands: [WidthDemand], width: Int) -> [Int] {
        let wanted = demands.map(\.width)
        let total = wanted.reduce(0, +)
        if total <= width {
            let growing = demands.filter(\.grows).count
            guard growing > 0 else { return wanted }
            var (share, extra) = (width - total).quotientAndRemainder(dividingBy: growing)
            return demands.map { demand in
                guard demand.grows else { return demand.width }
                defer { if extra > 0 { extra -= 1 } }
                return demand.width + share + (extra > 0 ? 1 : 0)
            }
        }
        // The largest cap under which all fit together.
        var cap = width
        while cap > 0 && wanted.reduce(0, { $0 + min($1, cap) }) > width { cap -= 1 }
        var left = width - wanted.reduce(0) { $0 + min($1, cap) }
        return wanted.map { want in
            guard want > cap, left > 0 else { return min(want, cap) }
            left -= 1
            return cap + 1
        }
    }

    func demand(_ view: View) -> WidthDemand {
        func fixed(_ width: Int) -> WidthDemand { WidthDemand(width: width, grows: false) }
        func fixed(_ text: String) -> WidthDemand { fixed(presentation.printable(text).width) }
        switch view {
        case .text(let text): return fixed(Printable.lines(of: text.text, charset).map(\.width).max() ?? 0)
        case .progress(let progress):
            let label = progress.label.map { presentation.printable($0).width + 1 } ?? 0
            return WidthDemand(width: label + 13, grows: true)
        case .chart: return WidthDemand(width: 16, grows: true)
        case .image, .button, .link: return fixed(lines(view, width: 1_000).map(\.width).max() ?? 0)
        case .spacer: return WidthDemand(width: 0, grows: true)
        case .divider: return fixed(1)
        case .item(let item): return fixed("* \(item.title) >")
        case .stack(let stack) where stack.axis == .vertical:
            let all = stack.children.filter { $0 != .spacer && $0 != .divider }.map(demand)
            return WidthDemand(width: all.map(\.width).max() ?? 0, grows: all.contains(where: \.grows))
        case .stack(let stack):
            let all = stack.children.map(demand)
            return WidthDemand(
                width: all.reduce(max(all.count - 1, 0) * 2) { $0 + $1.width }, grows: all.contains(where: \.grows))
        case .grid(let grid):
            let all = grid.children.map(demand)
            let columns = max(grid.columns, 1)
            let widest = all.map(\.width).max() ?? 0
            return WidthDemand(
                width: columns * (widest + 2) - 2, grows: all.contains(where: \.grows))
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
