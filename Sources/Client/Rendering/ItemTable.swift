// SPDX-License-Identifier: MIT

import TodayModel

/// The list of all widgets, one line each.
package struct ItemTable {
    let items: [Item]
    let presentation: Presentation

    package init(_ items: [Item], _ presentation: Presentation) {
        self.items = items
        self.presentation = presentation
    }

    package var lines: [Line] {
        var table = Table([
            .init("WIDGET", elastic: true), .init("STATE"), .init("AGE", trailing: true), .init("MODE", from: 72),
            .init("SHOWN IN", from: 100), .init("SUMMARY", from: 60, elastic: true),
        ])
        for item in items {
            table.append([
                presentation.line(item.id.text, item.isVisible ? .bold : .dim),
                presentation.line(state(of: item), item.state.style),
                presentation.line(item.age(at: presentation.now)?.age ?? "-", .dim),
                presentation.line(item.mode.rawValue, .dim),
                presentation.line(item.points.map(\.name).joined(separator: ", "), .dim),
                presentation.line(item.failure ?? item.content?.text ?? item.name),
            ])
        }
        return table.lines(presentation)
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
        case .empty, .hidden, .disabled, .unsupported, .masked: .dim
        }
    }
}
