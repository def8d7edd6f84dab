// SPDX-License-Identifier: MIT

import TodayModel

/// A control for a widget as a whole, in addition to what the widget draws.
package enum CardControl: Hashable, CaseIterable, Sendable {
    /// The compact view is shown and an expanded one exists, or the other way round.
    case more, less
    /// Begins to edit the widget, keeps the changes, or discards them.
    case info, done, cancel
    /// The widget is hidden; pressing it shows the widget again.
    case hidden

    package var title: String {
        switch self {
        case .more: "More"
        case .less: "Less"
        case .info: "Info"
        case .done: "Done"
        case .cancel: "Cancel"
        case .hidden: "Hidden"
        }
    }

    package static func offered(by item: Item) -> [CardControl] {
        if item.cure != nil || item.state.isChosen { return [.hidden] }
        guard item.state.runs else { return [] }
        var controls: [CardControl] = []
        switch (item.mode, item.largestMode) {
        case (.compact, .expanded): controls.append(.more)
        case (.expanded, .expanded): controls.append(.less)
        case (_, .compact): break
        }
        if item.isEdited { controls += [.done, .cancel] } else if item.allowsEditing { controls.append(.info) }
        return controls
    }
}
