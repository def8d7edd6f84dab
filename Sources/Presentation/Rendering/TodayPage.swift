// SPDX-License-Identifier: MIT

import TodayModel

/// The Today view: cards in one column, or in several in which each card has the width that its widget is offered.
package struct TodayPage {
    /// What the page adds to the cards.
    package struct Extras: Sendable {
        /// Buttons and links show their numbers.
        package var hasNumbers = false
        /// The commands for each widget are below its card.
        package var hasCommands = false
        /// Cards show all rows that the widgets draw, not only the offered ones.
        package var isWhole = false

        package init(numbers: Bool = false, commands: Bool = false, whole: Bool = false) {
            hasNumbers = numbers
            hasCommands = commands
            isWhole = whole
        }
    }

    let items: [Item]
    let presentation: Presentation
    let extras: Extras

    package init(_ items: [Item], _ presentation: Presentation, _ extras: Extras = Extras()) {
        self.items = items
        self.presentation = presentation
        self.extras = extras
    }

    package var lines: [StyledLine] {
        if items.isEmpty { return notice }
        let columns = CardColumns(for: items, in: presentation.width)
        return CardGrid(items.map { lines($0, width: columns.width) }, in: columns).lines
    }

    /// What replaces the cards if there are none.
    private var notice: [StyledLine] { Self.notice(presentation) }

    package static func notice(_ presentation: Presentation) -> [StyledLine] {
        let commands = [
            ("todayctl setup", "makes widgets of the scripts of your bars"),
            ("todayctl new hello", "starts a widget of your own"),
            ("todayctl list", "lists all widgets, including hidden ones"),
        ]
        return [presentation.line("Nothing to show. Next:", .dim)]
            + commands.map { command, effect in
                var line = presentation.line("  \(command)", .bold).padded(22)
                line.append(presentation.line(effect, .dim))
                return line
            }
    }

    private func lines(_ item: Item, width: Int) -> [StyledLine] {
        let extent: Card.Extent = extras.isWhole ? .whole : .offeredWithCommand
        var drawing = Card(item, presentation, isNumbered: extras.hasNumbers, extent: extent)
        // The commands below the card say the same.
        drawing.hasModeSign = !extras.hasCommands
        let card = drawing.lines(width: width)
        guard extras.hasCommands else { return card }
        // The commands are right below the drawn lines, not below empty ones.
        let drawn = (card.lastIndex { $0.width > 0 } ?? -1) + 1
        let commands = ItemCommands(item).lines(width: width - Card.sideWidth, presentation).map { command in
            var line = StyledLine()
            line.appendSpaces(Card.sideWidth)
            line.append(command)
            return line
        }
        return card.prefix(drawn) + commands
    }
}

/// The commands for a widget as a whole: show more or less of it, and edit it.
struct ItemCommands {
    struct Offer: Equatable {
        /// The title of the button in a host that has buttons.
        let title: String
        /// The words between `todayctl` and the identifier.
        let command: String
    }

    private let item: Item

    init(_ item: Item) {
        self.item = item
    }

    var offers: [Offer] { CardControl.offered(by: item).compactMap(Self.offer) }

    private static func offer(_ control: CardControl) -> Offer? {
        switch control {
        case .more, .less: Offer(title: control.title, command: control == .more ? "expand" : "collapse")
        case .info: Offer(title: "Edit", command: "edit")
        case .done: Offer(title: control.title, command: "edit --done")
        // 'todayctl edit --help' describes it; a line has room for one way to end.
        case .cancel, .hidden: nil
        }
    }

    /// One line for all commands if they fit, otherwise one for each.
    func lines(width: Int, _ presentation: Presentation) -> [StyledLine] {
        let hints = offers.map { presentation.line("\($0.title): todayctl \($0.command) \(item.id)", .dim) }
        let gap = 3
        let total = hints.reduce(gap * (hints.count - 1)) { $0 + $1.width }
        guard total > width else {
            var line = StyledLine()
            for (index, hint) in hints.enumerated() {
                if index > 0 { line.appendSpaces(gap) }
                line.append(hint)
            }
            return hints.isEmpty ? [] : [line]
        }
        // Wrapped, because a user cannot type half a command.
        return hints.flatMap { hint in hint.wrapped(width) }
    }
}
