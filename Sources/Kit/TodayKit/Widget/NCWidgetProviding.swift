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

/// What came of an update.
public enum NCUpdateResult: UInt, Sendable {
    /// There is new content: the body is drawn, and hosts show it.
    case newData
    /// What is shown still holds.
    case noData
    /// It could not be done: what is shown stays, and is marked as old in time. Throw an error to say why.
    case failed
}

/// How much of a widget is shown.
public enum NCWidgetDisplayMode: Int, Sendable, CaseIterable {
    /// A few lines, always the same number.
    case compact
    /// As many as the widget needs, up to a maximum.
    case expanded
}

/// A widget that says by a completion handler when its update is done, as they did before there was `async`.
///
/// A protocol of its own, so that the compiler notices when a widget has neither form of the update.
@MainActor
public protocol NCWidgetCompletionProviding: NCWidgetProviding {
    /// Fetch what is new, then call the handler, from any thread or task. Only the first call counts. If there is none,
    /// the update ends with the `Timeout=` of the manifest.
    mutating func widgetPerformUpdate(completionHandler: @escaping @Sendable (NCUpdateResult) -> Void)
}

extension NCWidgetCompletionProviding {
    /// Waits for the completion handler.
    public mutating func widgetPerformUpdate() async throws -> NCUpdateResult {
        // A stream and no continuation: it may be called twice, which is ignored, and it may be forgotten.
        let (results, continuation) = AsyncStream.makeStream(
            of: NCUpdateResult.self, bufferingPolicy: .bufferingOldest(1))
        widgetPerformUpdate { result in
            continuation.yield(result)
            continuation.finish()
        }
        for await result in results { return result }
        // Only a task that was cancelled comes here.
        throw CancellationError()
    }
}

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
