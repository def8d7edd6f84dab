// SPDX-License-Identifier: MIT
import TodayModel

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
