// SPDX-License-Identifier: MIT

/// What todayd asks of a widget. All methods but the first have defaults.
///
/// TodayKit calls them on the main actor, one after the other: it waits until a call returns before it makes the next.
/// A widget is a class or a structure; in a structure, methods that change it are `mutating`.
///
/// A widget that calls a completion handler conforms to `NCWidgetCompletionProviding` as well.
@MainActor
public protocol NCWidgetProviding {
    /// Fetch new data and return the result. TodayKit draws the body after `newData`.
    ///
    /// Throwing an error is the same as `failed`, with a reason: `todayctl status` shows the description of the error.
    mutating func widgetPerformUpdate() async throws -> NCUpdateResult

    /// The user has chosen another display mode, or the widget learns its mode for the first time. TodayKit draws the body
    /// at the new size afterwards.
    mutating func widgetActiveDisplayModeDidChange(
        _ activeDisplayMode: NCWidgetDisplayMode, withMaximumSize maxSize: WidgetSize)

    /// The margins around the content. Defaults to the proposed ones; `.zero` uses all of the room.
    func widgetMarginInsets(forProposedMarginInsets defaultMarginInsets: EdgeInsets) -> EdgeInsets

    /// Whether the user can edit what the widget shows, within the widget. Defaults to false.
    var widgetAllowsEditing: Bool { get }

    /// The user begins to edit: the body, which is drawn next, shows what the user can change.
    mutating func widgetDidBeginEditing()

    /// The user is done: keep the changes.
    mutating func widgetDidEndEditing()

    /// Editing has ended without being done: the user has cancelled, no host has used the editor for five minutes, the
    /// widget was hidden, or its process is to end. Undo the changes.
    ///
    /// Defaults to `widgetDidEndEditing()`, which is right if every change is final when the user makes it.
    ///
    /// With `Protocol=json` todayd starts a process for each run, so this call comes in another process than
    /// `widgetDidBeginEditing()`. Keep the values to restore in `WidgetDefaults.standard`.
    mutating func widgetDidCancelEditing()
}

extension NCWidgetProviding {
    /// Does nothing. TodayKit draws the body again in any case.
    public mutating func widgetActiveDisplayModeDidChange(
        _ activeDisplayMode: NCWidgetDisplayMode, withMaximumSize maxSize: WidgetSize
    ) {}

    /// Returns the proposed margins.
    public func widgetMarginInsets(forProposedMarginInsets defaultMarginInsets: EdgeInsets) -> EdgeInsets {
        defaultMarginInsets
    }

    /// Defaults to false.
    public var widgetAllowsEditing: Bool { false }

    /// Does nothing.
    public mutating func widgetDidBeginEditing() {}

    /// Does nothing.
    public mutating func widgetDidEndEditing() {}

    /// Calls `widgetDidEndEditing()`.
    public mutating func widgetDidCancelEditing() { widgetDidEndEditing() }
}

/// The result of an update.
public enum NCUpdateResult: UInt, Sendable {
    /// There is new data: TodayKit draws the body, and hosts show it.
    case newData
    /// Nothing has changed: hosts go on showing the last snapshot, which is up to date.
    case noData
    /// The update failed: hosts go on showing the last snapshot, and mark it when it is old. Throw an error to give a reason.
    case failed
}

/// How much of a widget is shown.
public enum NCWidgetDisplayMode: Int, Sendable, CaseIterable {
    /// A fixed height of a few lines.
    case compact
    /// As many lines as the widget needs, up to a maximum.
    case expanded
}

/// A widget whose update calls a completion handler, as on iOS, instead of being `async`.
///
/// This is a separate protocol, so that the compiler rejects a widget which has neither form of the update.
@MainActor
public protocol NCWidgetCompletionProviding: NCWidgetProviding {
    /// Fetch new data, then call the handler, from any thread or task. TodayKit ignores all calls but the first. If the
    /// widget never calls the handler, todayd ends the update after the `Timeout=` of the manifest.
    mutating func widgetPerformUpdate(completionHandler: @escaping @Sendable (NCUpdateResult) -> Void)
}

extension NCWidgetCompletionProviding {
    /// Calls the form with a completion handler, and waits for it.
    public mutating func widgetPerformUpdate() async throws -> NCUpdateResult {
        // A stream ignores a second call and a handler that is never called; a checked continuation traps or warns.
        let (results, continuation) = AsyncStream.makeStream(
            of: NCUpdateResult.self, bufferingPolicy: .bufferingOldest(1))
        widgetPerformUpdate { result in
            continuation.yield(result)
            continuation.finish()
        }
        for await result in results { return result }
        // The stream ends without a result only if the task is cancelled.
        throw CancellationError()
    }
}

/// Shows and hides widgets. The widget itself and its containing app use it.
public struct NCWidgetController: Sendable {
    /// Makes a controller, which has no state.
    public init() {}

    /// Sets whether a widget has content, whether it runs or not. While the flag is false, todayd hides the widget and does
    /// not launch it.
    ///
    /// The flag is on disk when this returns. A widget may set its own flag; any other process may set it as the widget's
    /// user or as the user of its containing app.
    ///
    /// - Parameters:
    ///   - flag: whether the widget has content.
    ///   - identifier: the widget's identifier, which is the name of its manifest without `.widget`: `org.example.btc`.
    public func setHasContent(
        _ flag: Bool, forWidgetWithBundleIdentifier identifier: String
    ) throws(TodayError) {
        try Surroundings.current.service(forWidget: identifier).setHasContent(flag, of: identifier)
    }
}
