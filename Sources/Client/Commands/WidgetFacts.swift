// SPDX-License-Identifier: MIT

import JSON
import Rendering
import TodayModel

/// The facts about a widget as single values, under the names of the protocol: `text`, `state`, `metrics.load1`.
struct WidgetFacts {
    /// The names of the facts that widgets may have. Each widget has some of them, its metrics, and the histories of its
    /// numbers.
    static let names = [
        "id", "name", "state", "mode", "text", "short", "severity", "color", "icon", "percentage", "tooltip", "source",
        "taken", "confirmed", "age", "freshness", "stale", "failure",
    ]
    /// Other words for them.
    static let synonyms = ["summary": "text", "colour": "color", "title": "name"]
    static let metrics = "metrics."
    static let history = "history."
    static let image = "image."
    /// todayd keeps the flag; items do not contain it.
    static let hasContent = "has-content"

    /// The facts that the widget has now, without histories.
    let values: [(name: String, value: JSON)]
    let series: [SeriesReply]

    init(_ item: Item, _ series: [SeriesReply] = [], now: WallTime = .now) {
        let content = item.content
        let freshness = item.freshness(at: now)
        let values: [String: JSON?] = [
            "id": .string(item.id.text), "name": .string(item.name), "state": .string(item.state.rawValue),
            "mode": .string(item.mode.rawValue), "text": content.map { .string($0.text) },
            "short": content?.short.map(JSON.string), "severity": content.map { .string($0.severity.rawValue) },
            "color": (content?.color?.text).map(JSON.string), "icon": item.symbol.map(JSON.string),
            "percentage": content?.percentage.map(JSON.double), "tooltip": content?.tooltip.map(JSON.string),
            "source": (item.source?.rawValue).map(JSON.string), "taken": item.taken.map(Self.date),
            "confirmed": item.confirmed.map(Self.date),
            "age": item.age(at: now).map { .int($0.microseconds / 1_000_000) },
            "freshness": freshness.isEmpty ? nil : .string(freshness), "stale": .bool(item.stale),
            "failure": item.failure.map(JSON.string),
        ]
        let metrics = content?.metrics.map { (name: Self.metrics + $0.name, value: JSON.double($0.value)) } ?? []
        self.values = Self.names.compactMap { name in (values[name] ?? nil).map { (name, $0) } } + metrics
        self.series = series
    }

    /// The names of all facts that the widget has.
    var present: [String] { values.map(\.name) + series.map { Self.history + $0.name } }

    subscript(name: String) -> JSON? { JSONObject(values.map { ($0.name, $0.value) })[name] }

    /// A date is printed for people; with `--json` it is a number of the protocol.
    private static func date(_ time: WallTime) -> JSON { .int(time.microseconds) }

    /// A value as one text: a whole number without a fraction, a date with its zone.
    static func text(_ value: JSON, of name: String) -> String {
        switch value {
        case .int(let number) where name == "taken" || name == "confirmed":
            WallTime(microseconds: number).rfc3339
        case .double(let number): Setting.text(of: number)
        case .string(let text): text
        default: value.text
        }
    }
}
