// SPDX-License-Identifier: MIT

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
/// `widgetPerformUpdate()`. What the body then draws is the snapshot, which hosts show until the next. The process may
/// stay for more calls; in the end come `viewWillDisappear()` and `viewDidDisappear()`, unless it is killed.
@MainActor
public protocol TodayWidget: NCWidgetProviding {
    /// The type of the body; the compiler finds it by itself.
    associatedtype Body: View

    /// Makes the widget, before anything is known about its surroundings.
    init()

    /// What it shows. Drawn for both display modes with every snapshot, so it must depend on nothing but the state of the
    /// widget, `extensionContext` and `contentSize`. A body that shows nothing takes the widget out of the view.
    @ViewBuilder var body: Body { get }

    /// The widget in one line. The default is the first text of the body.
    var summary: WidgetSummary { get }

    /// The program has started: set up from what is cached.
    mutating func viewDidLoad()

    /// Somebody is about to look: before the first call, and whenever a host appears while the process stays.
    mutating func viewWillAppear()

    /// The widget knows its display mode and size now.
    mutating func viewDidAppear()

    /// The size becomes another, because the mode does or the host has changed. The content may, too; a host that can
    /// shows the change in motion.
    mutating func viewWillTransition(to size: WidgetSize)

    /// The process is about to end in order.
    mutating func viewWillDisappear()

    /// The last that is called.
    mutating func viewDidDisappear()

    /// A button was pressed. The default performs an update.
    mutating func widgetPerformAction(_ action: String) async throws -> NCUpdateResult
}

extension TodayWidget {
    /// The first text of the body.
    public var summary: WidgetSummary { WidgetSummary() }

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

    /// The size that the widget would like in the active mode, up to what is offered; nil, the default, is all of it. Set
    /// it in `widgetActiveDisplayModeDidChange(_:withMaximumSize:)`, as on iOS: `preferredContentSize = maxSize`. A side of
    /// 0 is as large as can be.
    public var preferredContentSize: WidgetSize? {
        get { extensionContext.preferredContentSize }
        nonmutating set { extensionContext.preferredContentSize = newValue }
    }

    /// The room that the body has: what is offered and preferred, without the margins.
    public var contentSize: WidgetSize { extensionContext.contentSize }
}
