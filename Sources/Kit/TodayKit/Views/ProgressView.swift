// SPDX-License-Identifier: MIT
import TodayModel

/// A bar that is filled up to a value. `tint(_:)` colours the bar, `trackTint(_:)` what is left of it.
public struct ProgressView: View {
    let label: String?
    let fraction: Double
    let currentValueLabel: String?

    /// Makes a bar.
    ///
    /// - Parameters:
    ///   - label: what it measures, in a word or two before it.
    ///   - value: how much there is. What is beyond the ends counts as the nearer one; not a number is a mistake.
    ///   - total: how much there can be.
    ///   - currentValueLabel: what stands after the bar in place of the percentage, such as `50.0%` or `3 of 6`.
    public init(_ label: String? = nil, value: Double, total: Double = 1, currentValueLabel: String? = nil) {
        self.label = label
        self.currentValueLabel = currentValueLabel
        // Sums of fractions may miss 1 by a hair, so the ends are not the author's mistake. Not a number is, and stays.
        let fraction = value / total
        self.fraction = fraction.isNaN ? fraction : min(max(fraction, 0), 1)
    }
}

extension ProgressView: PrimitiveView {
    package func lower(_ inherited: Inherited) -> [TodayModel.View] {
        var progress = TodayModel.View.Progress(value: fraction)
        progress.label = label
        progress.text = currentValueLabel
        progress.tint = inherited.tint?.model
        progress.track = inherited.track?.model
        return [.progress(progress)]
    }
}

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
