// SPDX-License-Identifier: MIT
import TodayModel

/// The lines before the first separator. A host with a single line shows them in turn.
struct MenuBar {
    /// Replaces a line that has an image but no text.
    static let placeholder = "●"

    private var entries: [MenuEntry] = []
    private var budget = MenuBudget(nodes: 400, values: 10_000, bytes: 100_000)
    private var leftOut = 0
    /// Whether there was a line, even one without text.
    var isThere = false

    /// Whether no line shows or does anything.
    var isEmpty: Bool { entries.isEmpty }

    /// The first line is the summary, and the others are its pages.
    var hasRoom: Bool { leftOut == 0 && entries.count <= ContentLimits.pages }

    mutating func add(_ entry: MenuEntry) {
        guard entry.summary != nil || entry.hasAction else { return }
        if budget.take(entry.barView) { entries.append(entry) } else { leaveOut() }
    }

    mutating func leaveOut(_ count: Int = 1) { leftOut += count }

    func fill(_ content: inout Content) {
        let summaries = entries.compactMap { entry in
            entry.summary.map { (text: LenientText.line($0, upTo: ContentLimits.summaryBytes), entry: entry) }
        }
        if let first = summaries.first {
            content.text = first.text
            content.color = first.entry.color
            content.tooltip = first.entry.tooltip
            content.icon = first.entry.emoji.flatMap {
                $0 == first.text || $0.utf8.count > ContentLimits.iconBytes ? nil : $0
            }
        }
        content.pages = summaries.dropFirst().map { Page($0.text, color: $0.entry.color) }
        let isOneLine = entries.count == 1 && leftOut == 0
        if !isOneLine || entries.contains(where: { !$0.isPlain }) {
            content.compact = Self.view(of: entries.map(\.barView) + remark)
        }
    }

    /// The lines of the bar as the menu repeats them.
    var menuViews: [View] { entries.filter(\.isInMenu).map(\.barView) + remark }

    private var remark: [View] { leftOut > 0 ? [RowList.remark(leftOut)] : [] }

    private static func view(of views: [View]) -> View? {
        guard views.count > 1 else { return views.first }
        return .stack(View.Stack(.vertical, views))
    }
}

/// The lines after the first separator.
struct MenuBody {
    private let dialect: MenuFormat.Dialect
    private var tree = MenuTree()
    /// The limits of content, less twice the budget of the bar, its pages and some remarks.
    private var budget = MenuBudget(nodes: 1_190, values: 75_000, bytes: 600_000)
    /// The level of a line that is left out of the menu together with its children.
    private var hidden: Int?
    private var linesLeft: Int

    init(_ dialect: MenuFormat.Dialect, count: Int) {
        self.dialect = dialect
        linesLeft = count
    }

    mutating func begins(after lines: Int) { linesLeft -= lines }

    /// Whether the line fits. After one that does not, no others are added.
    mutating func add(
        _ line: MenuLine, within pictures: inout MenuPictures, noting note: (String) -> Void
    ) -> Bool {
        if let hidden, line.level > hidden {
            linesLeft -= 1
            return true
        }
        if line.shape == .text { hidden = nil }
        let fits: Bool
        switch line.shape {
        case .divider: fits = add(.divider, level: line.level)
        // The other dialects leave out blank lines.
        case .blank: fits = dialect != .xbar || add(.text(View.Text("")), level: line.level)
        case .text: fits = addText(line, within: &pictures, noting: note)
        }
        if fits { linesLeft -= 1 }
        return fits
    }

    private mutating func add(_ view: View, level: Int) -> Bool {
        guard budget.take(view) else { return false }
        tree.add(view, level: level)
        return true
    }

    private mutating func addText(
        _ line: MenuLine, within pictures: inout MenuPictures, noting note: (String) -> Void
    ) -> Bool {
        let entry = MenuEntry(line, isInBar: false, of: dialect, within: &pictures, noting: note)
        guard entry.isInMenu else {
            hidden = line.level
            return true
        }
        guard budget.take(entry.coloredText ?? .item(entry.item)) else { return false }
        if tree.add(entry, level: line.level) { note("the menu is deeper than \(MenuTree.mostLevels) levels") }
        return true
    }

    /// The menu, and a remark on how many lines are left out.
    mutating func views() -> [View] {
        let views = tree.finish()
        return linesLeft > 0 ? views + [RowList.remark(linesLeft)] : views
    }
}
