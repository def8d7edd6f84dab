// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The last runs of one widget, oldest first, bounded in number and in size.
package struct UpdateLog: Equatable, Sendable {
    /// A record with its number; numbers count up for as long as the widget is known.
    struct Entry: Equatable, Sendable {
        let number: Int64
        var record: RunRecord
    }

    /// A run a microsecond would take three lifetimes to reach the end.
    static let numbers: ClosedRange<Int64> = 1...1 << 53

    private(set) var entries: [Entry] = []

    package var records: [RunRecord] { entries.map(\.record) }
    package var last: RunRecord? { entries.last?.record }
    /// The last one that says something of the widget's state: what a button or an editor asked for does not.
    package var lastUpdate: RunRecord? { placeOfLastUpdate.map { entries[$0].record } }
    private var placeOfLastUpdate: Int? { entries.lastIndex { !$0.record.reason.isErrand } }

    package init() {}

    /// Adds a run and returns it as it is to be kept.
    mutating func append(_ record: RunRecord) -> Entry {
        let entry = Entry(number: (entries.last?.number ?? 0) + 1, record: Self.bounded(record))
        append(entry)
        return entry
    }

    /// Adds a run that has its number already.
    mutating func append(_ entry: Entry) {
        var entry = entry
        // Almost all end the same way, and one string can serve fifty records.
        if let exit = entries.last?.record.exit, exit == entry.record.exit { entry.record.exit = exit }
        entries.append(entry)
        // Whether the widget works is told by its last update, however often its buttons are pressed after it.
        if entries.count > StoreLimits.runsPerWidget { entries.remove(at: placeOfLastUpdate == 0 ? 1 : 0) }
        let old = entries.count - StoreLimits.runsWithErrorOutput - 1
        if old >= 0 { entries[old].record.errorOutput = "" }
    }

    /// Reasons keep their beginning, and standard error its end.
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

/// What widgets have given and is not on disk yet: the latest of each layer and no more runs than its log keeps.
struct PendingRecords {
    private var own: [WidgetID: (layer: Layers.Own?, contentChanged: Bool)] = [:]
    private var pushed: [WidgetID: Layers.Pushed?] = [:]
    private var memories: [WidgetID: WidgetMemory?] = [:]
    private var runs: [WidgetID: [UpdateLog.Entry]] = [:]
    /// Those whose logs end before the runs here.
    private var forgotten: Set<WidgetID> = []

    var isEmpty: Bool {
        own.isEmpty && pushed.isEmpty && memories.isEmpty && runs.isEmpty && forgotten.isEmpty
    }

    var rows: [Row] {
        var rows: [Row] = forgotten.map { .endOfLog($0) }
        rows += own.map { Row.own($0.key, $0.value.layer, contentChanged: $0.value.contentChanged) }
        rows += pushed.map { Row.pushed($0.key, $0.value) }
        rows += memories.map { Row.memory($0.key, $0.value) }
        for (id, entries) in runs { rows += entries.map { Row.run(id, $0) } }
        return rows
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

    mutating func forget(_ id: WidgetID) {
        own[id] = (nil, true)
        pushed[id] = .some(nil)
        memories[id] = .some(nil)
        runs[id] = nil
        forgotten.insert(id)
    }

    /// Takes back what was not written; what has come since is newer.
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
    }

    private mutating func bound(_ id: WidgetID) {
        let excess = (runs[id]?.count ?? 0) - StoreLimits.runsPerWidget
        if excess > 0 { runs[id]?.removeFirst(excess) }
    }
}
