// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// A button. Pressing it calls the widget's `widgetPerformAction(_:)` with the name of its action.
///
/// The action is a name and not a closure because hosts show the snapshot after the process that drew it has ended: todayd
/// then starts the widget again and passes it the name.
public struct Button: View {
    let title: String
    let action: String

    /// Makes a button.
    ///
    /// - Parameters:
    ///   - title: the text on the button, in one line.
    ///   - action: the name that `widgetPerformAction(_:)` gets, 256 bytes at most.
    public init(_ title: String, action: String) {
        self.title = title
        self.action = action
    }

    /// Makes a button with an action from an enumeration of names.
    ///
    /// - Parameters:
    ///   - title: the text on the button, in one line.
    ///   - action: the action; `widgetPerformAction(_:)` gets its raw value.
    public init<Action: RawRepresentable>(_ title: String, action: Action) where Action.RawValue == String {
        self.init(title, action: action.rawValue)
    }
}

/// An area of other views that is a button as a whole.
public struct TapArea<Content: View>: View {
    let action: String
    let content: Content

    /// Makes an area.
    ///
    /// - Parameters:
    ///   - action: the name that `widgetPerformAction(_:)` gets.
    ///   - content: the views in the area, below each other.
    public init(action: String, @ViewBuilder content: () -> Content) {
        self.action = action
        self.content = content()
    }
}

/// A link. Pressing it opens its URL, whose scheme must be in `URLSchemes=` of the widget's manifest.
public struct Link: View {
    let title: String
    let destination: String

    /// Makes a link.
    ///
    /// - Parameters:
    ///   - title: the text of the link, in one line.
    ///   - destination: the URL, such as `crypticker://btc`. A space in it, as some feeds have, becomes `%20`.
    public init(_ title: String, destination: String) {
        self.title = title
        self.destination = destination.replacing(" ", by: "%20")
    }
}

extension Button: PrimitiveView {
    package func lower(_ inherited: Inherited) -> [TodayModel.View] { [.button(.init(title: title, action: action))] }
}

extension TapArea: PrimitiveView {
    package func lower(_ inherited: Inherited) -> [TodayModel.View] {
        var stack = TodayModel.View.Stack(.vertical, content.lowered(inherited))
        stack.action = action
        return [.stack(stack)]
    }
}

extension Link: PrimitiveView {
    package func lower(_ inherited: Inherited) -> [TodayModel.View] { [.link(.init(title: title, url: destination))] }
}
