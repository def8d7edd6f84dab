// SPDX-License-Identifier: MIT

import TodayModel

extension LineChart {
    /// The chart in `width` cells and `rows` lines, with the ends of its range at the right side where there is room.
    func lines(width: Int, rows: Int, color: Color?, _ charset: Charset) -> [Line] {
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
            line.append(Line(label, .dim).padded(labelWidth, .trailing))
            return line
        }
    }

    /// The highest value above, the lowest below; one value alone in the middle.
    private func labels(rows: Int) -> [Printable] {
        var labels = [Printable](repeating: Printable("", .ascii), count: rows)
        if isFlat || rows == 1 {
            labels[(rows - 1) / 2] = Printable(NumberText.short(high), .ascii)
        } else {
            labels[0] = Printable(NumberText.short(high), .ascii)
            labels[rows - 1] = Printable(NumberText.short(low), .ascii)
        }
        return labels
    }

    // MARK: Braille, two by four dots in a cell

    private func braille(width: Int, rows: Int, _ style: Style) -> [Line] {
        var line = DotField(width: width, rows: rows)
        var base = DotField(width: width, rows: rows)
        var previous: Int?
        for (column, height) in heights(columns: width * 2, rows: rows * 4).enumerated() {
            if let height {
                // A steep line is filled up from where the last column ended, so that it does not fall into dots.
                let start = previous.map { $0 < height ? $0 + 1 : $0 > height ? $0 - 1 : $0 } ?? height
                for dot in min(start, height)...max(start, height) { line.set(column, dot) }
            }
            previous = height
        }
        if let baseline, baseline >= low, baseline <= high, !isFlat {
            let dot = height(of: baseline, rows: rows * 4)
            for column in stride(from: 0, to: width * 2, by: 2) { base.set(column, dot) }
        }
        let mark = markedPlace(columns: width * 2, rows: rows * 4)
        if let mark { for dot in stride(from: 0, to: rows * 4, by: 2) { base.set(mark.column, dot) } }
        let marked = mark.flatMap { mark in mark.height.map { (row: rows - 1 - $0 / 4, column: mark.column / 2) } }
        return (0..<rows).map { row in
            Line(
                cells: (0..<width).map { column -> (glyph: String, style: Style) in
                    if let marked, marked == (row, column) { return ("●", .bold) }
                    let mask = line[row, column] | base[row, column]
                    guard mask != 0, let cell = Unicode.Scalar(0x2800 + UInt32(mask)) else { return (" ", .plain) }
                    return (String(cell), line[row, column] == 0 ? .dim : style)
                })
        }
    }

    /// The dots of some cells, as the low bytes of braille patterns (U+2800 and following).
    private struct DotField {
        let width: Int
        let rows: Int
        private var masks: [UInt8]

        init(width: Int, rows: Int) {
            self.width = width
            self.rows = rows
            masks = [UInt8](repeating: 0, count: width * rows)
        }

        /// Bits of a cell from its bottom to its top, left and right.
        private static let bits: [[UInt8]] = [[0x40, 0x04, 0x02, 0x01], [0x80, 0x20, 0x10, 0x08]]

        mutating func set(_ column: Int, _ height: Int) {
            masks[(rows - 1 - height / 4) * width + column / 2] |= Self.bits[column % 2][height % 4]
        }

        subscript(row: Int, column: Int) -> UInt8 { masks[row * width + column] }
    }

    // MARK: ASCII, three levels in a cell

    private func ascii(width: Int, rows: Int, _ style: Style) -> [Line] {
        let marks = ["_", "-", "'"]
        var cells = [[String?]](repeating: [String?](repeating: nil, count: width), count: rows)
        if let baseline, baseline >= low, baseline <= high, !isFlat {
            let row = rows - 1 - height(of: baseline, rows: rows * 3) / 3
            for column in stride(from: 0, to: width, by: 2) { cells[row][column] = "." }
        }
        let mark = markedPlace(columns: width, rows: rows * 3)
        if let mark { for row in 0..<rows { cells[row][mark.column] = "|" } }
        for (column, height) in heights(columns: width, rows: rows * 3).enumerated() {
            if let height { cells[rows - 1 - height / 3][column] = marks[height % 3] }
        }
        if let mark, let height = mark.height { cells[rows - 1 - height / 3][mark.column] = "O" }
        return cells.map { row in
            Line(
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
