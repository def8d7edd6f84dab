// SPDX-License-Identifier: MIT

import Console
import JSON
import Link
import Rendering
import Spelling
import TodayModel

/// What `todayctl watch` shows on a screen, and what keys mean there. It is a pure value: events go in, frames and effects come
/// out.
struct WatchState {
    /// The user's options on the command line.
    struct Options {
        var order = ItemOrder.order
        var extras = TodayPage.Extras()
        /// Whether the user names the widgets, which are then in that order.
        var areNamed = false
        /// The place of the view, in which keys hide widgets.
        var point = ExtensionPoint.today
        /// Whether there are keys. Without keys nothing is selected, and no row describes them.
        var hasKeys = true
        /// Whether the first row shows the day, the counts and the time, if the screen has room for it.
        var hasHead = true
        /// The command that prints all lines, for a screen without keys.
        var commandForAll = "todayctl show --all"
    }

    /// What the bottom row says until the next key. A message without trouble gives way to the keys by itself.
    struct Message: Equatable {
        static let duration = TimeSpan.seconds(10)
        let text: String
        var isTrouble = false
    }

    /// The text that widgets must have to be shown.
    struct Filter: Equatable {
        static let mostBytes = 200
        var text = ""
        /// Whether the user is still typing the text.
        var isTyped = true
    }

    let options: Options
    var size = Size(columns: 80, rows: 24)
    var presentation: Presentation

    private(set) var live: LiveItems
    /// All widgets, including those that are not shown; nil unless the view is edited and todayd has sent them.
    private(set) var listed: [Item]?
    /// Whether the user edits the view: each widget has one row, including the hidden ones.
    var isViewEdited = false {
        didSet {
            if !isViewEdited { listed = nil }
            moves.clear()
        }
    }
    private(set) var lostAt: WallTime?
    /// What is being done.
    private(set) var underWay: [WatchDeed] = []
    /// The deed that undoes the last change, and until when it is available.
    private var undo: (deed: WatchDeed, end: WallTime)?
    var moves = WatchMoves()
    /// The widgets whose editing was begun here: it ends with this view.
    private(set) var ownEdits: Set<WidgetID> = []

    /// The time of the events that come next.
    var clock = AwakeTime(microseconds: 0)
    /// How long a user needs to notice a change.
    static let attention = TimeSpan.milliseconds(500)
    /// When the targets of each widget last changed.
    private(set) var targetsChanged: [WidgetID: AwakeTime] = [:]

    var selection: WidgetID?
    /// When another widget was selected because the previous one disappeared; nil once the user has moved.
    var selectionMoved: AwakeTime?
    /// Whether a key is being handled.
    var isHandling = false
    private var hasSelected = false
    /// The widget that was selected before the filter.
    private var unfilteredSelection: WidgetID?
    /// The place of the selected widget, in case it disappears.
    var selectedIndex = 0
    /// The first row of the page that the screen shows.
    var offset = 0
    /// Whether the screen keeps the selected widget in view. The wheel of the mouse scrolls away from it.
    var isFollowing = true
    var filter: Filter? {
        didSet {
            if oldValue == nil { unfilteredSelection = selection }
            if filter?.text != oldValue?.text { moves.clear() }
        }
    }
    var choice: NumberChoice?
    /// The first visible line of the help page; nil if it is not shown.
    var helpOffset: Int?
    var message: Message? { didSet { messageEnd = presentation.now + Message.duration } }
    private var messageEnd: WallTime?
    var isWhole: Bool

    /// The cards as last drawn, as far as they are still valid.
    private var cards = CardCache()
    private var page: WatchPage?

    init(_ options: Options, _ presentation: Presentation) {
        self.options = options
        self.presentation = presentation
        live = LiveItems(areNamed: options.areNamed)
        isWhole = options.extras.isWhole
    }

    // MARK: Events

    mutating func apply(_ reply: JSONObject) throws(JSONMismatch) {
        let before = live
        let changed = try live.apply(reply)
        if !before.isCurrent { cards.clear() } else { for item in changed { cards.remove(item.id) } }
        for item in changed {
            guard let old = before[item.id] else { continue }
            if !TargetChoice(old).offersSame(as: TargetChoice(item)) { targetsChanged[item.id] = clock }
        }
        lostAt = nil
        invalidate()
    }

    /// Takes all widgets of the place, while the view is edited.
    mutating func list(_ items: [Item]) {
        guard isViewEdited else { return }
        listed = items
        forgetCards()
    }

    /// todayd cannot list all widgets.
    mutating func giveUpList(_ reason: String) {
        isViewEdited = false
        message = Message(text: reason, isTrouble: true)
        forgetCards()
    }

    /// The connection has ended, or there is none yet.
    mutating func lose(at now: WallTime) {
        live.lose()
        if lostAt == nil { lostAt = now }
        moves.clear()
        forgetCards()
    }

    /// The size of the screen, what is drawn on it, and the time.
    mutating func resize(_ size: Size, _ presentation: Presentation) {
        if size != self.size || presentation.width != self.presentation.width { cards.clear() }
        self.size = size
        self.presentation = presentation
        if message?.isTrouble == false, let messageEnd, messageEnd <= presentation.now { message = nil }
        invalidate()
    }

    mutating func began(_ deed: WatchDeed) {
        underWay.append(deed)
        if case .edit(let id, let step) = deed {
            if step == .begin { ownEdits.insert(id) } else { ownEdits.remove(id) }
        }
        message = nil
    }

    /// - Parameter said: the answer in words, or the output of a command.
    mutating func ended(_ deed: WatchDeed, succeeded: Bool, said: String) -> [WatchEffect] {
        underWay.removeAll { $0 == deed }
        if !succeeded {
            if case .edit(let id, .begin) = deed { ownEdits.remove(id) }
            message = Message(
                text: said.isEmpty ? "it has failed" : said, isTrouble: true)
            if deed.isMove { moves.clear() }
        } else if let text = said.isEmpty || deed.isQuiet ? deed.result : said {
            message = Message(text: text)
        }
        if succeeded {
            undo = deed.undo.map { ($0, presentation.now + Message.duration) }
            moves.ended(deed, at: clock)
        }
        return nextMove()
    }

    var undoing: WatchDeed? { undo.flatMap { $0.end > presentation.now ? $0.deed : nil } }

    mutating func takeUndo() -> WatchDeed? {
        defer { undo = nil }
        return undoing
    }

    // MARK: What is shown

    var isLost: Bool { lostAt != nil }

    func item(_ id: WidgetID) -> Item? { live[id] ?? listed?.first { $0.id == id } }

    /// Another selection or another filter.
    mutating func invalidate() { page = nil }

    /// The way in which cards are drawn has changed.
    mutating func forgetCards() {
        cards.clear()
        page = nil
    }

    /// The time until the screen changes by itself.
    mutating func nextChange(after now: WallTime) -> TimeSpan? {
        let end = message?.isTrouble == false ? messageEnd.map { $0 - now } : nil
        let items = currentPage().items
        let minute = headRows == 0 ? nil : TimeSpan.minutes(1) - TimeSpan(microseconds: now.microseconds % 60_000_000)
        return [items.nextAgeChange(after: now), items.nextStaleness(after: now), end, minute].compactMap { $0 }.min()
    }

    /// The widgets that may be shown, without the filter.
    private var candidates: [Item] {
        let current = live.items(at: presentation.now)
        var items = isViewEdited ? listed ?? current : options.order.sorted(current, at: presentation.now)
        // A todayd that does not answer could not report stale content.
        if lostAt != nil { for index in items.indices { items[index].stale = true } }
        return items
    }

    var candidateCount: Int { isViewEdited ? listed?.count ?? live.items.count : live.items.count }

    mutating func currentPage() -> WatchPage {
        if let page { return page }
        var items = candidates
        if let text = filter?.text.lowercased(), !text.isEmpty { items = items.filter { $0.contains(text) } }
        select(in: items)
        let page = WatchPage(items, self, &cards)
        self.page = page
        return page
    }

    /// The selected widget stays the same while others appear and disappear. If it disappears itself, the one in its place is
    /// selected.
    private mutating func select(in items: [Item]) {
        guard options.hasKeys else { return }
        if let index = items.firstIndex(where: { $0.id == selection }) {
            selectedIndex = index
        } else {
            selectedIndex = max(0, min(selectedIndex, items.count - 1))
            if selection == nil, let index = items.firstIndex(where: { $0.id == unfilteredSelection }) {
                selectedIndex = index
            }
            selection = items.isEmpty ? nil : items[selectedIndex].id
            if selection != nil, hasSelected, !isHandling { selectionMoved = clock }
        }
        if selection != nil { hasSelected = true }
    }

    /// Whether the user may still mean the widget that was selected before.
    var hasJustMoved: Bool { selectionMoved.map { clock - $0 < Self.attention } ?? false }

    mutating func selectedItem() -> Item? {
        let page = currentPage()
        return page.items.indices.contains(selectedIndex) && options.hasKeys ? page.items[selectedIndex] : nil
    }

    // MARK: Scrolling

    private static let leastRowsWithHead = 12

    var headRows: Int { options.hasHead && options.hasKeys && size.rows >= Self.leastRowsWithHead ? 1 : 0 }

    /// The rows for cards. The last row of the screen describes the keys.
    var viewRows: Int { options.hasKeys && size.rows > 1 ? size.rows - 1 - headRows : size.rows }

    /// Scrolls the page so that the relevant part is visible.
    mutating func settle() {
        if let helpOffset { self.helpOffset = max(0, min(helpOffset, helpLines.count - viewRows)) }
        let grid = currentPage().grid
        if isFollowing, options.hasKeys, grid.places.indices.contains(selectedIndex) {
            let rows = grid.places[selectedIndex].rows
            if rows.count <= viewRows {
                offset = max(min(offset, rows.lowerBound), rows.upperBound - viewRows)
            } else {
                offset = max(rows.lowerBound, min(offset, rows.upperBound - viewRows))
            }
        }
        offset = max(0, min(offset, grid.height - viewRows))
    }
}

extension TargetChoice {
    /// Whether each number does the same as before, whatever its title is: a title may contain the time.
    fileprivate func offersSame(as other: TargetChoice) -> Bool {
        targets.count == other.targets.count
            && zip(targets, other.targets).allSatisfy { $0.hasSameEffect(as: $1) }
    }
}

extension Item {
    /// - Parameter text: in lower case.
    fileprivate func contains(_ text: String) -> Bool {
        [name, id.text, content?.text ?? ""].contains { $0.lowercased().includes(text) }
    }
}
