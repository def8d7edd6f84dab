// SPDX-License-Identifier: MIT
import JSON

/// What a widget gives: a one-line summary, a compact view and perhaps an expanded one. Plain text and attributes:
/// never markup, never escape sequences. docs/content.md is the schema for people.
package struct Content: Hashable, Sendable {
    /// The summary in one line.
    package var text: String
    /// The same for places with room for a few characters.
    package var short: String?
    package var severity: Severity = .normal
    /// One symbol, usually an emoji.
    package var icon: String?
    /// 0 to 100.
    package var percentage: Double?
    package var tooltip: String?
    package var compact: View?
    package var expanded: View?
    /// Room to leave free around either view; nil is as the host does it.
    package var insets: Insets?
    /// There is nothing to show now: hosts leave the widget out, but it goes on being asked. (The has-content flag
    /// is stronger: while that is false, the widget is not launched either.)
    package var isEmpty = false
    /// When to ask next, instead of after Interval=.
    package var nextUpdate: TimeSpan?
    /// The height that the widget would like in each mode, in rows; hosts give it, up to the most there is. Nil is as
    /// much as is drawn.
    package var compactRows: Int?
    package var expandedRows: Int?
    package var relevance: Relevance?
    /// What is shown later, instead of this. Never in what hosts get.
    package var timeline: Timeline?

    package init(text: String) { self.text = text }

    /// The view for a display mode; the summary alone where the widget gave none.
    package func view(for mode: DisplayMode) -> View {
        switch mode {
        case .compact: compact ?? .text(.init(text))
        case .expanded: expanded ?? compact ?? .text(.init(text))
        }
    }

    /// The height that the widget would like in a mode.
    package func rows(in mode: DisplayMode) -> Int? { mode == .compact ? compactRows : expandedRows }
}

/// How much a piece of content wants to be noticed.
package enum Severity: String, CaseIterable, Sendable {
    case normal, good, info, warning, critical
}

/// Room to leave free around what is drawn, in rows and columns of a terminal.
package struct Insets: Hashable, Sendable {
    /// More of it would be the widget's whole room.
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
}

extension Insets {
    private static let keys = ["top", "left", "bottom", "right"]

    init(_ field: JSONField) throws(JSONMismatch) {
        self.init()
        try field.noOtherKeys(than: Self.keys)
        top = try field.optional("top")?.int(in: Self.range) ?? 0
        left = try field.optional("left")?.int(in: Self.range) ?? 0
        bottom = try field.optional("bottom")?.int(in: Self.range) ?? 0
        right = try field.optional("right")?.int(in: Self.range) ?? 0
    }

    /// Sides without any room are left out.
    var json: JSON {
        var object = JSONObject()
        for (key, value) in zip(Self.keys, [top, left, bottom, right]) where value != 0 {
            object[key] = JSON(value)
        }
        return .object(object)
    }
}
