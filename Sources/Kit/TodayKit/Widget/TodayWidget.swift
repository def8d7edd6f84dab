// SPDX-License-Identifier: MIT
import Arguments
import Glibc

/// A widget: a program that the daemon launches now and then to perform an update.
///
///     @main
///     final class Uptime: TodayWidget {
///         private var text = "--"
///
///         func widgetPerformUpdate() async throws -> NCUpdateResult {
///             text = try readUptime()
///             return .newData
///         }
///
///         var body: some View { Text(text) }
///     }
///
/// Its life: `init()`, then `viewDidLoad()`, where it sets itself up from what it has cached. With the first call
/// `viewWillAppear()`, `widgetActiveDisplayModeDidChange(_:withMaximumSize:)`, `viewDidAppear()`, and
/// `widgetPerformUpdate()`. What the body then draws is the snapshot, which hosts show until the next. Before the very
/// first update it is drawn as well: that is the placeholder, such as `--`, which hosts show until there is an answer.
///
/// The process may stay for more calls. It then hears `viewWillAppear()` and `viewDidAppear()` when a host begins to look,
/// `viewWillDisappear()` and `viewDidDisappear()` when the last one looks away, or in the end, unless it is killed.
@MainActor
public protocol TodayWidget: NCWidgetProviding {
    /// The type of the body; the compiler finds it by itself.
    associatedtype Body: View

    /// Makes the widget, before anything is known about its surroundings.
    init()

    /// What it shows. Drawn for both display modes with every snapshot, so it must depend on nothing but the state of the
    /// widget, `extensionContext` and `contentSize`; with a `timeline`, once more for the date of each entry. A body that shows nothing takes the widget out of the view.
    @ViewBuilder var body: Body { get }

    /// The widget in one line. The default is the first text of the body.
    var summary: WidgetSummary { get }

    /// What it will show later, without being asked again. The default is nil: the body holds until the next `newData`.
    var timeline: Timeline? { get }

    /// The program has started: set up from what is cached.
    mutating func viewDidLoad()

    /// A host is about to look: before the first call, and whenever a host begins to while the process stays.
    mutating func viewWillAppear()

    /// The widget knows its display mode and size now.
    mutating func viewDidAppear()

    /// The size becomes another, because the mode does or the host has changed. The content may, too; a host that can
    /// shows the change in motion.
    mutating func viewWillTransition(to size: WidgetSize)

    /// The last host looks away, or the process is about to end in order.
    mutating func viewWillDisappear()

    /// No host looks any more. In the end, the last that is called.
    mutating func viewDidDisappear()

    /// A button was pressed. The default performs an update.
    mutating func widgetPerformAction(_ action: String) async throws -> NCUpdateResult
}

extension TodayWidget {
    /// The first text of the body.
    public var summary: WidgetSummary { WidgetSummary() }

    /// None.
    public var timeline: Timeline? { nil }

    /// Does nothing.
    public mutating func viewDidLoad() {}

    /// Does nothing.
    public mutating func viewWillAppear() {}

    /// Does nothing.
    public mutating func viewDidAppear() {}

    /// Does nothing.
    public mutating func viewWillTransition(to size: WidgetSize) {}

    /// Does nothing.
    public mutating func viewWillDisappear() {}

    /// Does nothing.
    public mutating func viewDidDisappear() {}

    /// Performs an update.
    public mutating func widgetPerformAction(_ action: String) async throws -> NCUpdateResult {
        try await widgetPerformUpdate()
    }
}

extension TodayWidget {
    /// What the system tells this widget and does for it.
    public var extensionContext: ExtensionContext { .current }

    /// The size that the widget would like in the active mode, up to what is offered. Hosts give it the height: they cut
    /// what is more and fill what is less. Each mode has its own, and what is set before the widget knows its mode, as in
    /// `viewDidLoad()`, is for both. Otherwise set it in `widgetActiveDisplayModeDidChange(_:withMaximumSize:)`, as on iOS:
    /// `preferredContentSize = maxSize`.
    ///
    /// Nil, the default, is all that is offered, and the height that is drawn; a side of 0 is the same for that side. For a
    /// size in points there is `WidgetSize(points: (0, 200))`.
    public var preferredContentSize: WidgetSize? {
        get { extensionContext.preferredContentSize }
        nonmutating set { extensionContext.preferredContentSize = newValue }
    }

    /// The room that the body has: what is offered and preferred, without the margins.
    public var contentSize: WidgetSize { extensionContext.contentSize }
}

extension TodayWidget {
    /// Runs the program. As the daemon's child it serves it; in a terminal it draws the widget, and `--help` says what
    /// else. `@main` before the widget's type is all that it takes.
    public static func main() async {
        StandardStreams.fill()
        exit(await Program<Self>(arguments: CommandLine.arguments, variables: .process).run())
    }
}

/// An error that knows when to try again. An update that throws one is not repeated before, even if the widget's interval
/// is shorter; without it, todayd waits a little longer after each failure.
///
/// The errors of TodayHTTP know it where the server has said so (`Retry-After`). An error of your own conforms like this:
///
///     enum FeedError: WidgetRetrying {
///         case maintenance(until: Duration)
///
///         var retryAfter: Duration? {
///             switch self { case .maintenance(let wait): wait }
///         }
///     }
public protocol WidgetRetrying: Error {
    /// How long there is no use in asking again: a year at most. Nil, or nothing at all, leaves it to todayd.
    var retryAfter: Duration? { get }
}

/// An update that failed for a reason in words, to be thrown by `widgetPerformUpdate()`.
public struct WidgetFailure: WidgetRetrying, CustomStringConvertible {
    /// The reason, in one line.
    public let description: String
    /// How long there is no use in asking again.
    public let retryAfter: Duration?

    /// Makes an error of a reason such as `the server answered with status 503`, and of the time to wait where that is
    /// known.
    public init(_ reason: String, retryAfter: Duration? = nil) {
        description = reason
        self.retryAfter = retryAfter
    }
}
