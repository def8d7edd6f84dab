// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

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

/// What widgets have provided that is not on disk yet: the latest value of each layer, at most as many runs as a log
/// keeps, and the new values of numbers.
struct PendingRecords {
    private var own: [WidgetID: (layer: Layers.Own?, contentChanged: Bool)] = [:]
    private var pushed: [WidgetID: Layers.Pushed?] = [:]
    private var memories: [WidgetID: WidgetMemory?] = [:]
    private var runs: [WidgetID: [UpdateLog.Entry]] = [:]
    /// The widgets whose older log entries are removed before `runs` are written.
    private var forgotten: Set<WidgetID> = []
    private var histories: [WidgetID: PendingHistory] = [:]

    var isEmpty: Bool {
        own.isEmpty && pushed.isEmpty && memories.isEmpty && runs.isEmpty && forgotten.isEmpty && histories.isEmpty
    }

    var rows: [Row] {
        var rows: [Row] = forgotten.map { .endOfLog($0) }
        rows += own.map { Row.own($0.key, $0.value.layer, contentChanged: $0.value.contentChanged) }
        rows += pushed.map { Row.pushed($0.key, $0.value) }
        rows += memories.map { Row.memory($0.key, $0.value) }
        for (id, entries) in runs { rows += entries.map { Row.run(id, $0) } }
        return rows + histories.flatMap { $0.value.rows(of: $0.key) }
    }

    mutating func add(own layer: Layers.Own?, of id: WidgetID, contentChanged: Bool) {
        own[id] = (layer, contentChanged || own[id]?.contentChanged == true)
    }

    mutating func add(pushed layer: Layers.Pushed?, to id: WidgetID) { pushed[id] = .some(layer) }

    mutating func add(_ memory: WidgetMemory?, of id: WidgetID) { memories[id] = .some(memory) }

    mutating func add(_ run: UpdateLog.Entry, of id: WidgetID) {
        runs[id, default: []].append(run)
        bound(id)
    }

    mutating func add(_ names: [String], of history: History, hasDropped: Bool, to id: WidgetID) {
        histories[id, default: PendingHistory()].add(names, of: history, hasDropped: hasDropped)
    }

    mutating func forget(_ id: WidgetID) {
        own[id] = (nil, true)
        pushed[id] = .some(nil)
        memories[id] = .some(nil)
        runs[id] = nil
        forgotten.insert(id)
        histories[id] = .ofForgotten
    }

    /// Adds the records of a failed commit again; records that came since are newer and win.
    mutating func putBack(_ older: PendingRecords) {
        for (id, old) in older.own {
            let new = own[id]
            own[id] = (new == nil ? old.layer : new?.layer, old.contentChanged || new?.contentChanged == true)
        }
        pushed.merge(older.pushed) { new, _ in new }
        memories.merge(older.memories) { new, _ in new }
        for (id, old) in older.runs where !forgotten.contains(id) {
            runs[id] = old + (runs[id] ?? [])
            bound(id)
        }
        forgotten.formUnion(older.forgotten)
        for (id, old) in older.histories { histories[id, default: PendingHistory()].putBack(old) }
    }

    private mutating func bound(_ id: WidgetID) {
        let excess = (runs[id]?.count ?? 0) - StoreLimits.runsPerWidget
        if excess > 0 { runs[id]?.removeFirst(excess) }
    }
}
