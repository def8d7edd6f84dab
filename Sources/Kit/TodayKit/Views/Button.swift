// SPDX-License-Identifier: MIT
import TodayModel

/// A button. Pressed, it calls the widget's `widgetPerformAction(_:)` with the name of its action.
///
/// The action is a name and not a closure because the button may outlive the process that drew it: the snapshot is shown
/// long after, and who presses it then starts the widget again.
public struct Button: View {
    let title: String
    let action: String

    /// Makes a button.
    ///
    /// - Parameters:
    ///   - title: what is on it, in one line.
    ///   - action: what `widgetPerformAction(_:)` gets, 256 bytes at most.
    public init(_ title: String, action: String) {
        self.title = title
        self.action = action
    }

    /// Makes a button with an action from an enumeration of names.
    ///
    /// - Parameters:
    ///   - title: what is on it, in one line.
    ///   - action: its raw value is what `widgetPerformAction(_:)` gets.
    public init<Action: RawRepresentable>(_ title: String, action: Action) where Action.RawValue == String {
        self.init(title, action: action.rawValue)
    }
}

/// An area of other views that acts as a button as a whole.
public struct TapArea<Content: View>: View {
    let action: String
    let content: Content

    /// Makes an area.
    ///
    /// - Parameters:
    ///   - action: what `widgetPerformAction(_:)` gets.
    ///   - content: the views in the area, below each other.
    public init(action: String, @ViewBuilder content: () -> Content) {
        self.action = action
        self.content = content()
    }
}

/// Opens a URL when it is pressed, if the widget may: a scheme of `URLSchemes=` in its manifest.
public struct Link: View {
    let title: String
    let destination: String

    /// Makes a link.
    ///
    /// - Parameters:
    ///   - title: what is shown, in one line.
    ///   - destination: the URL, such as `crypticker://btc`.
    public init(_ title: String, destination: String) {
        self.title = title
        self.destination = destination
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
