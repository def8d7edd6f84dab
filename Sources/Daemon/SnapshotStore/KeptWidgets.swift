// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// What the store keeps of one widget, besides the user's choices: its content, what it has seen, its last runs and the
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
        let value = body(&widget)
        table[id] = widget.isEmpty ? nil : widget
        return value
    }

    mutating func forget(_ id: WidgetID) { seriesCount -= table[id].take()?.history.series.count ?? 0 }

    // MARK: Numbers

    /// The most values of each series.
    var limit: Int { Self.limit(forSeries: seriesCount) }

    static func limit(forSeries count: Int) -> Int { max(1, min(Series.most, mostSamples / max(1, count))) }

    /// Takes stored histories. Drops whatever exceeds the limits.
    mutating func adopt(_ histories: [WidgetID: History]) {
        for (id, var history) in histories {
            _ = history.dropExcess()
            update(id) { $0.history = history }
            seriesCount += history.series.count
        }
        let limit = limit
        for id in histories.keys { update(id) { $0.history.trim(to: limit) } }
    }

    /// Adds the numbers of a content. Returns whether other series of the widget had to be dropped for it.
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

/// The last runs of one widget, oldest first. Their number and size are limited.
package struct UpdateLog: Equatable, Sendable {
    /// A record with its number. Numbers increase as long as the store knows the widget.
    struct Entry: Equatable, Sendable {
        let number: Int64
        var record: RunRecord
    }

    /// Even at one run per microsecond, the numbers last 285 years.
    static let numbers: ClosedRange<Int64> = 1...1 << 53

    private(set) var entries: [Entry] = []

    package var records: [RunRecord] { entries.map(\.record) }
    package var last: RunRecord? { entries.last?.record }
    /// The last run that shows whether the widget works. A button or an editor does not show it.
    package var lastUpdate: RunRecord? { placeOfLastUpdate.map { entries[$0].record } }
    private var placeOfLastUpdate: Int? { entries.lastIndex { !$0.record.reason.isInteraction } }

    package init() {}

    /// Adds a run and returns the entry as it is kept.
    mutating func append(_ record: RunRecord) -> Entry {
        let entry = Entry(number: (entries.last?.number ?? 0) + 1, record: Self.bounded(record))
        append(entry)
        return entry
    }

    /// Adds a run that already has a number.
    mutating func append(_ entry: Entry) {
        var entry = entry
        // Most runs end in the same way, so fifty records can share one string.
        if let exit = entries.last?.record.exit, exit == entry.record.exit { entry.record.exit = exit }
        entries.append(entry)
        // The last update stays, because it shows whether the widget works, however many button presses follow it.
        if entries.count > StoreLimits.runsPerWidget { entries.remove(at: placeOfLastUpdate == 0 ? 1 : 0) }
        let old = entries.count - StoreLimits.runsWithErrorOutput - 1
        if old >= 0 { entries[old].record.errorOutput = "" }
    }

    /// Keeps the start of reasons and the end of standard error.
    private static func bounded(_ record: RunRecord) -> RunRecord {
        var record = record
        record.failure = record.failure?.shortened(to: StoreLimits.reasonBytes)
        record.exit = record.exit?.shortened(to: StoreLimits.reasonBytes)
        let output = record.errorOutput.utf8
        if output.count > StoreLimits.errorOutputBytes {
            let end = output.suffix(StoreLimits.errorOutputBytes).drop { $0 & 0xc0 == 0x80 }
            record.errorOutput = String(decoding: end, as: UTF8.self)
        }
        return record
    }
}
