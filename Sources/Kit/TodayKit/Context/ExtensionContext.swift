// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// What the system tells a widget and does for it: the mirror of `NSExtensionContext`.
///
/// In a process that is not the daemon's (a preview, `varlinkctl call exec:…`) it answers what is usual and keeps what is
/// set to itself; what needs the daemon throws an error that says so.
@MainActor
public final class ExtensionContext {
    /// The one of this process, which is one widget.
    public internal(set) static var current = ExtensionContext()

    /// The display mode that the user has chosen.
    public internal(set) var widgetActiveDisplayMode = NCWidgetDisplayMode.compact

    /// Why the widget is asked at present.
    public internal(set) var updateReason = UpdateReason.request

    /// Whether the user edits what the widget shows, within the widget: from `widgetDidBeginEditing()` until
    /// `widgetDidEndEditing()` or `widgetDidCancelEditing()`.
    public internal(set) var isEditing = false

    /// The date for which the body is drawn: that of an entry of the widget's `timeline`, or now.
    public var entryDate: Timestamp { drawnDate ?? .now }

    var drawnDate: Timestamp?
    var marginInsets = EdgeInsets.zero
    /// It was told; before that it prefers a size for whatever mode it will have.
    var knowsItsMode = false
    var preferredSizes = PreferredSizes()
    private var room = OfferedRoom()
    private var largestMode: NCWidgetDisplayMode?
    private var description: JSONObject?

    init() {}

    /// The widget's identifier, as its manifest is called: `org.example.btc`. Nil in a process that is not the daemon's, such
    /// as a preview.
    public var widgetIdentifier: String? { Surroundings.current.ownIdentifier }

    /// The largest display mode for now. With `expanded` the user can choose between the two, up to
    /// `LargestDisplayMode=` of the manifest; with `compact` there is nothing to choose.
    public var widgetLargestAvailableDisplayMode: NCWidgetDisplayMode {
        get {
            if let largestMode { return largestMode }
            let declared = describe()?["largestMode"]?.stringValue.flatMap(DisplayMode.init)
            return declared.map(NCWidgetDisplayMode.init) ?? .expanded
        }
        set {
            largestMode = newValue
            guard let context = Surroundings.current.context else { return }
            do {
                _ = try context.call("SetLargestDisplayMode", ["mode": .string(newValue.model.rawValue)])
            } catch {
                // A property cannot throw; todayctl status shows what a widget says here.
                StandardError.say("widgetLargestAvailableDisplayMode: \(error)")
            }
        }
    }

    /// The most room that hosts offer in a display mode. The compact size is fixed, the expanded one a maximum; both depend
    /// on the host's text size.
    public func widgetMaximumSize(for activeDisplayMode: NCWidgetDisplayMode) -> WidgetSize {
        room.size(for: activeDisplayMode) {
            let told = describe()?[activeDisplayMode.model.rawValue]
            guard let columns = told?["columns"]?.intValue, let rows = told?["rows"]?.intValue else { return nil }
            return WidgetSize(columns: Int(columns), rows: Int(rows))
        }
    }

    /// What the body has, see `TodayWidget`.
    var contentSize: WidgetSize {
        let maximum = widgetMaximumSize(for: widgetActiveDisplayMode)
        let size = preferredContentSize?.fitting(maximum) ?? maximum
        return WidgetSize(
            columns: max(size.columns - marginInsets.left - marginInsets.right, 1),
            rows: max(size.rows - marginInsets.top - marginInsets.bottom, 1))
    }

    /// See `TodayWidget`.
    var preferredContentSize: WidgetSize? {
        get { preferredSizes[widgetActiveDisplayMode] }
        set {
            let modes = knowsItsMode ? [widgetActiveDisplayMode] : NCWidgetDisplayMode.allCases
            for mode in modes { preferredSizes[mode] = newValue }
        }
    }

    /// A call says what is different now.
    func take(_ request: WidgetRequest) {
        updateReason = UpdateReason(request.reason)
        widgetActiveDisplayMode = request.mode
        room.take(request.size, for: request.mode)
        // What the daemon said at another call may be past: sizes are settings.
        description = nil
    }

    /// What the daemon says about this widget, asked once in a call.
    private func describe() -> JSONObject? {
        if description == nil { description = try? Surroundings.current.context?.call("Describe") }
        return description
    }
}

/// The name that it has on iOS.
public typealias NSExtensionContext = ExtensionContext

extension ExtensionContext {
    /// Asks to open the containing app by a URL of one of the schemes in `URLSchemes=` of the manifest. Only while an action
    /// is performed.
    ///
    /// When this returns, the URL is *accepted*: the host where the user pressed the button gets it with the answer to that
    /// press, and opens it as that user. A host that cannot, because the machine has no program for the scheme or no desktop,
    /// tells the user; the widget, which may have ended by then, does not learn of it.
    ///
    /// - Throws: `TodayError.refused` with the reason when the daemon does not allow it.
    public func open(_ url: String) async throws(TodayError) {
        guard let context = Surroundings.current.context else {
            throw .unavailable("nothing opens a URL here: this process has no connection to todayd")
        }
        _ = try context.call("OpenURL", ["url": .string(url)])
    }

    /// The same with a completion handler, which is told whether the URL was accepted. Why not goes to standard error;
    /// `try await open(_:)` throws it.
    public func open(_ url: String, completionHandler: ((_ isAccepted: Bool) -> Void)?) {
        Task {
            do throws(TodayError) {
                try await open(url)
                completionHandler?(true)
            } catch {
                StandardError.say("open(\(url)): \(error)")
                completionHandler?(false)
            }
        }
    }
}

/// Why the widget is asked.
public enum UpdateReason: Hashable, Sendable {
    /// The daemon has started and the widget is due.
    case boot
    /// Its interval has passed.
    case schedule
    /// A host has appeared and its content is due.
    case appear
    /// A client asked, as with `todayctl update`; also a preview.
    case request
    /// The user pressed a button.
    case action
    /// The user begins or ends editing.
    case editing
    /// The user has chosen another display mode.
    case mode
    /// What it may have read before has changed: its groups' defaults, or its display mode.
    case defaults
    /// The machine slept and it is overdue.
    case wake
    /// The run before it failed.
    case retry

    package init(_ reason: RunReason) {
        switch reason {
        case .boot: self = .boot
        case .schedule: self = .schedule
        case .appear: self = .appear
        case .request: self = .request
        case .action: self = .action
        case .editing: self = .editing
        case .mode: self = .mode
        case .defaults: self = .defaults
        case .wake: self = .wake
        case .retry: self = .retry
        }
    }
}
