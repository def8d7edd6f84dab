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
