// SPDX-License-Identifier: MIT

import TodayModel

/// The drawing of a chart: its curve in braille or ASCII, and the ends of its range.
struct ChartDrawing {
    private let curve: ChartCurve

    /// Nil if no point can be drawn.
    init?(_ chart: View.Chart) {
        guard let curve = ChartCurve(chart) else { return nil }
        self.curve = curve
    }

    /// The chart in `width` cells and `rows` lines. The labels of its range are at the right side if they fit.
    func lines(width: Int, rows: Int, color: Color?, _ charset: Charset) -> [StyledLine] {
        let labels = labels(rows: rows)
        let labelWidth = labels.map(\.width).max() ?? 0
        let hasAxis = width >= 16 && labelWidth + 9 <= width
        let plotWidth = max(hasAxis ? width - labelWidth - 1 : width, 1)
        let style = Style(color: color ?? .meaning(.accent))
        let plot =
            switch charset {
            case .unicode: braille(width: plotWidth, rows: rows, style)
            case .ascii: ascii(width: plotWidth, rows: rows, style)
            }
        if !hasAxis { return plot }
        return zip(plot, labels).map { line, label in
            var line = line.padded(plotWidth + 1)
            line.append(StyledLine(label, .dim).padded(labelWidth, .trailing))
            return line
        }
    }

    /// The highest value in the first row and the lowest in the last one. A single value is in the middle.
    private func labels(rows: Int) -> [Printable] {
        var labels = [Printable](repeating: Printable("", .ascii), count: rows)
        if curve.isFlat || rows == 1 {
            labels[(rows - 1) / 2] = Printable(NumberText.short(curve.high), .ascii)
        } else {
            labels[0] = Printable(NumberText.short(curve.high), .ascii)
            labels[rows - 1] = Printable(NumberText.short(curve.low), .ascii)
        }
        return labels
    }

    /// The baseline, unless it is outside of the range.
    private var visibleBaseline: Double? {
        guard let baseline = curve.baseline, baseline >= curve.low, baseline <= curve.high, !curve.isFlat else {
            return nil
        }
        return baseline
    }

    // MARK: Braille, two by four dots in a cell

    private func braille(width: Int, rows: Int, _ style: Style) -> [StyledLine] {
        var line = DotField(width: width, rows: rows)
        var base = DotField(width: width, rows: rows)
        var previous: Int?
        for (column, height) in curve.heights(columns: width * 2, rows: rows * 4).enumerated() {
            if let height {
                // Dots between the heights of two columns connect them if the line is steep.
                let start = previous.map { $0 < height ? $0 + 1 : $0 > height ? $0 - 1 : $0 } ?? height
                for dot in min(start, height)...max(start, height) { line.set(column, dot) }
            }
            previous = height
        }
        if let baseline = visibleBaseline {
            let dot = curve.height(of: baseline, rows: rows * 4)
            for column in stride(from: 0, to: width * 2, by: 2) { base.set(column, dot) }
        }
        let mark = curve.markedPlace(columns: width * 2, rows: rows * 4)
        if let mark { for dot in stride(from: 0, to: rows * 4, by: 2) { base.set(mark.column, dot) } }
        let marked = mark.flatMap { mark in mark.height.map { (row: rows - 1 - $0 / 4, column: mark.column / 2) } }
        return (0..<rows).map { row in
            StyledLine(
                cells: (0..<width).map { column -> (glyph: String, style: Style) in
                    if let marked, marked == (row, column) { return ("●", .bold) }
                    let mask = line[row, column] | base[row, column]
                    guard mask != 0, let cell = Unicode.Scalar(0x2800 + UInt32(mask)) else { return (" ", .plain) }
                    return (String(cell), line[row, column] == 0 ? .dim : style)
                })
        }
    }

    /// The dots of a field of cells, as the low bytes of the braille patterns from U+2800 on.
    private struct DotField {
        let width: Int
        let rows: Int
        private var masks: [UInt8]

        init(width: Int, rows: Int) {
            self.width = width
            self.rows = rows
            masks = [UInt8](repeating: 0, count: width * rows)
        }

        /// The bits of a cell from bottom to top, for its left and its right column.
        private static let bits: [[UInt8]] = [[0x40, 0x04, 0x02, 0x01], [0x80, 0x20, 0x10, 0x08]]

        mutating func set(_ column: Int, _ height: Int) {
            masks[(rows - 1 - height / 4) * width + column / 2] |= Self.bits[column % 2][height % 4]
        }

        subscript(row: Int, column: Int) -> UInt8 { masks[row * width + column] }
    }

    // MARK: ASCII, three levels in a cell

    private func ascii(width: Int, rows: Int, _ style: Style) -> [StyledLine] {
        let marks = ["_", "-", "'"]
        var cells = [[String?]](repeating: [String?](repeating: nil, count: width), count: rows)
        if let baseline = visibleBaseline {
            let row = rows - 1 - curve.height(of: baseline, rows: rows * 3) / 3
            for column in stride(from: 0, to: width, by: 2) { cells[row][column] = "." }
        }
        let mark = curve.markedPlace(columns: width, rows: rows * 3)
        if let mark { for row in 0..<rows { cells[row][mark.column] = "|" } }
        for (column, height) in curve.heights(columns: width, rows: rows * 3).enumerated() {
            if let height { cells[rows - 1 - height / 3][column] = marks[height % 3] }
        }
        if let mark, let height = mark.height { cells[rows - 1 - height / 3][mark.column] = "O" }
        return cells.map { row in
            StyledLine(
                cells: row.map { glyph in
                    switch glyph {
                    case nil: (" ", .plain)
                    case ".", "|": (glyph ?? " ", .dim)
                    case "O": ("O", .bold)
                    case let glyph?: (glyph, style)
                    }
                })
        }
    }
}
