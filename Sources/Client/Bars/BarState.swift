// SPDX-License-Identifier: MIT

import Console
import JSON
import Link
import Rendering
import TodayModel

/// What a bar shows: the widgets, which of their summaries, and whether todayd answers. It is a pure value: events go in, lines
/// come out.
struct BarState {
    private let hasSymbols: Bool
    /// Whether the bar dims stale content, so that a single widget needs no sign.
    private let dims: Bool
    private var live: LiveItems
    /// Since when todayd does not answer.
    private var lostAt: WallTime?
    /// The page of each widget that is not on its first one.
    private var pages: [WidgetID: Int] = [:]
    /// How many times all widgets have turned their pages by themselves.
    private var turns = 0

    /// - Parameters:
    ///   - areNamed: whether the user names the widgets.
    ///   - hasSymbols: whether the widgets' symbols are shown.
    ///   - dims: whether the bar shows by itself that a segment is stale.
    init(areNamed: Bool, hasSymbols: Bool = true, dims: Bool = false) {
        self.hasSymbols = hasSymbols
        self.dims = dims
        live = LiveItems(areNamed: areNamed)
    }

    // MARK: Events

    mutating func apply(_ reply: JSONObject) throws(JSONMismatch) {
        _ = try live.apply(reply)
        lostAt = nil
    }

    /// The connection has ended, or there is none yet. The next reply has everything.
    mutating func lose(at now: WallTime) {
        live.lose()
        if lostAt == nil { lostAt = now }
    }

    /// Shows another summary of a widget, if it is shown.
    mutating func turn(_ turn: PageTurn) {
        guard item(turn.widget) != nil else { return }
        pages[turn.widget, default: 0] &+= turn.steps
    }

    /// Shows the next summary of each widget.
    mutating func turn() { turns += 1 }

    // MARK: What is shown

    var isLost: Bool { lostAt != nil }

    func item(_ id: WidgetID) -> Item? { live.items.first { $0.id == id } }

    /// Whether a widget has more than one summary.
    var hasPages: Bool { live.items.contains { $0.isVisible && $0.content?.pages.isEmpty == false } }

    /// The segments of the widgets. While todayd does not answer, all count as stale, because it could not report that they
    /// are; one sign follows them all.
    ///
    /// - Returns: nil before the first reply.
    func segments(_ presentation: Presentation) -> [BarSegment]? {
        if !live.isCurrent, lostAt == nil { return nil }
        var items = live.items(at: presentation.now)
        if let lostAt {
            for index in items.indices { items[index].stale = true }
            if !(dims && items.count == 1), let sign = Self.sign(items.isEmpty, since: lostAt) { items.append(sign) }
        }
        return items.map { item in
            BarSegment(
                item, presentation, page: (pages[item.id] ?? 0) + turns, hasSymbol: hasSymbols,
                hasMark: lostAt == nil)
        }
    }

    /// The sign that todayd does not answer.
    private static func sign(_ isAlone: Bool, since lostAt: WallTime) -> Item? {
        guard let id = WidgetID("org.todayd.todayd") else { return nil }
        var item = Item(id: id, name: "todayd", points: [], position: 0, state: .failing)
        item.content = Content(text: isAlone ? "todayd ⚠" : "⚠")
        item.failure = "todayd has not answered since \(ClockTime(lostAt))"
        return item
    }

    /// The time until the bar changes by itself: only the age of content that is not fresh does.
    func nextChange(after now: WallTime) -> TimeSpan? {
        let all = lostAt != nil
        return live.nextAgeChange(after: now) { item in item.isVisible && (all || item.hasVisibleAge) }
    }
}
