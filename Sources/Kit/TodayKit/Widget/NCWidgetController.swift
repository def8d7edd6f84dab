// SPDX-License-Identifier: MIT

/// Shows and hides widgets; for the widget itself and for its containing app.
public struct NCWidgetController: Sendable {
    /// Makes a controller. It holds nothing.
    public init() {}

    /// Says whether a widget has anything to show, also while it is not running. While the flag is false the widget is
    /// hidden and not launched until the flag is true again.
    ///
    /// It is on disk when this returns. A widget says it of itself; any other process talks to the daemon, which asks for the
    /// widget's user or the user of its containing app.
    ///
    /// - Parameters:
    ///   - flag: whether it has content.
    ///   - identifier: the widget's, as its manifest is called: `org.example.btc`.
    public func setHasContent(
        _ flag: Bool, forWidgetWithBundleIdentifier identifier: String
    ) throws(TodayError) {
        try Surroundings.current.service(forWidget: identifier).setHasContent(flag, of: identifier)
    }
}
