// SPDX-License-Identifier: MIT
import JSON

/// A change that a client asks for. It enters at the store, and is acknowledged when it is on disk.
package enum Change: Equatable, Sendable {
    /// A decision of the user or of a containing app.
    case choice(WidgetID, Choice)
    /// `among` are the widgets that count as neighbours, in any order; others keep their place.
    case move(WidgetID, Placement, among: [WidgetID])
    /// Gives a widget content from outside.
    case push(WidgetID, Layers.Pushed)
    /// Takes back what was pushed.
    case takeBack(WidgetID)
    /// Sets one value of an app group's defaults, or removes it. `writer` is the widget whose process does so, if one does.
    case defaults(group: AppGroup, key: String, value: JSON?, writer: WidgetID? = nil)
}

/// Why a change is not made.
package enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The widget has gone in the meantime.
    case noSuchWidget(WidgetID)
    /// Not now, or not this widget, and why.
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
