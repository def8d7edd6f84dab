// SPDX-License-Identifier: MIT
import Spelling

extension Content {
    /// The actions of its buttons and items, each once: nothing else may be asked of the widget.
    package var actions: [String] {
        var seen: Set<SpelledText> = []
        let all = (compact?.actions ?? []) + (expanded?.actions ?? [])
        return all.filter { seen.insert(SpelledText($0)).inserted }
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

    fileprivate var actions: [String] {
        let own: String? =
            switch self {
            case .button(let button): button.action
            case .item(let item): item.action
            case .stack(let stack): stack.action
            default: nil
            }
        return (own.map { [$0] } ?? []) + children.flatMap(\.actions)
    }
}
