// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// What of a widget's history is not on disk yet. While nothing can be written, it grows no further than the history
/// The part of a widget's history that is not on disk yet. While nothing can be written, it grows no further than the history
/// itself: it keeps nothing of dropped series, because it names the ones that stay.
struct PendingHistory {
    /// The series that stay on disk: the others are removed before `series` are written. Nil if all stay.
    private var kept: Set<SpelledText>?
    /// The series with new values, and the number of the first one.
    private var series: [SpelledText: (series: Series, from: Int64)] = [:]

    init() {}

    /// The history of a forgotten widget.
    static var ofForgotten: PendingHistory {
        var pending = PendingHistory()
        pending.kept = []
        return pending
    }

    func rows(of id: WidgetID) -> [Row] {
        (kept.map { [Row.endOfHistory(id, except: $0.map(\.text))] } ?? [])
            + series.map { .samples(id, name: $0.key.text, $0.value.series, from: $0.value.from) }
    }

    /// Adds the last values of the named series. A dropped series that comes back is a new one, so its old rows have to go.
    mutating func add(_ names: [String], of history: History, hasDropped: Bool) {
        if hasDropped { keep(Set(history.series.keys)) }
        for name in names.map({ SpelledText($0) }) {
            guard let newest = history.series[name] else { continue }
            series[name] = (newest, min(newest.end - 1, series[name]?.from ?? .max))
        }
    }

    private mutating func keep(_ names: Set<SpelledText>) {
        kept = kept?.intersection(names) ?? names
        series = series.filter { names.contains($0.key) }
    }

    /// Adds the records of a failed commit again; later ones are newer and win.
    mutating func putBack(_ older: PendingHistory) {
        var merged = older
        if let kept { merged.keep(kept) }
        for (name, newer) in series {
            merged.series[name] = (newer.series, min(newer.from, merged.series[name]?.from ?? .max))
        }
        self = merged
    }
}

/// Makes histories of the rows of a table, in their order, in which the rows of a series follow one another. A table may
/// have a million rows: identifier and name are checked once for all rows of a series, and each series is allocated once.
struct HistoriesReader {
    /// Why a row is lost.
    enum Loss: Equatable { case noWidget, noSample(of: WidgetID) }

    /// The widget and the name of the last row.
    private(set) var widget = ""
    private(set) var name = ""
    private var id: WidgetID?
    private var isName = false
    /// The samples of the current series, in storage that all series share, and the number of the next one.
    private var samples: [Sample] = []
    private var next: Int64 = 0
    private var histories: [WidgetID: [SpelledText: Series]] = [:]

    mutating func add(_ widget: String, _ name: String, _ number: Int64, _ sample: Sample) -> Loss? {
        if !widget.isSpelled(as: self.widget) || !name.isSpelled(as: self.name) {
            endSeries()
            (self.widget, self.name) = (widget, name)
            id = WidgetID(widget)
            isName = Metric(name, 0) != nil
        }
        guard let id else { return .noWidget }
        guard isName, Series.numbers.contains(number), number >= next, sample.value.isFinite else {
            return .noSample(of: id)
        }
        samples.append(sample)
        next = number + 1
        return nil
    }

    /// The histories of all rows.
    mutating func end() -> [WidgetID: History] {
        endSeries()
        return histories.mapValues { History($0) }
    }

    /// A row between others may be lost: the samples before it then count as later ones.
    private mutating func endSeries() {
        if let id, !samples.isEmpty {
            histories[id, default: [:]][SpelledText(name)] = Series(
                Array(samples[...]), first: next - Int64(samples.count))
        }
        samples.removeAll(keepingCapacity: true)
        next = 0
    }
}
