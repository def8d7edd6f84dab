// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The histories of all widgets' numbers, and how many values they may have together.
struct Histories: Equatable, Sendable {
    /// The most values of all series, 16 bytes each.
    static let mostSamples = 1_000_000

    /// What has to be written.
    enum Change: Equatable, Sendable {
        /// The part with the newest sample; the parts before `oldest` have gone.
        case part(name: String, SeriesPart, oldest: Int64)
        /// Series have gone; these stay.
        case ends(except: [String])
    }

    private(set) var widgets: [WidgetID: History] = [:]
    private var count = 0
    /// The most values of each series.
    private(set) var limit = Series.most

    init() {}

    /// Stored histories. What is beyond the limits is dropped.
    init(_ stored: [WidgetID: History]) {
        widgets = stored
        for id in stored.keys { _ = widgets[id]?.dropExcess() }
        count = widgets.values.reduce(0) { $0 + $1.series.count }
        limit = Self.limit(forSeries: count)
        for id in stored.keys { _ = widgets[id]?.trim(to: limit) }
    }

    /// The most values of each of so many series. It halves whenever their number doubles, so that a new series seldom
    /// shortens the others.
    static func limit(forSeries count: Int) -> Int {
        var limit = Series.most
        while limit > 1, limit * count > mostSamples { limit /= 2 }
        return limit
    }

    subscript(id: WidgetID) -> History { widgets[id] ?? History() }

    /// Adds the numbers of a content. Returns what has to be written, also of other widgets.
    mutating func append(_ numbers: [Metric], of id: WidgetID, at date: WallTime) -> [WidgetID: [Change]] {
        guard !numbers.isEmpty else { return [:] }
        let before = widgets[id]?.series.count ?? 0
        let dropped = widgets[id, default: History()].append(numbers, at: date, limit: limit)
        count += (widgets[id]?.series.count ?? 0) - before
        let ends: [Change] = dropped.isEmpty ? [] : [.ends(except: self[id].names)]
        var changes = [id: ends + numbers.compactMap { change(of: $0.name, of: id) }]
        changes.merge(renewLimit()) { $0 + $1 }
        return changes
    }

    mutating func forget(_ id: WidgetID) {
        count -= widgets.removeValue(forKey: id)?.series.count ?? 0
        limit = Self.limit(forSeries: count)
    }

    /// Shortens all series when there are too many for their present length.
    private mutating func renewLimit() -> [WidgetID: [Change]] {
        let before = limit
        limit = Self.limit(forSeries: count)
        guard limit < before else { return [:] }
        var changes: [WidgetID: [Change]] = [:]
        for id in widgets.keys {
            let shortened = widgets[id]?.trim(to: limit) ?? []
            if !shortened.isEmpty { changes[id] = shortened.compactMap { change(of: $0, of: id) } }
        }
        return changes
    }

    private func change(of name: String, of id: WidgetID) -> Change? {
        guard let series = widgets[id]?[name], let parts = series.parts else { return nil }
        return .part(name: name, SeriesPart(parts.upperBound, of: series), oldest: parts.lowerBound)
    }

    /// The rows of a table with these histories.
    var rows: [Row] {
        widgets.flatMap { id, history in
            history.series.flatMap { name, series in
                guard let parts = series.parts else { return [Row]() }
                return parts.map {
                    .samples(id, name: name.text, SeriesPart($0, of: series), oldest: parts.lowerBound)
                }
            }
        }
    }
}
