// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// What of histories is not on disk yet.
struct PendingHistories {
    private struct PendingSeries {
        /// Whether the series is removed before its parts are written.
        var isEnded = false
        var parts: [Int64: SeriesPart] = [:]
        var oldest: Int64 = 0
    }

    private var series: [WidgetID: [SpelledText: PendingSeries]] = [:]
    /// The widgets whose histories are removed before `series` are written.
    private var forgotten: Set<WidgetID> = []

    var isEmpty: Bool { series.isEmpty && forgotten.isEmpty }

    var rows: [Row] {
        var rows = forgotten.map { Row.endOfHistory($0, name: nil) }
        for (id, series) in series {
            for (name, pending) in series {
                if pending.isEnded { rows.append(.endOfHistory(id, name: name.text)) }
                rows += pending.parts.sorted { $0.key < $1.key }.map {
                    .samples(id, name: name.text, $0.value, oldest: pending.oldest)
                }
            }
        }
        return rows
    }

    mutating func add(_ changes: [Histories.Change], of id: WidgetID) {
        for change in changes { add(change, of: id) }
    }

    private mutating func add(_ change: Histories.Change, of id: WidgetID) {
        switch change {
        case .end(let name): series[id, default: [:]][SpelledText(name)] = PendingSeries(isEnded: true)
        case .part(let name, let part, let oldest):
            var pending = series[id]?[SpelledText(name)] ?? PendingSeries()
            pending.parts[part.number] = part
            if oldest > pending.oldest { pending.parts = pending.parts.filter { $0.key >= oldest } }
            pending.oldest = oldest
            series[id, default: [:]][SpelledText(name)] = pending
        }
    }

    mutating func forget(_ id: WidgetID) {
        series[id] = nil
        forgotten.insert(id)
    }

    /// Adds what a failed commit had; what came since is newer and wins.
    mutating func putBack(_ older: PendingHistories) {
        for (id, olderSeries) in older.series where !forgotten.contains(id) {
            for (name, old) in olderSeries {
                guard let new = series[id]?[name] else {
                    series[id, default: [:]][name] = old
                    continue
                }
                guard !new.isEnded else { continue }
                var merged = new
                merged.isEnded = old.isEnded
                merged.parts.merge(old.parts.filter { $0.key >= new.oldest }) { new, _ in new }
                series[id]?[name] = merged
            }
        }
        forgotten.formUnion(older.forgotten)
    }
}
