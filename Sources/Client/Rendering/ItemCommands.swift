// SPDX-License-Identifier: MIT

import TodayModel

/// What the user may do with a widget as a whole: show more or less of it, and edit it.
struct ItemCommands {
    struct Offer: Equatable {
        /// As a host with buttons would call it.
        let title: String
        /// The words behind `todayctl`.
        let command: String
    }

    private let item: Item

    init(_ item: Item) {
        self.item = item
    }

    var offers: [Offer] {
        switch item.state {
        case .waiting, .ready, .failing, .empty: break
        case .hidden, .disabled, .invalid, .unsupported, .masked: return []
        }
        var offers: [Offer] = []
        switch (item.mode, item.largestMode) {
        case (.compact, .expanded): offers.append(Offer(title: "More", command: "expand"))
        case (.expanded, .expanded): offers.append(Offer(title: "Less", command: "collapse"))
        case (_, .compact): break
        }
        if item.isEdited {
            offers.append(Offer(title: "Done", command: "edit --done"))
        } else if item.allowsEditing {
            offers.append(Offer(title: "Edit", command: "edit"))
        }
        return offers
    }

    /// As lines to type: beside each other where they fit, else below each other.
    func lines(width: Int, _ presentation: Presentation) -> [Line] {
        let hints = offers.map { presentation.line("\($0.title): todayctl \($0.command) \(item.id)", .dim) }
        let gap = 3
        let total = hints.reduce(gap * (hints.count - 1)) { $0 + $1.width }
        guard total > width else {
            var line = Line()
            for (index, hint) in hints.enumerated() {
                if index > 0 { line.appendSpaces(gap) }
                line.append(hint)
            }
            return hints.isEmpty ? [] : [line]
        }
        // A command that is cut cannot be typed: it is broken where it has to be.
        return hints.flatMap { hint in hint.wrapped(width) }
    }
}
