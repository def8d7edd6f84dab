// SPDX-License-Identifier: MIT

/// What the user (or the containing app) has decided about one widget. Durable; nil means never decided.
package struct Choices: Hashable, Sendable {
    package var enabled: Bool?
    package var hasContent = true
    package var mode: DisplayMode?
    package var allowedOnLockScreen = false
    /// The rank in the user's order, 0 first. Widgets without one come after all others, by name.
    package var rank: Int?

    package init() {}
}

/// One decision about one widget: what a method of the protocol carries, and what the store keeps.
package enum Choice: Hashable, Sendable {
    case enabled(Bool)
    case hasContent(Bool)
    case displayMode(DisplayMode)
    case lockScreen(Bool)

    package func apply(to choices: inout Choices) {
        switch self {
        case .enabled(let isEnabled): choices.enabled = isEnabled
        case .hasContent(let hasContent): choices.hasContent = hasContent
        case .displayMode(let mode): choices.mode = mode
        case .lockScreen(let isAllowed): choices.allowedOnLockScreen = isAllowed
        }
    }
}

/// Where `todayctl move` puts a widget.
package enum Placement: Hashable, Sendable {
    case first, last, up, down
    case before(WidgetID), after(WidgetID)
}
