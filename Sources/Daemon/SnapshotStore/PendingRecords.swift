// SPDX-License-Identifier: MIT
import TodayModel

/// Snapshots and runs that are not on disk yet: the latest snapshot of each widget and no more runs than its log keeps.
struct PendingRecords {
    private var snapshots: [WidgetID: (snapshot: Snapshot?, contentChanged: Bool)] = [:]
    private var runs: [WidgetID: [UpdateLog.Entry]] = [:]
    /// Those whose logs end before the runs here.
    private var forgotten: Set<WidgetID> = []

    var isEmpty: Bool { snapshots.isEmpty && runs.isEmpty && forgotten.isEmpty }

    var rows: [Row] {
        forgotten.map(Row.endOfLog)
            + snapshots.map { .snapshot($0.key, $0.value.snapshot, contentChanged: $0.value.contentChanged) }
            + runs.flatMap { id, entries in entries.map { .run(id, $0) } }
    }

    mutating func add(_ snapshot: Snapshot?, of id: WidgetID, contentChanged: Bool) {
        snapshots[id] = (snapshot, contentChanged || snapshots[id]?.contentChanged == true)
    }

    mutating func add(_ run: UpdateLog.Entry, of id: WidgetID) {
        runs[id, default: []].append(run)
        bound(id)
    }

    mutating func forget(_ id: WidgetID) {
        snapshots[id] = (nil, true)
        runs[id] = nil
        forgotten.insert(id)
    }

    /// Takes back what was not written; what has come since is newer.
    mutating func putBack(_ older: PendingRecords) {
        for (id, old) in older.snapshots {
            let new = snapshots[id]
            snapshots[id] = (
                new == nil ? old.snapshot : new?.snapshot, old.contentChanged || new?.contentChanged == true
            )
        }
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
