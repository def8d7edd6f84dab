// SPDX-License-Identifier: MIT
import TodayModel

/// How a value of a monitoring plugin is shown: as a bar if both ends are known, otherwise as a row of a table.
extension PerformanceValue {
    /// The ends of its bar, and the name of the upper one if it is a threshold.
    private var range: (low: Double, high: Double, threshold: String?)? {
        let low = minimum ?? 0
        if let maximum { return maximum > low ? (low, maximum, nil) : nil }
        if unit == "%" { return low < 100 ? (low, 100, nil) : nil }
        // A counter has no end.
        guard unit != "c" else { return nil }
        if let end = critical?.end, end > low { return (low, end, "critical") }
        if let end = warning?.end, end > low { return (low, end, "warning") }
        return nil
    }

    /// 0 to 1; nil without a value or a range.
    private var fraction: Double? {
        guard let value, let range else { return nil }
        let fraction = (value - range.low) / (range.high - range.low)
        return fraction.isFinite ? min(max(fraction, 0), 1) : nil
    }

    /// 0 to 100, for a percentage and for a value with both ends.
    var percentage: Double? {
        guard let value else { return nil }
        if unit == "%" { return min(max(value, 0), 100) }
        guard minimum != nil, maximum != nil else { return nil }
        return fraction.map { $0 * 100 }
    }

    /// The colour by the thresholds. The plugin's status is its judgement of all values, so none gets a worse colour: some
    /// plugins print thresholds for what remains beside the value of what is used.
    func meaning(within status: Int32?) -> Color.Meaning? {
        guard let value, warning != nil || critical != nil else { return nil }
        let isCritical = critical?.isBreached(by: value) ?? false
        let isWarning = warning?.isBreached(by: value) ?? false
        guard isCritical || isWarning else { return .good }
        return switch status {
        case 0?: nil
        case 1?: .warning
        default: isCritical ? .critical : .warning
        }
    }

    /// The name of its metric, cut to the allowed length.
    var metricName: String {
        LenientText.summary(LenientText.line(label, upTo: ContentLimits.metricNameBytes))
    }

    /// `27.9 GB`, `0.27 ms`.
    private func text(of number: Double) -> String {
        switch unit {
        case "", "c": return Self.text(number)
        case "B":
            var (scaled, prefixes) = (number, ["", "k", "M", "G", "T", "P", "E"][...])
            while abs(scaled) >= 1_000, prefixes.count > 1 {
                scaled /= 1_000
                prefixes = prefixes.dropFirst()
            }
            let rounded = abs(scaled) < 1e15 ? (scaled * 10).rounded() / 10 : scaled
            return "\(Self.text(rounded)) \(prefixes.first ?? "")B"
        default: return "\(Self.text(number)) \(unit)"
        }
    }

    /// The number with at most three decimals, if that is precise enough.
    private static func text(_ number: Double) -> String {
        let size = abs(number)
        guard size < 1e15 else { return number.description }
        if number == number.rounded() { return String(Int64(number)) }
        guard size >= 0.001, size < 1e12 else { return number.description }
        let text = ((number * 1_000).rounded() / 1_000).description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// The value, with the end of its bar.
    private var text: String {
        guard let value else { return "unknown" }
        guard let range, unit != "%" else { return text(of: value) }
        let end = text(of: range.high)
        return range.threshold.map { "\(text(of: value)), \($0) at \(end)" } ?? "\(text(of: value)) of \(end)"
    }

    fileprivate func bar(within status: Int32?) -> View? {
        guard let fraction else { return nil }
        var progress = View.Progress(value: fraction)
        progress.label = label
        progress.text = text
        progress.tint = meaning(within: status).map(Color.meaning)
        return .progress(progress)
    }

    /// The chart of its past values. If both ends of its bar are known, the axis has them: with an end that is only a
    /// threshold, or a baseline far away, a line of small values would be flat.
    var chart: View {
        var chart = View.Chart(history: metricName)
        chart.label = label
        guard let range, range.threshold == nil else { return .chart(chart) }
        (chart.minimum, chart.maximum) = (range.low, range.high)
        chart.baseline = warning?.end ?? critical?.end
        return .chart(chart)
    }

    fileprivate func cells(within status: Int32?) -> [View] {
        var shown = View.Text(value.map { text(of: $0) } ?? text)
        shown.color = meaning(within: status).map(Color.meaning)
        return [.text(View.Text(label)), .text(shown)]
    }
}

extension PerformanceData {
    /// The rows of all values. Adjacent values without a bar share a table.
    func views(within status: Int32?) -> [View] {
        var rows = RowList()
        var cells: [View] = []
        var bytes = 0
        func endTable() {
            if !cells.isEmpty { rows.add(.grid(View.Grid(columns: 2, cells)), bytes: bytes) }
            (cells, bytes) = ([], 0)
        }
        for value in values {
            if let bar = value.bar(within: status) {
                endTable()
                rows.add(bar, bytes: value.label.utf8.count)
            } else {
                cells += value.cells(within: status)
                bytes += value.label.utf8.count
            }
        }
        endTable()
        rows.leaveOut(count - values.count)
        return rows.views("value")
    }
}
