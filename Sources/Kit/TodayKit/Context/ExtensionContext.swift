// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// What todayd tells a widget and does for it. It corresponds to `NSExtensionContext`.
///
/// In a process that todayd has not started (a preview, `varlinkctl call exec:…`) its properties have default values, and
/// the process keeps what it sets. Methods that need todayd throw an error that says so.
@MainActor
public final class ExtensionContext {
    /// The context of this process, which runs one widget.
    public internal(set) static var current = ExtensionContext()

    /// The display mode that the user has chosen.
    public internal(set) var widgetActiveDisplayMode = NCWidgetDisplayMode.compact

    /// Why todayd asks the widget at present.
    public internal(set) var updateReason = UpdateReason.request

    /// Whether the user edits the widget: true from `widgetDidBeginEditing()` until `widgetDidEndEditing()` or
    /// `widgetDidCancelEditing()`.
    public internal(set) var isEditing = false

    /// The date for which TodayKit draws the body: the date of an entry of the widget's `timeline`, or now.
    public var entryDate: Timestamp { drawnDate ?? .now }

    var drawnDate: Timestamp?
    var marginInsets = EdgeInsets.zero
    /// Whether the widget has learned its display mode. Before that, a preferred size is for both modes.
    var knowsItsMode = false
    var preferredSizes = PreferredSizes()
    private var room = OfferedRoom()
    private var largestMode: NCWidgetDisplayMode?
    private var description: JSONObject?

    init() {}

    /// The widget's identifier, which is the name of its manifest without `.widget`: `org.example.btc`. Nil in a process
    /// that todayd has not started, such as a preview.
    public var widgetIdentifier: String? { Surroundings.current.ownIdentifier }

    /// The largest display mode that the user can choose at present, up to `LargestDisplayMode=` of the manifest. With
    /// `compact` the user has no choice.
    public var widgetLargestAvailableDisplayMode: NCWidgetDisplayMode {
        get {
            if let largestMode { return largestMode }
            let declared = describe()?["largestMode"]?.stringValue.flatMap(DisplayMode.init)
            return declared.map(NCWidgetDisplayMode.init) ?? .expanded
        }
        set {
            largestMode = newValue
            ManifestDemand.mode.check(newValue == .expanded)
            guard let context = Surroundings.current.context else { return }
            do {
                _ = try context.call("SetLargestDisplayMode", ["mode": .string(newValue.model.rawValue)])
            } catch {
                // A setter cannot throw; todayctl status shows what a widget writes to standard error.
                StandardError.write("widgetLargestAvailableDisplayMode: \(error)")
            }
        }
    }

    /// The largest size that hosts offer in a display mode. The compact height is fixed, the expanded one is a maximum. Both
    /// depend on the host's text size.
    public func widgetMaximumSize(for activeDisplayMode: NCWidgetDisplayMode) -> WidgetSize {
        room.size(for: activeDisplayMode) {
            let told = describe()?[activeDisplayMode.model.rawValue]
            guard let columns = told?["columns"]?.intValue, let rows = told?["rows"]?.intValue else { return nil }
            return WidgetSize(columns: Int(columns), rows: Int(rows))
        }
    }

    /// See `TodayWidget.contentSize`.
    var contentSize: WidgetSize {
        let maximum = widgetMaximumSize(for: widgetActiveDisplayMode)
        let size = preferredContentSize?.fitting(maximum) ?? maximum
        return WidgetSize(
            columns: max(size.columns - marginInsets.left - marginInsets.right, 1),
            rows: max(size.rows - marginInsets.top - marginInsets.bottom, 1))
    }

    /// See `TodayWidget.preferredContentSize`.
    var preferredContentSize: WidgetSize? {
        get { preferredSizes[widgetActiveDisplayMode] }
        set {
            let modes = knowsItsMode ? [widgetActiveDisplayMode] : NCWidgetDisplayMode.allCases
            for mode in modes { preferredSizes[mode] = newValue }
        }
    }

    /// Applies what a call says about reason, mode and size.
    func update(for request: WidgetRequest) {
        updateReason = UpdateReason(request.reason)
        widgetActiveDisplayMode = request.mode
        room.note(request.size, for: request.mode)
        // The sizes are settings, which may have changed since the last call.
        description = nil
    }

    /// The values of the widget's settings, which the user sets with `todayctl config`.
    public var settings: WidgetSettings {
        let surroundings = Surroundings.current
        let told = surroundings.context == nil ? nil : describe()?["settings"]?.objectValue
        return WidgetSettings(told: told, variables: surroundings.variables)
    }

    /// The daemon's description of this widget, asked for once in each call.
    private func describe() -> JSONObject? {
        if description == nil { description = try? Surroundings.current.context?.call("Describe") }
        return description
    }
}

/// The name of `ExtensionContext` on iOS.
public typealias NSExtensionContext = ExtensionContext

extension ExtensionContext {
    /// Asks todayd to open the containing app by a URL, whose scheme must be in `URLSchemes=` of the manifest. A widget may
    /// do that only while it performs an action.
    ///
    /// When this returns, todayd has *accepted* the URL. The host where the user pressed the button gets it with the answer
    /// to that press, and opens it as that user. If the machine has no desktop, or no program for the scheme, the host tells
    /// the user; the widget is not told.
    ///
    /// - Throws: `TodayError.refused` with the reason if todayd does not accept the URL.
    public func open(_ url: String) async throws(TodayError) { try request(url) }

    /// Does the same, and tells a completion handler whether todayd has accepted the URL. If not, the reason goes to
    /// standard error; `try await open(_:)` throws it.
    ///
    /// todayd knows the URL, and the handler has run, when this returns: an action may return its result right after it.
    public func open(_ url: String, completionHandler: ((_ isAccepted: Bool) -> Void)?) {
        do throws(TodayError) {
            try request(url)
            completionHandler?(true)
        } catch {
            StandardError.write("open(\(url)): \(error)")
            completionHandler?(false)
        }
    }

    private func request(_ url: String) throws(TodayError) {
        guard let context = Surroundings.current.context else {
            throw .unavailable("nothing opens a URL here: this process has no connection to todayd")
        }
        _ = try context.call("OpenURL", ["url": .string(url)])
    }
}

/// Why todayd asks the widget for an update.
public enum UpdateReason: Hashable, Sendable {
    /// todayd has started, and the widget is due.
    case boot
    /// The widget's interval is over.
    case schedule
    /// A host begins to show the widget, whose content is due.
    case appear
    /// A client asks, as with `todayctl update`; also in a preview.
    case request
    /// The user pressed a button.
    case action
    /// The user begins or ends editing.
    case editing
    /// The user has chosen another display mode.
    case mode
    /// Something that the last update may have read has changed: a setting, the defaults of a group, or the display mode.
    case defaults
    /// The machine was asleep when the widget was due.
    case wake
    /// The last update failed.
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
        case .behind: self = .defaults
        case .wake: self = .wake
        case .retry: self = .retry
        }
    }
}
