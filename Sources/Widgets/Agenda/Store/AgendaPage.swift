// SPDX-License-Identifier: MIT

/// The items that fit into the rows of the widget, one item per row.
package struct AgendaPage: Hashable, Sendable {
    package let shown: [AgendaItem]
    /// The text of the last row, which counts the items that do not fit; nil if all fit.
    package let more: String?

    package init(items: [AgendaItem], rows: Int) {
        let rows = max(rows, 2)
        guard items.count > rows else {
            shown = items
            more = nil
            return
        }
        shown = Array(items.prefix(rows - 1))
        more = "and \(items.count - shown.count) more: agenda list"
    }
}

/// The names of the buttons' actions, such as `done 12`.
package enum AgendaAction {
    package static func done(_ item: AgendaItem) -> String { "done \(item.number)" }

    /// The number of the item in an action `done`; nil for any other action.
    package static func doneItem(of action: String) -> Int? {
        let words = action.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0] == "done", words[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(words[1])
    }
}

/// Hides the widget while there is nothing to do.
package enum AgendaVisibility {
    /// Sets the has-content flag to false if there is nothing to do.
    ///
    /// The app may add an item and set the flag to true after the widget has read the agenda and before the widget sets the
    /// flag to false. The widget would then be hidden, and todayd would not launch it again. So the widget reads the agenda
    /// once more after it has set the flag. If the app adds an item after that, its own true comes last.
    ///
    /// - Parameter readItems: reads the items that are still to be done.
    /// - Returns: these items.
    package static func update(
        readItems: () throws -> [AgendaItem], setHasContent: (Bool) throws -> Void
    ) throws -> [AgendaItem] {
        let items = try readItems()
        guard items.isEmpty else { return items }
        try setHasContent(false)
        let added = try readItems()
        if !added.isEmpty { try setHasContent(true) }
        return added
    }
}
