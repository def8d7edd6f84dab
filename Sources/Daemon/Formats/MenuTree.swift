// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// How much more of a menu fits into content. It counts down while views are made.
struct MenuBudget {
    private var nodes: Int
    private var values: Int
    private var bytes: Int

    /// A share of what content may have.
    init(nodes: Int, values: Int, bytes: Int) {
        self.nodes = nodes
        self.values = values
        self.bytes = bytes
    }

    /// Whether the view fits.
    mutating func take(_ view: View) -> Bool {
        let cost = Cost(view)
        guard cost.nodes <= nodes, cost.values <= values, cost.bytes <= bytes else { return false }
        nodes -= cost.nodes
        values -= cost.values
        bytes -= cost.bytes
        return true
    }

    private struct Cost {
        var nodes = 1
        var values = 0
        var bytes = 0

        init(_ view: View) {
            // Pictures have a budget of their own.
            let json = view.namingPictures.json
            bytes = json.text.utf8.count + 16
            values = Self.values(in: json)
            nodes += view.children.count
        }

        private static func values(in json: JSON) -> Int {
            if let object = json.objectValue { return object.reduce(1) { $0 + values(in: $1.value) } }
            if case .array(let elements) = json { return elements.reduce(1) { $0 + values(in: $1) } }
            return 1
        }
    }
}

/// Nests lines in the items above them.
struct MenuTree {
    private var roots: [View] = []
    /// The last item of each level, which may still get children.
    private var open: [(level: Int, entry: MenuEntry, item: View.Item)] = []

    /// Items may not use two levels of content: the stack of all items, and the texts of a line in several colours.
    static let mostLevels = ContentLimits.viewDepth - 2

    /// Adds an item below the last one with a lower level. Levels deeper than content allows are merged into the deepest.
    ///
    /// - Returns: whether the line was in such a level.
    mutating func add(_ entry: MenuEntry, level: Int) -> Bool {
        close(to: level)
        let isTooDeep = open.count == Self.mostLevels
        if isTooDeep { closeLast() }
        open.append((level, entry, entry.item))
        return isTooDeep
    }

    /// Adds a view that can have no children.
    mutating func add(_ view: View, level: Int) {
        close(to: level)
        attach(view)
    }

    mutating func finish() -> [View] {
        close(to: 0)
        return roots
    }

    private mutating func close(to level: Int) {
        while let last = open.last, last.level >= level { closeLast() }
    }

    private mutating func closeLast() {
        guard let last = open.popLast() else { return }
        let text = last.item.children.isEmpty ? last.entry.coloredText : nil
        attach(text ?? .item(last.item))
    }

    private mutating func attach(_ view: View) {
        if open.isEmpty { roots.append(view) } else { open[open.count - 1].item.children.append(view) }
    }
}
