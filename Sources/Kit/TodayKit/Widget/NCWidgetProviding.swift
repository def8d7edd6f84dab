// SPDX-License-Identifier: MIT

/// What the system asks of a widget. All but the first have defaults.
///
/// Everything happens on the main actor, one call after the other: while one is awaited, the next waits.
/// A class and a structure both do; in a structure, methods that change it are `mutating`.
///
/// Who rather calls a completion handler conforms to `NCWidgetCompletionProviding`.
@MainActor
public protocol NCWidgetProviding {
    /// Fetch what is new and say what came of it. The body is drawn after `newData` only.
    ///
    /// An error thrown is the same as `failed`, and says why: its description is what `todayctl status` shows.
    mutating func widgetPerformUpdate() async throws -> NCUpdateResult

    /// The user has chosen another display mode, or this is the first time that the widget learns of it. The body is
    /// drawn at the new size afterwards.
    mutating func widgetActiveDisplayModeDidChange(
        _ activeDisplayMode: NCWidgetDisplayMode, withMaximumSize maxSize: WidgetSize)

    /// The room to leave free around the content. The default returns what is proposed; `.zero` uses all of it.
    func widgetMarginInsets(forProposedMarginInsets defaultMarginInsets: EdgeInsets) -> EdgeInsets

    /// Whether the user can edit what the widget shows, within the widget. The default is no.
    var widgetAllowsEditing: Bool { get }

    /// Editing begins: the body, which is drawn next, shows what can be changed.
    mutating func widgetDidBeginEditing()

    /// Editing is done: what the user has changed holds.
    mutating func widgetDidEndEditing()

    /// The user has cancelled, no host has touched the editor for five minutes, or the widget was hidden or its process is
    /// to end meanwhile: what was changed is to be as it was before. The default calls `widgetDidEndEditing()`, which is right where every change holds from the moment in which
    /// the user makes it.
    ///
    /// A program that todayd runs anew each time (`Protocol=json`) is another process by then: what it was before belongs
    /// into `WidgetDefaults.standard`.
    mutating func widgetDidCancelEditing()
}

extension NCWidgetProviding {
    /// Does nothing; a body that asks for the mode or the size is drawn anew anyway.
    public mutating func widgetActiveDisplayModeDidChange(
        _ activeDisplayMode: NCWidgetDisplayMode, withMaximumSize maxSize: WidgetSize
    ) {}

    /// What is proposed.
    public func widgetMarginInsets(forProposedMarginInsets defaultMarginInsets: EdgeInsets) -> EdgeInsets {
        defaultMarginInsets
    }

    /// Not.
    public var widgetAllowsEditing: Bool { false }

    /// Does nothing.
    public mutating func widgetDidBeginEditing() {}

    /// Does nothing.
    public mutating func widgetDidEndEditing() {}

    /// The same as the end of editing.
    public mutating func widgetDidCancelEditing() { widgetDidEndEditing() }
}
