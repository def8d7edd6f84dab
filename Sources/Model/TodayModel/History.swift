// SPDX-License-Identifier: MIT
import Spelling

/// The last values of a widget's numbers, by name.
package struct History: Hashable, Sendable {
    /// The name of the content's percentage, unless a metric has this name.
    package static let percentage = "percentage"
    /// As many numbers as one content can have, so that none of them is ever left out.
    package static let mostNames = ContentLimits.metrics + 1

    package private(set) var series: [SpelledText: Series]

    package init(_ series: [SpelledText: Series] = [:]) { self.series = series }

    package var isEmpty: Bool { series.isEmpty }
    package var names: [String] { series.keys.sorted().map(\.text) }

    package subscript(name: String) -> Series? { series[SpelledText(name)] }

    /// Adds the numbers of a content that an update or a push has given.
    ///
    /// - Parameter limit: the most values of a series.
    /// - Returns: the names dropped because there were too many: those whose last value is the oldest.
    package mutating func append(_ numbers: [Metric], at date: WallTime, limit: Int = Series.most) -> [String] {
        for number in numbers {
            series[SpelledText(number.name), default: Series()].append(Sample(number.value, at: date), limit: limit)
        }
        guard series.count > Self.mostNames else { return [] }
        return dropOldest(but: Set(numbers.map { SpelledText($0.name) }))
    }

    /// Drops series beyond the limit of a widget. Returns their names.
    package mutating func dropExcess() -> [String] { series.count > Self.mostNames ? dropOldest(but: []) : [] }

    private mutating func dropOldest(but present: Set<SpelledText>) -> [String] {
        let ages = series.filter { !present.contains($0.key) }.map { (name: $0.key, last: $0.value.samples.last?.date) }
        let oldestFirst = ages.sorted { (left, right) in
            let (a, b) = (left.last?.microseconds ?? .min, right.last?.microseconds ?? .min)
            return a == b ? left.name < right.name : a < b
        }
        let dropped = oldestFirst.prefix(series.count - Self.mostNames).map(\.name)
        for name in dropped { series[name] = nil }
        return dropped.map(\.text)
    }

    /// Drops the oldest values of each series beyond a limit.
    package mutating func trim(to limit: Int) {
        for name in series.keys { series[name]?.trim(to: limit) }
    }
}

extension Content {
    /// The numbers of which the daemon keeps a history: the metrics and the percentage.
    package var numbers: [Metric] {
        guard let percentage, !metrics.contains(where: { $0.name.isSpelled(as: History.percentage) }),
            let metric = Metric(History.percentage, percentage)
        else { return metrics }
        return metrics + [metric]
    }

    /// Gives the charts of a history their points, the newest of their series. A chart of a number without a history stays
    /// empty. If there are many charts, they share the points that one content may have.
    package mutating func drawHistory(_ history: History) {
        let charts = [compact, expanded].reduce(0) { $0 + ($1?.historyCharts ?? 0) }
        guard charts > 0 else { return }
        let limit = min(Series.most, ContentLimits.historyPoints / charts)
        compact = compact?.drawing(history, limit)
        expanded = expanded?.drawing(history, limit)
    }
}

extension View {
    /// How many charts of a history it has.
    fileprivate var historyCharts: Int {
        if case .chart(let chart) = self, chart.history != nil { return 1 }
        return children.reduce(0) { $0 + $1.historyCharts }
    }

    fileprivate func drawing(_ history: History, _ limit: Int) -> View {
        guard case .chart(var chart) = self, let name = chart.history else {
            return mapChildren { $0.drawing(history, limit) }
        }
        chart.points = history[name]?.samples.suffix(min(limit, chart.last ?? limit)).map(\.value) ?? []
        (chart.history, chart.last) = (nil, nil)
        // An empty chart shows which number it waits for.
        if chart.points.isEmpty { chart.label = chart.label ?? name }
        return .chart(chart)
    }
}

/// One value of a number, and when an update or a push gave it.
package struct Sample: Hashable, Sendable {
    package let date: WallTime
    package let value: Double

    package init(_ value: Double, at date: WallTime) {
        self.value = value
        self.date = date
    }

    /// The second of the date, counted from 1970.
    fileprivate var second: Int64 {
        let (quotient, rest) = date.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return rest < 0 ? quotient - 1 : quotient
    }
}

/// The last values of one number, in the order in which they came; their dates go back where the clock was set back.
///
/// Each second has at most one value, the newest. So a stream with ten updates a second does not fill a series within two
/// minutes, and a series covers at least 1,000 s.
package struct Series: Hashable, Sendable {
    /// The most values.
    package static let most = 1_000
    /// No sample reaches a higher number: at one a second that would take 285 million years.
    package static let numbers: ClosedRange<Int64> = 0...1 << 53

    package private(set) var samples: [Sample]
    /// The number of the oldest sample that is kept. Samples are numbered as they come, from 0.
    package private(set) var first: Int64

    /// - Parameter first: the number of the first sample.
    package init(_ samples: [Sample] = [], first: Int64 = 0) {
        self.samples = samples
        self.first = first
    }

    /// The number of the next sample.
    package var end: Int64 { first + Int64(samples.count) }

    /// Adds a value, which replaces the last one if that is of the same second.
    package mutating func append(_ sample: Sample, limit: Int = most) {
        if let last = samples.indices.last, samples[last].second == sample.second {
            samples[last] = sample
        } else {
            // Make room first, because a full array would double for one more value and stay that large.
            trim(to: limit - 1)
            samples.append(sample)
        }
        trim(to: limit)
    }

    /// Drops the oldest values beyond a limit.
    package mutating func trim(to limit: Int) {
        let excess = samples.count - limit
        guard excess > 0 else { return }
        samples.removeFirst(excess)
        first += Int64(excess)
    }
}
