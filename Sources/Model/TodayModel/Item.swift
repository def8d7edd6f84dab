// SPDX-License-Identifier: MIT

/// What a widget is doing, as org.todayd.Today tells it.
package enum WidgetState: String, CaseIterable, Sendable {
    case waiting, ready, failing, empty, hidden, disabled, invalid, unsupported, masked

    /// Whether a widget in this state belongs into a view. An invalid one does: its author must see what is wrong.
    package var isVisible: Bool {
        switch self {
        case .waiting, .ready, .failing, .invalid: true
        case .empty, .hidden, .disabled, .unsupported, .masked: false
        }
    }
}

/// A widget as a host shows it.
package struct Item: Hashable, Sendable {
    package var id: WidgetID
    package var name: String
    package var points: [ExtensionPoint]
    package var position: Int
    package var state: WidgetState
    package var mode: DisplayMode
    package var largestMode: DisplayMode
    package var lockScreen = false
    package var allowsEditing = false
    /// The user edits it now: hosts show Done in place of Info.
    package var isEdited = false
    /// Of the URLs that it may have opened.
    package var urlSchemes: [String] = []
    /// The room in its mode.
    package var size: Size
    package var content: Content?
    /// Which layer the content is from.
    package var source: Layers.Source?
    /// Of pushed content: who pushed it, and until when it counts.
    package var pushedBy: String?
    package var expires: WallTime?
    package var taken: WallTime?
    package var confirmed: WallTime?
    package var stale = false
    package var failure: String?

    package var isVisible: Bool { state.isVisible }

    /// Whether it belongs into the view of a place. Any person may stand before a locked screen: the user has to allow it there.
    package func isShown(at point: ExtensionPoint) -> Bool {
        isVisible && points.contains(point) && (point != .lockScreen || lockScreen)
    }

    package init(
        id: WidgetID, name: String, points: [ExtensionPoint], position: Int, state: WidgetState,
        mode: DisplayMode = .compact, largestMode: DisplayMode = .compact
    ) {
        self.id = id
        self.name = name
        self.points = points
        self.position = position
        self.state = state
        self.mode = mode
        self.largestMode = largestMode
        size = DisplaySizes.standard[mode]
    }
}
