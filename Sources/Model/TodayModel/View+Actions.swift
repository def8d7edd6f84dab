// SPDX-License-Identifier: MIT

extension Content {
    /// Whether some button or item in it has this action: nothing else may be asked of the widget.
    package func offers(_ action: String) -> Bool {
        compact?.offers(action) == true || expanded?.offers(action) == true
    }
}

extension View {
    package var children: [View] {
        switch self {
        case .stack(let stack): stack.children
        case .grid(let grid): grid.children
        case .item(let item): item.children
        case .text, .progress, .chart, .image, .button, .link, .spacer, .divider: []
        }
    }

    func offers(_ action: String) -> Bool {
        switch self {
        case .button(let button) where button.action == action: true
        case .item(let item) where item.action == action: true
        case .stack(let stack) where stack.action == action: true
        default: children.contains { $0.offers(action) }
        }
    }
}
