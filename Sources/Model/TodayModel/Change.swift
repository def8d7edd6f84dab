// SPDX-License-Identifier: MIT
import JSON

/// A change that a client requests. It enters at the store, which acknowledges it when it is on disk. Pushed content is
/// visible before that; every other change is visible when it is acknowledged.
package enum Change: Equatable, Sendable {
    /// A decision of the user or of a containing app.
    case choice(WidgetID, Choice)
    /// `among` are the widgets that count as neighbours, in any order; other widgets keep their place.
    case move(WidgetID, Placement, among: [WidgetID])
    /// Gives a widget content from outside.
    case push(WidgetID, Layers.Pushed)
    /// Removes the pushed content.
    case takeBack(WidgetID)
    /// Sets one value of an app group's defaults, or removes it. `writer` is the widget whose process requests it, if
    /// any.
    case defaults(group: AppGroup, key: String, value: JSON?, writer: WidgetID? = nil)
    /// Adds a widget of those that can be added, with values of its settings.
    case add(WidgetID, [String: SettingValue])
    /// Reverses `add`. The widget's settings, except its secrets, stay in case it is added again.
    case remove(WidgetID)
    /// Sets values of a widget's settings, or removes them (nil): all of them or none.
    case settings(WidgetID, [String: SettingValue?])
}

/// Why the daemon does not make a change.
package enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why todayd opens nothing and prepares no command for a host that says it is locked.
    package static let whileLocked = "the session is locked: unlock it, and press again"

    /// The widget has disappeared in the meantime.
    case noSuchWidget(WidgetID)
    /// The daemon refuses the change, with the reason.
    case refused(String)
    /// The disk is full, or the database cannot be written.
    case notStored(String)

    package var description: String {
        switch self {
        case .noSuchWidget(let id): "there is no widget \(id)"
        case .refused(let reason), .notStored(let reason): reason
        }
    }
}

/// What the user or the containing app has decided about one widget. Durable; nil means never decided.
package struct Choices: Hashable, Sendable {
    package var enabled: Bool?
    /// Whether the user has added the widget: an instance of a template, or one that is off until it is added.
    package var isAdded = false
    package var hasContent = true
    package var mode: DisplayMode?
    /// Where the user shows or hides the widget, in addition to or contrary to its manifest.
    package var places: [ExtensionPoint: Bool] = [:]
    /// The place in the user's order, 0 first. Widgets without a rank come after all others, sorted by identifier.
    package var rank: Int?

    package init() {}

    /// Where the widget is shown, if its state allows it. The manifest says which places it is for. Other people can read a
    /// lock screen, so the widget appears there only if the user has allowed it.
    package func places(of points: [ExtensionPoint]) -> [ExtensionPoint] {
        ExtensionPoint.allCases.filter { point in
            if point == .lockScreen { return points.contains(point) && places[point] == true }
            return places[point] ?? points.contains(point)
        }
    }
}

/// One decision about one widget. A method of the protocol carries it, and the store keeps it.
package enum Choice: Hashable, Sendable {
    case enabled(Bool)
    case hasContent(Bool)
    case displayMode(DisplayMode)
    /// Shows the widget in a place, or hides it there. Showing it also enables it.
    case shown(ExtensionPoint, Bool)

    package func apply(to choices: inout Choices) {
        switch self {
        case .enabled(let isEnabled): choices.enabled = isEnabled
        case .hasContent(let hasContent): choices.hasContent = hasContent
        case .displayMode(let mode): choices.mode = mode
        case .shown(let point, let isShown):
            choices.places[point] = isShown
            if isShown { choices.enabled = true }
        }
    }
}

/// Where `todayctl move` puts a widget.
package enum Placement: Hashable, Sendable {
    case first, last, up, down
    case before(WidgetID), after(WidgetID)
}
