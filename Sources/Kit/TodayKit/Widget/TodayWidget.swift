// SPDX-License-Identifier: MIT
import Arguments
import Glibc
import Platform

/// A widget: a program that todayd launches to perform an update, at intervals and when something changes.
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
/// TodayKit calls the methods in this order: `init()`, then `viewDidLoad()`, in which the widget sets itself up from cached
/// values. With the first call of todayd `viewWillAppear()`, `widgetActiveDisplayModeDidChange(_:withMaximumSize:)`,
/// `viewDidAppear()` and `widgetPerformUpdate()`. Then it draws the body: that is the snapshot, which hosts show until the
/// next one. It also draws the body before the first update of all: that is the placeholder, such as `--`, which hosts show
/// until the update is done.
///
/// The process may stay for more calls. TodayKit then calls `viewWillAppear()` and `viewDidAppear()` when a host begins to
/// show the widget, and `viewWillDisappear()` and `viewDidDisappear()` when the last host stops, or when the process ends,
/// unless it is killed.
@MainActor
public protocol TodayWidget: NCWidgetProviding {
    /// The type of the body, which the compiler infers.
    associatedtype Body: View

    /// Makes the widget. The display mode and the size are not known yet.
    init()

    /// What the widget shows. TodayKit draws it for both display modes with every snapshot, and with a `timeline` once more
    /// for each entry. It must depend only on the state of the widget, `extensionContext` and `contentSize`. If the body
    /// shows nothing, hosts leave the widget out.
    @ViewBuilder var body: Body { get }

    /// The widget in one line. Defaults to the first text of the body.
    var summary: WidgetSummary { get }

    /// What the widget shows later, without another update. Defaults to nil: the body is valid until the next `newData`.
    var timeline: Timeline? { get }

    /// The program has started: set up from cached values.
    mutating func viewDidLoad()

    /// A host is about to show the widget. Also called before the first call of todayd.
    mutating func viewWillAppear()

    /// The widget knows its display mode and size now.
    mutating func viewDidAppear()

    /// The size is about to change, with the display mode or with the host. The body is drawn again afterwards; a host may
    /// animate the change.
    mutating func viewWillTransition(to size: WidgetSize)

    /// The last host is about to stop showing the widget, or the process is about to end.
    mutating func viewWillDisappear()

    /// No host shows the widget any more. This is the last call before the process ends.
    mutating func viewDidDisappear()

    /// The user pressed a button with this action. Defaults to an update.
    mutating func widgetPerformAction(_ action: String) async throws -> NCUpdateResult
}

extension TodayWidget {
    /// Defaults to the first text of the body.
    public var summary: WidgetSummary { WidgetSummary() }

    /// Defaults to nil.
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

    /// Performs an update, whatever the action is.
    public mutating func widgetPerformAction(_ action: String) async throws -> NCUpdateResult {
        try await widgetPerformUpdate()
    }
}

extension TodayWidget {
    /// What todayd tells this widget and does for it.
    public var extensionContext: ExtensionContext { .current }

    /// The size that the widget prefers in the active display mode, up to the maximum. Hosts give it this height: they cut
    /// longer content and fill up shorter content.
    ///
    /// Each mode has a size of its own. Set it in `widgetActiveDisplayModeDidChange(_:withMaximumSize:)`, as on iOS:
    /// `preferredContentSize = maxSize`. A size that is set earlier, as in `viewDidLoad()`, is for both modes.
    ///
    /// Defaults to nil: the body gets the maximum size, and hosts give it the height that it draws. A side of 0 means the
    /// same for that side. `WidgetSize(points: (0, 200))` makes a size of points.
    public var preferredContentSize: WidgetSize? {
        get { extensionContext.preferredContentSize }
        nonmutating set { extensionContext.preferredContentSize = newValue }
    }

    /// The size that the body has: the preferred size, or else the maximum, without the margins.
    public var contentSize: WidgetSize { extensionContext.contentSize }
}

extension TodayWidget {
    /// Runs the program; write `@main` before the widget's type. Started by todayd, the program answers it. Started in a
    /// terminal, it draws the widget; `--help` lists its options.
    public static func main() async {
        StandardStreams.fill()
        Allocator.prepareForShortRun()
        let status = await Program<Self>(arguments: CommandLine.arguments, variables: .process).run()
        // What a program has registered with atexit(3) runs no more: OpenSSL alone takes longer there than a widget takes to draw.
        fflush(nil)
        _exit(status)
    }
}

/// An error that says when to try again. todayd does not repeat an update that throws one before that, even if the widget's
/// interval is shorter. After any other error it waits a little longer with each failure.
///
/// The errors of TodayHTTP conform, and pass on the server's `Retry-After`. An error of your own conforms like this:
///
///     enum FeedError: WidgetRetrying {
///         case maintenance(until: Duration)
///
///         var retryAfter: Duration? {
///             switch self { case .maintenance(let wait): wait }
///         }
///     }
public protocol WidgetRetrying: Error {
    /// How long to wait before the next update: a year at most. With nil or zero todayd decides.
    var retryAfter: Duration? { get }
}

/// An error with a reason in words, which `widgetPerformUpdate()` throws.
public struct WidgetFailure: WidgetRetrying, CustomStringConvertible {
    /// The reason, in one line.
    public let description: String
    /// How long to wait before the next update.
    public let retryAfter: Duration?

    /// Makes an error of a reason such as `the server answered with status 503`, and of the time to wait if it is known.
    public init(_ reason: String, retryAfter: Duration? = nil) {
        description = reason
        self.retryAfter = retryAfter
    }
}
