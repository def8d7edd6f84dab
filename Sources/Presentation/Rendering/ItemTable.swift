// SPDX-License-Identifier: MIT

import TodayModel

/// The table of `todayctl list`: all widgets, one line for each.
package struct ItemTable {
    let items: [Item]
    let presentation: Presentation

    package init(_ items: [Item], _ presentation: Presentation) {
        self.items = items
        self.presentation = presentation
    }

    package var lines: [StyledLine] {
        var table = Table([
            .init("WIDGET", elastic: true), .init("STATE"), .init("AGE", trailing: true), .init("MODE", from: 100),
            .init("COMMANDS", from: 72), .init("SHOWN IN", from: 100), .init("SUMMARY", from: 60, elastic: true),
        ])
        for item in items {
            table.append([
                presentation.line(item.id.text, item.isVisible ? .bold : .dim),
                presentation.line(state(of: item), item.state.style),
                presentation.line(item.age(at: presentation.now)?.age ?? "-", .dim),
                presentation.line(item.mode.rawValue, .dim),
                presentation.line(commands(of: item), .dim),
                presentation.line(item.points.map(\.name).joined(separator: ", "), .dim),
                summary(of: item),
            ])
        }
        return table.lines(presentation)
    }

    private func summary(of item: Item) -> StyledLine {
        if let failure = item.failure { return presentation.line(failure) }
        return presentation.line(item.content?.text ?? item.name, item.isDimmed ? .dim : .plain)
    }

    /// The commands that fit the widget now: the words between `todayctl` and its identifier.
    private func commands(of item: Item) -> String {
        let offers = ItemCommands(item).offers
        return offers.isEmpty ? "-" : offers.map(\.command).joined(separator: ", ")
    }

    private func state(of item: Item) -> String {
        item.stale && item.state == .ready ? "stale" : item.state.rawValue
    }
}

extension WidgetState {
    var style: Style {
        switch self {
        case .ready: .meaning(.good)
        case .failing, .invalid: .meaning(.critical)
        case .waiting: .plain
        case .empty, .hidden, .disabled, .masked: .dim
        }
    }
}
