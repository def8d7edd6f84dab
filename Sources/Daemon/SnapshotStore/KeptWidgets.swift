// SPDX-License-Identifier: MIT
import TodayModel

/// What the store keeps of one widget beside the choices of the user: its content, what it has seen, its last runs and the
/// histories of its numbers.
struct KeptWidget: Equatable, Sendable {
    var layers = Layers()
    var memory = WidgetMemory()
    var log = UpdateLog()
    fileprivate(set) var history = History()

    fileprivate var isEmpty: Bool {
        layers.isEmpty && memory == WidgetMemory() && log.entries.isEmpty && history.series.isEmpty
    }

    /// When the widget was last heard of.
    var lastSign: WallTime {
        let times = [layers.own?.confirmed, layers.own?.taken, layers.pushed?.taken, log.last?.started]
        let samples = history.series.values.compactMap { $0.samples.last?.date }
        return (times.compactMap { $0 } + samples).max() ?? WallTime(microseconds: 0)
    }
}

/// What is kept of all widgets, and how many values of numbers they may have together.
struct KeptWidgets: Equatable, Sendable {
    /// The most values of all series, 16 bytes each. It can be exceeded for some time, because a series is shortened when
    /// its next value comes.
    static let mostSamples = 1_000_000

    private(set) var table = WidgetTable<KeptWidget>()
    private var seriesCount = 0

    subscript(id: WidgetID) -> KeptWidget { table[id] ?? KeptWidget() }

    @discardableResult
    mutating func update<Value>(_ id: WidgetID, _ body: (inout KeptWidget) -> Value) -> Value {
        // Taken out, so that the widget's arrays have one owner.
        var widget = table[id].take() ?? KeptWidget()
        defer { table[id] = widget.isEmpty ? nil : widget }
        return body(&widget)
    }

    mutating func forget(_ id: WidgetID) { seriesCount -= table[id].take()?.history.series.count ?? 0 }

    // MARK: Numbers

    /// The most values of each series.
    var limit: Int { Self.limit(forSeries: seriesCount) }

    static func limit(forSeries count: Int) -> Int { max(1, min(Series.most, mostSamples / max(1, count))) }

    /// Takes stored histories. What is beyond the limits is dropped.
    mutating func adopt(_ histories: [WidgetID: History]) {
        for (id, var history) in histories {
            _ = history.dropExcess()
            update(id) { $0.history = history }
            seriesCount += history.series.count
        }
        let limit = limit
        for id in histories.keys { update(id) { $0.history.trim(to: limit) } }
    }

    /// Adds the numbers of a content. Returns whether other series of the widget had to give way.
    mutating func append(_ numbers: [Metric], of id: WidgetID, at date: WallTime) -> Bool {
        let limit = limit
        let before = self[id].history.series.count
        let (dropped, count) = update(id) { widget in
            (widget.history.append(numbers, at: date, limit: limit), widget.history.series.count)
        }
        seriesCount += count - before
        return !dropped.isEmpty
    }
}
