// SPDX-License-Identifier: MIT

import Rendering
import TodayModel

/// The targets of a widget as lines to choose from: items with their submenus, buttons, links and areas, in the order of the
/// drawing.
package struct WidgetMenu: Equatable {
    package struct Entry: Equatable {
        package let line: String
        package let target: Numbering.Target?
        package let children: [Entry]
    }

    package let name: String
    package let entries: [Entry]

    package init(_ item: Item) {
        name = Self.line(item.name)
        var entries = item.content.map { Self.entries(of: $0.view(for: max(item.mode, item.largestMode))) } ?? []
        entries.append(Entry(line: "↻ Update", target: Self.update, children: []))
        self.entries = Self.unique(entries)
    }

    private static let update: Numbering.Target = {
        var target = Numbering.Target(title: "Update")
        target.updates = true
        return target
    }()

    /// Asks for a line of this menu and of the submenus that are chosen.
    ///
    /// - Parameter ask: what the user chooses among lines below a name; nil for nothing.
    /// - Returns: what to do; nil if the user has chosen nothing.
    package func choose(_ ask: (_ name: String, _ lines: [String]) throws -> String?) throws -> Numbering.Target? {
        var (name, entries) = (name, entries)
        while true {
            guard let line = try ask(name, entries.map(\.line)),
                let entry = entries.first(where: { $0.line.utf8.elementsEqual(line.utf8) })
            else { return nil }
            if entry.children.isEmpty { return entry.target }
            (name, entries) = (entry.line, entry.children)
        }
    }

    /// Asks for one of several widgets; the line of each contains what it shows.
    package static func choose(
        among items: [Item], _ ask: (_ name: String, _ lines: [String]) throws -> String?
    ) throws -> Item? {
        let entries = unique(
            items.map { item in
                let text = item.content?.text ?? ""
                return Entry(
                    line: line(text.isEmpty ? item.name : "\(item.name)  \(text)"), target: nil, children: [])
            })
        guard let line = try ask("Today", entries.map(\.line)),
            let index = entries.firstIndex(where: { $0.line.utf8.elementsEqual(line.utf8) })
        else { return nil }
        return items[index]
    }

    /// - Parameter row: the text beside the view.
    private static func entries(of view: View, beside row: String? = nil) -> [Entry] {
        switch view {
        case .text, .progress, .chart, .image, .spacer, .divider: return []
        case .button(let button):
            let title = row.map { "\(button.title)  \($0)" } ?? button.title
            return [Entry(line: line(title), target: .init(title: button.title, action: button.action), children: [])]
        case .link(let link):
            return [Entry(line: line(link.title), target: .init(title: link.title, url: link.url), children: [])]
        case .item(let item): return entry(of: item).map { [$0] } ?? []
        case .stack, .grid:
            let children = view.children(beside: row).flatMap { entries(of: $0.view, beside: $0.row) }
            guard case .stack(let stack) = view, let action = stack.action else { return children }
            let title = view.firstText ?? action
            return [Entry(line: line(title), target: .init(title: title, action: action), children: [])] + children
        }
    }

    private static func entry(of item: View.Item) -> Entry? {
        if item.isAlternate || item.isDisabled && item.children.isEmpty { return nil }
        var children = item.children.flatMap { entries(of: $0) }
        let mark = item.isChecked ? "✓ " : ""
        let badge = item.badge.map { "  \($0)" } ?? ""
        let title = line(mark + item.title + badge)
        let target = item.isTarget ? Numbering.Target(item) : nil
        if children.isEmpty { return target.map { Entry(line: title, target: $0, children: []) } }
        // An entry that has a submenu and also does something itself becomes the first line of the submenu.
        if let target { children.insert(Entry(line: title, target: target, children: []), at: 0) }
        return Entry(line: "\(title) ›", target: nil, children: unique(children))
    }

    private static func line(_ text: String) -> String {
        let line = PlainText.line(text, upTo: 200)
        return line.allSatisfy(\.isWhitespace) ? "…" : line
    }

    /// The answer is a line, so no two lines may be equal.
    private static func unique(_ entries: [Entry]) -> [Entry] {
        var used: Set<String> = []
        var counts: [String: Int] = [:]
        return entries.map { entry in
            var line = entry.line
            while !used.insert(line).inserted {
                counts[entry.line, default: 1] += 1
                line = "\(entry.line) (\(counts[entry.line, default: 1]))"
            }
            return Entry(line: line, target: entry.target, children: entry.children)
        }
    }
}
