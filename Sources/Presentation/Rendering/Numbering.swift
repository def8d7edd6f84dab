// SPDX-License-Identifier: MIT

import TodayModel

/// The buttons and links of a widget in its current display mode, in the order of the drawing, and the content with their
/// numbers in it. `show --numbers`, `perform` and `open` all count with this type.
package struct Numbering {
    /// A view that can be pressed or opened, or whose command can be executed.
    package struct Target: Hashable, Sendable {
        /// The title. For an area that can be tapped, the first text in it.
        package let title: String
        /// Whether the view has a title of its own, by which the user can name it.
        package var hasTitle = true
        /// The text beside a button, which says what it is for: several may have the same title.
        package var row: String?
        package var action: String?
        package var url: String?
        /// The program that the host executes.
        package var command: View.Command?
        /// Whether the host requests an update afterwards.
        package var updates = false

        package init(
            title: String, hasTitle: Bool = true, row: String? = nil, action: String? = nil, url: String? = nil
        ) {
            self.title = title
            self.hasTitle = hasTitle
            self.row = row
            self.action = action
            self.url = url
        }

        package init(_ item: View.Item) {
            self.init(title: item.title, action: item.action, url: item.url)
            (command, updates) = (item.command, item.updates)
        }
    }

    /// The first target has number 1.
    package private(set) var targets: [Target] = []
    package private(set) var content: Content

    package init(_ content: Content, mode: DisplayMode) {
        self.content = content
        let view = numbered(content.view(for: mode), mode)
        if targets.isEmpty { return }
        switch mode {
        case .compact: self.content.compact = view
        case .expanded: self.content.expanded = view
        }
    }

    private mutating func number(_ target: Target) -> String {
        targets.append(target)
        return "\(targets.count):"
    }

    private mutating func numbered(_ view: View, _ mode: DisplayMode, beside row: String? = nil) -> View {
        switch view {
        case .text, .progress, .chart, .image, .spacer, .divider: return view
        case .button(var button):
            button.title = "\(number(.init(title: button.title, row: row, action: button.action))) \(button.title)"
            return .button(button)
        case .link(var link):
            link.title = "\(number(.init(title: link.title, url: link.url))) \(link.title)"
            return .link(link)
        case .item(var item):
            if item.isAlternate || item.isDisabled { return view }
            if item.isTarget {
                item.title = "\(number(Target(item))) \(item.title)"
            }
            // A closed outline does not show its children.
            if mode == .expanded { item.children = item.children.map { numbered($0, mode) } }
            return .item(item)
        case .grid(var grid):
            grid.children = view.children(beside: row).map { numbered($0.view, mode, beside: $0.row) }
            return .grid(grid)
        case .stack(var stack):
            let mark = stack.action.map { action in
                number(.init(title: view.firstText ?? "", hasTitle: false, action: action))
            }
            stack.children = view.children(beside: row).map { numbered($0.view, mode, beside: $0.row) }
            guard let mark else { return .stack(stack) }
            let action = stack.action
            stack.action = nil
            var area = View.Stack(.horizontal, [.text(View.Text(mark)), .stack(stack)])
            area.action = action
            return .stack(area)
        }
    }
}

extension Numbering {
    /// The number that a drawing finds before the title of a target.
    static func number(in title: String) -> Int? { title.split(separator: ":").first.flatMap { Int($0) } }
}

extension View.Item {
    /// Whether it does something, and so has a number.
    package var isTarget: Bool {
        !isAlternate && !isDisabled && (action != nil || url != nil || command != nil || updates)
    }
}

extension View {
    /// The children, each with the first text of its row.
    ///
    /// - Parameter row: the first text of the row that the view itself is in.
    package func children(beside row: String?) -> [(view: View, row: String?)] {
        let rows: [[View]]
        switch self {
        case .stack(let stack) where stack.axis == .horizontal: rows = [stack.children]
        case .grid(let grid): rows = grid.children.rows(of: grid.columns)
        default: return children.map { ($0, row) }
        }
        return rows.flatMap { cells in
            let own = cells.firstText ?? row
            return cells.map { ($0, own) }
        }
    }

    package var firstText: String? {
        switch self {
        case .text(let text): text.text
        case .button(let button): button.title
        case .link(let link): link.title
        case .item(let item): item.title
        case .progress(let progress): progress.label
        case .chart(let chart): chart.label
        case .image(let image): image.alternative
        case .stack, .grid: children.lazy.compactMap(\.firstText).first
        case .spacer, .divider: nil
        }
    }
}

extension [View] {
    /// The first of the texts in a row, apart from those of buttons and links.
    var firstText: String? { lazy.compactMap { if case .text(let text) = $0 { text.text } else { nil } }.first }
}

extension Array {
    /// The elements from left to right in rows; the last row may be shorter.
    func rows(of columns: Int) -> [[Element]] {
        let columns = Swift.max(columns, 1)
        return stride(from: 0, to: count, by: columns).map { Array(self[$0..<Swift.min($0 + columns, count)]) }
    }
}
