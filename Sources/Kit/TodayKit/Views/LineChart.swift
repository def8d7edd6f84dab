// SPDX-License-Identifier: MIT
import TodayModel

/// A line through points that are equally far apart. `tint(_:)` colours it.
public struct LineChart: View {
    let points: [Double]
    let label: String?
    let range: ClosedRange<Double>?
    let baseline: Double?
    let mark: Int?

    /// Makes a chart.
    ///
    /// - Parameters:
    ///   - label: what it shows, in one line above it.
    ///   - points: the values from left to right, 4,096 at most. Not a number is a mistake.
    ///   - range: the ends of the vertical axis; those of the points unless given.
    ///   - baseline: a value to compare with, such as yesterday's.
    ///   - mark: the place of a point that stands out, 0 first.
    public init(
        _ label: String? = nil, points: some Sequence<Double>, range: ClosedRange<Double>? = nil,
        baseline: Double? = nil, mark: Int? = nil
    ) {
        self.points = Array(points)
        self.label = label
        self.range = range
        self.baseline = baseline
        self.mark = mark
    }
}

extension LineChart: PrimitiveView {
    package func lower(_ inherited: Inherited) -> [TodayModel.View] {
        var chart = TodayModel.View.Chart(points: points)
        chart.label = label
        chart.color = inherited.tint?.model
        chart.minimum = range?.lowerBound
        chart.maximum = range?.upperBound
        chart.baseline = baseline
        chart.mark = mark
        return [.chart(chart)]
    }
}
