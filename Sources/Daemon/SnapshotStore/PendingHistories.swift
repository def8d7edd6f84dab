// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// What of histories is not on disk yet. While nothing can be written, it grows no further than the histories themselves:
/// of series that have gone it keeps nothing, because it names the ones that stay.
struct PendingHistories {
    private struct PendingSeries {
        private(set) var parts: [Int64: SeriesPart] = [:]
        private(set) var oldest: Int64 = 0

        /// Adds the newest part. The parts before `oldest` have gone.
        mutating func add(_ part: SeriesPart, oldest: Int64) {
            parts[part.number] = part
            drop(before: oldest)
        }

        mutating func add(_ newer: PendingSeries) {
            parts.merge(newer.parts) { _, new in new }
            drop(before: newer.oldest)
        }

        private mutating func drop(before oldest: Int64) {
            if oldest > self.oldest { parts = parts.filter { $0.key >= oldest } }
            self.oldest = oldest
        }
    }

    private struct PendingWidget {
        /// The series that stay on disk: the others are removed before `series` are written. Nil where all stay.
        var kept: Set<SpelledText>?
        var series: [SpelledText: PendingSeries] = [:]

        /// Removes all series but these. One that has gone and comes back is a new one: its old rows have to go.
        mutating func keep(_ names: Set<SpelledText>) {
            kept = kept?.intersection(names) ?? names
            series = series.filter { names.contains($0.key) }
        }
    }

    private var widgets: [WidgetID: PendingWidget] = [:]

    var isEmpty: Bool { widgets.isEmpty }

    var rows: [Row] {
        var rows: [Row] = []
        for (id, pending) in widgets {
            if let kept = pending.kept { rows.append(.endOfHistory(id, except: kept.sorted().map(\.text))) }
            for (name, series) in pending.series {
                rows += series.parts.sorted { $0.key < $1.key }.map {
                    .samples(id, name: name.text, $0.value, oldest: series.oldest)
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
        case .ends(except: let names): widgets[id, default: PendingWidget()].keep(Set(names.map { SpelledText($0) }))
        case .part(let name, let part, let oldest):
            widgets[id, default: PendingWidget()].series[SpelledText(name), default: PendingSeries()]
                .add(part, oldest: oldest)
        }
    }

    mutating func forget(_ id: WidgetID) { widgets[id, default: PendingWidget()].keep([]) }

    /// Adds what a failed commit had; what came since is newer and wins.
    mutating func putBack(_ older: PendingHistories) {
        for (id, old) in older.widgets {
            var merged = old
            if let new = widgets[id] {
                if let kept = new.kept { merged.keep(kept) }
                for (name, series) in new.series {
                    merged.series[name, default: PendingSeries()].add(series)
                }
            }
            widgets[id] = merged
        }
    }
}
