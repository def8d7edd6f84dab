// SPDX-License-Identifier: MIT

import TodayModel

/// The line of a chart on a field of dots: a height for each column of dots, or nil at a gap. A point that is not finite is
/// a gap.
struct ChartCurve {
    let points: [Double]
    let low: Double
    let high: Double
    let baseline: Double?
    /// The index of the marked point.
    let mark: Int?

    /// Nil if no point can be drawn.
    init?(_ chart: View.Chart) {
        let finite = chart.points.filter(\.isFinite)
        let baseline = chart.baseline.flatMap { $0.isFinite ? $0 : nil }
        guard let least = finite.min(), let greatest = finite.max() else { return nil }
        var low = chart.minimum.flatMap { $0.isFinite ? $0 : nil } ?? min(least, baseline ?? least)
        var high = chart.maximum.flatMap { $0.isFinite ? $0 : nil } ?? max(greatest, baseline ?? greatest)
        if low > high { swap(&low, &high) }
        points = chart.points
        self.low = low
        self.high = high
        self.baseline = baseline
        mark = chart.mark.flatMap { chart.points.indices.contains($0) ? $0 : nil }
    }

    /// Halves both values first, because the difference of two large numbers can be infinite.
    private var halfRange: Double { high / 2 - low / 2 }

    /// Whether all points have the same height. The line then runs through the middle.
    var isFlat: Bool { !(halfRange > 0) }

    /// The height of the line in each of `columns` columns, in dots from the bottom of a field `rows` dots high.
    func heights(columns: Int, rows: Int) -> [Int?] {
        samples(columns).map { $0.map { height(of: $0, rows: rows) } }
    }

    func height(of value: Double, rows: Int) -> Int {
        isFlat ? rows / 2 : Int((fraction(of: value) * Double(rows - 1)).rounded())
    }

    /// The height of a value, 0 at the bottom and 1 at the top.
    func fraction(of value: Double) -> Double {
        isFlat ? 0.5 : min(max((value / 2 - low / 2) / halfRange, 0), 1)
    }

    /// The place of the marked point in a field of dots. Its height is nil at a gap.
    func markedPlace(columns: Int, rows: Int) -> (column: Int, height: Int?)? {
        guard let mark else { return nil }
        let height = finite(points[mark]).map { self.height(of: $0, rows: rows) }
        let count = points.count
        if count > columns { return (((mark + 1) * columns - 1) / count, height) }
        if count == 1 { return (columns / 2, height) }
        return ((mark * (columns - 1) + (count - 1) / 2) / (count - 1), height)
    }

    private func samples(_ columns: Int) -> [Double?] {
        let count = points.count
        return (0..<columns).map { column in
            if count > columns {
                return mean(points[(column * count / columns)..<((column + 1) * count / columns)])
            }
            if count == 1 || columns == 1 { return finite(points[0]) }
            let place = Double(column * (count - 1)) / Double(columns - 1)
            let before = min(Int(place), count - 1)
            let after = min(before + 1, count - 1)
            let fraction = place - Double(before)
            guard let left = finite(points[before]), let right = finite(points[after]) else {
                return finite(points[fraction < 0.5 ? before : after])
            }
            return left * (1 - fraction) + right * fraction
        }
    }

    private func mean(_ bucket: ArraySlice<Double>) -> Double? {
        let finite = bucket.filter(\.isFinite)
        if finite.isEmpty { return nil }
        return finite.reduce(0) { $0 + $1 / Double(finite.count) }
    }

    private func finite(_ value: Double) -> Double? {
        value.isFinite ? value : nil
    }
}
