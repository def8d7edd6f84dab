// SPDX-License-Identifier: MIT
import TodayModel

/// A bar that is filled up to a value. `tint(_:)` colours the filled part, `trackTint(_:)` the rest.
public struct ProgressView: View {
    let label: String?
    let fraction: Double
    let currentValueLabel: String?

    /// Makes a bar.
    ///
    /// - Parameters:
    ///   - label: a word or two before the bar, which say what it measures.
    ///   - value: the value. A value below 0 counts as 0, one above `total` as `total`; NaN is an error.
    ///   - total: the value of a full bar.
    ///   - currentValueLabel: the text after the bar instead of the percentage, such as `50.0%` or `3 of 6`.
    public init(_ label: String? = nil, value: Double, total: Double = 1, currentValueLabel: String? = nil) {
        self.label = label
        self.currentValueLabel = currentValueLabel
        // Rounding may put a sum of fractions slightly beyond 1, so that is not an error. NaN stays, and the check finds it.
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

/// A line through points at equal distances. `tint(_:)` colours it.
public struct LineChart: View {
    let points: [Double]
    let dates: [Timestamp]
    let texts: [String]
    let history: String?
    let last: Int?
    let label: String?
    let range: ClosedRange<Double>?
    let baseline: Double?
    let mark: Int?

    /// Makes a chart.
    ///
    /// - Parameters:
    ///   - label: the title above the chart, in one line.
    ///   - points: the values from left to right, 4,096 at most. NaN is an error.
    ///   - range: the ends of the vertical axis; defaults to the smallest and the largest point.
    ///   - baseline: a value to compare with, such as yesterday's.
    ///   - mark: the index of a point to highlight.
    ///   - dates: the date of each point. A host shows it, with the value, of the point that the user points at.
    ///   - texts: the value of each point in words, such as `$87,955.81`.
    public init(
        _ label: String? = nil, points: some Sequence<Double>, range: ClosedRange<Double>? = nil,
        baseline: Double? = nil, mark: Int? = nil, dates: [Timestamp] = [], texts: [String] = []
    ) {
        self.points = Array(points)
        self.dates = dates
        self.texts = texts
        history = nil
        last = nil
        self.label = label
        self.range = range
        self.baseline = baseline
        self.mark = mark
    }

    /// Makes a chart of the values that one of the widget's numbers has had, for which todayd keeps the last 1,000. A preview
    /// has only the value of now.
    ///
    /// - Parameters:
    ///   - label: the title above the chart, in one line.
    ///   - history: the name of a number in `WidgetSummary.metrics`, or `percentage`.
    ///   - last: the most values, the newest: 1 to 1,000. Another number is an error.
    ///   - range: the ends of the vertical axis; defaults to the smallest and the largest value.
    ///   - baseline: a value to compare with.
    public init(
        _ label: String? = nil, history: String, last: Int? = nil, range: ClosedRange<Double>? = nil,
        baseline: Double? = nil
    ) {
        points = []
        dates = []
        texts = []
        self.history = history
        self.last = last
        self.label = label
        self.range = range
        self.baseline = baseline
        mark = nil
    }
}

extension LineChart: PrimitiveView {
    package func lower(_ inherited: Inherited) -> [TodayModel.View] {
        var chart =
            history.map { TodayModel.View.Chart(history: $0, last: last) } ?? TodayModel.View.Chart(points: points)
        chart.dates = dates.map(\.wallTime)
        chart.texts = texts
        chart.label = label
        chart.color = inherited.tint?.model
        chart.minimum = range?.lowerBound
        chart.maximum = range?.upperBound
        chart.baseline = baseline
        chart.mark = mark
        return [.chart(chart)]
    }
}
