// SPDX-License-Identifier: MIT
import JSON

/// What a widget provides: a one-line summary, a compact view and perhaps an expanded one. It is plain text with
/// attributes, never markup or escape sequences. docs/content.md is the schema for people.
package struct Content: Hashable, Sendable {
    /// The summary in one line.
    package var text: String
    /// The summary for places with room for a few characters.
    package var short: String?
    package var severity: Severity = .normal
    /// The colour of the summary, for hosts that have colours for more than the severity.
    package var color: Color?
    /// Further summaries, which a host with one line shows in turn, or pages through.
    package var pages: [Page] = []
    /// One symbol, usually an emoji.
    package var icon: String?
    /// 0 to 100.
    package var percentage: Double?
    package var tooltip: String?
    /// The program's own words, which style sheets of hosts can refer to.
    package var classes: [String] = []
    /// Selects one of the icons in a host's configuration.
    package var variant: String?
    package var compact: View?
    package var expanded: View?
    /// The margins around either view; nil means `Insets.standard`.
    package var insets: Insets?
    /// Whether there is nothing to show now. Hosts leave the widget out, but the daemon still runs it. (While the
    /// has-content flag is false, the daemon does not run it either.)
    package var isEmpty = false
    /// When the widget wants its next update, instead of after Interval=.
    package var nextUpdate: TimeSpan?
    /// The height in rows that the widget would like in each mode. Hosts give it up to their maximum. Nil means the
    /// height of the drawn view.
    package var compactRows: Int?
    package var expandedRows: Int?
    package var relevance: Relevance?
    /// Whether the program handles clicks itself. It then accepts the actions of `Click`.
    package var takesClicks = false
    /// Numbers by name, of which the daemon keeps a history.
    package var metrics: [Metric] = []
    /// The machines that the content has come through. The names have a meaning only to programs that pass content on.
    package var via: [String] = []
    /// Contents to show later. The daemon resolves the timeline before it sends an item to hosts.
    package var timeline: Timeline?

    package init(text: String) { self.text = text }

    /// The view for a display mode; only the summary if the widget provides no view.
    package func view(for mode: DisplayMode) -> View {
        switch mode {
        case .compact: compact ?? .text(.init(text))
        case .expanded: expanded ?? compact ?? .text(.init(text))
        }
    }

    /// The height that the widget would like in a mode.
    package func rows(in mode: DisplayMode) -> Int? { mode == .compact ? compactRows : expandedRows }
}

/// How urgently a host should draw attention to the content.
package enum Severity: String, WireWord {
    case normal, good, info, warning, critical
}

/// The margins of a drawing, in rows and columns of a terminal.
package struct Insets: Hashable, Sendable {
    /// Wider margins would fill the widget's room.
    package static let range = 0...16

    package var top: Int
    package var left: Int
    package var bottom: Int
    package var right: Int

    package init(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    package var isZero: Bool { self == Insets() }

    /// The margins in hosts for content without insets: it is aligned with the name, not with the icon before it.
    package static let standard = Insets(left: 2)
}

extension Insets: WireObject {
    package static var blank: Self { Self() }
    package static func read(_ field: JSONField) throws(JSONMismatch) -> Self { try Self(exactly: field) }

    package mutating func list(_ members: inout WireMembers) {
        members("top", &top, unless: 0, Self.range)
        members("left", &left, unless: 0, Self.range)
        members("bottom", &bottom, unless: 0, Self.range)
        members("right", &right, unless: 0, Self.range)
    }
}

/// A further summary in one line.
package struct Page: Hashable, Sendable {
    package var text: String
    package var color: Color?

    package init(_ text: String, color: Color? = nil) {
        self.text = text
        self.color = color
    }
}

extension Page: WireObject {
    package static var blank: Self { Self("") }

    /// A string alone is a page without a colour.
    package static func read(_ field: JSONField) throws(JSONMismatch) -> Self {
        if case .string = field.value { return Self(try field.text(.summary)) }
        return try Self(exactly: field)
    }

    package mutating func list(_ members: inout WireMembers) {
        members("text", &text, .summary)
        members("color", &color)
    }
}

/// One number of a widget at the time of its content: `load1` is 0.3.
package struct Metric: Hashable, Sendable {
    package var name: String
    package var value: Double

    /// Nil for a name that is empty, too long or not plain text, and for a value that is not a number.
    package init?(_ name: String, _ value: Double) {
        let rule = TextRule(mostBytes: ContentLimits.metricNameBytes)
        guard !name.isEmpty, rule.complaint(about: name) == nil, value.isFinite else { return nil }
        self.name = name
        self.value = value
    }
}

extension Metric {
    static func read(_ field: JSONField) throws(JSONMismatch) -> [Metric] {
        let members = try field.members()
        guard members.count <= ContentLimits.metrics else {
            throw field.fail("has more than \(ContentLimits.metrics) metrics")
        }
        var metrics: [Metric] = []
        for (name, value) in members {
            guard let metric = Metric(name, try value.double()) else {
                throw value.fail(
                    "has a name that is empty, longer than \(ContentLimits.metricNameBytes) bytes or no plain text")
            }
            metrics.append(metric)
        }
        return metrics
    }

    static func json(_ metrics: [Metric]) -> JSON {
        var object = JSONObject()
        for metric in metrics { object[metric.name] = .double(metric.value) }
        return .object(object)
    }
}

/// A click on the summary of a widget that takes clicks, by the number of the mouse button as X11 counts: 1 primary,
/// 2 middle, 3 secondary, 4 to 7 the wheel, 8 back, 9 forward.
package struct Click: Hashable, Sendable {
    package static let buttons = 1...9

    package let button: Int

    package init?(button: Int) {
        guard Self.buttons.contains(button) else { return nil }
        self.button = button
    }

    /// The action of the widget that stands for the click: `click-1`.
    package var action: String { "click-\(button)" }

    package init?(action: String) {
        guard action.hasPrefix("click-"), let button = Int(action.dropFirst("click-".count)) else { return nil }
        self.init(button: button)
        guard self.action == action else { return nil }
    }

    package static let all = buttons.compactMap(Click.init(button:))
}
