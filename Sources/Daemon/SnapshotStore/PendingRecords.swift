// SPDX-License-Identifier: MIT
import TodayModel

/// What widgets have provided that is not on disk yet: the latest value of each layer, at most as many runs as a log
/// keeps, and the new values of numbers.
struct PendingRecords {
    private struct Widget {
        var own: (layer: Layers.Own?, contentChanged: Bool)?
        var pushed: Layers.Pushed??
        var memory: WidgetMemory??
        var runs: [UpdateLog.Entry] = []
        /// Whether older entries of the log are removed before `runs` are written.
        var endsLog = false
        var history: PendingHistory?

        mutating func boundRuns() {
            let excess = runs.count - StoreLimits.runsPerWidget
            if excess > 0 { runs.removeFirst(excess) }
        }

        /// Adds what a failed commit had; what came since is newer and wins.
        mutating func putBack(_ old: Widget) {
            if let older = old.own {
                own = (own.map(\.layer) ?? older.layer, older.contentChanged || own?.contentChanged == true)
            }
            pushed = pushed ?? old.pushed
            memory = memory ?? old.memory
            if !endsLog { runs = old.runs + runs }
            boundRuns()
            endsLog = endsLog || old.endsLog
            if let older = old.history {
                var merged = history ?? PendingHistory()
                merged.putBack(older)
                history = merged
            }
        }

        func rows(of id: WidgetID) -> [Row] {
            var rows: [Row] = endsLog ? [.endOfLog(id)] : []
            if let own { rows.append(.own(id, own.layer, contentChanged: own.contentChanged)) }
            if let pushed { rows.append(.pushed(id, pushed)) }
            if let memory { rows.append(.memory(id, memory)) }
            rows += runs.map { .run(id, $0) }
            return rows + (history?.rows(of: id) ?? [])
        }
    }

    private var widgets: [WidgetID: Widget] = [:]

    var isEmpty: Bool { widgets.isEmpty }

    var rows: [Row] { widgets.flatMap { $0.value.rows(of: $0.key) } }

    mutating func add(own layer: Layers.Own?, of id: WidgetID, contentChanged: Bool) {
        let hadChanged = widgets[id]?.own?.contentChanged == true
        widgets[id, default: Widget()].own = (layer, contentChanged || hadChanged)
    }

    mutating func add(pushed layer: Layers.Pushed?, to id: WidgetID) {
        widgets[id, default: Widget()].pushed = .some(layer)
    }

    mutating func add(_ memory: WidgetMemory?, of id: WidgetID) {
        widgets[id, default: Widget()].memory = .some(memory)
    }

    mutating func add(_ run: UpdateLog.Entry, of id: WidgetID) {
        widgets[id, default: Widget()].runs.append(run)
        widgets[id]?.boundRuns()
    }

    mutating func add(_ names: [String], of history: History, hasDropped: Bool, to id: WidgetID) {
        var pending = widgets[id]?.history ?? PendingHistory()
        pending.add(names, of: history, hasDropped: hasDropped)
        widgets[id, default: Widget()].history = pending
    }

    mutating func forget(_ id: WidgetID) {
        widgets[id] = Widget(
            own: (nil, true), pushed: .some(nil), memory: .some(nil), runs: [], endsLog: true, history: .ofForgotten)
    }

    /// Adds the records of a failed commit again; records that came since are newer and win.
    mutating func putBack(_ older: PendingRecords) {
        for (id, old) in older.widgets { widgets[id, default: Widget()].putBack(old) }
    }
}
