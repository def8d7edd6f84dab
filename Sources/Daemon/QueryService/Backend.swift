// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel

/// Answers the calls that arrive on the socket. The service knows nothing else of the daemon.
///
/// The backend answers questions at once, from memory. Changes complete when they are durable. The backend knows
/// nothing of the protocol: the service has checked the parameters, that `item` knows the widgets, and the permissions.
@LoopActor
package protocol Backend: AnyObject {
    // MARK: Reading

    /// Takes in known changes on disk. The service calls it before answers that have to include them.
    func catchUp()

    /// All widgets in the user's order, including those that are not shown.
    func widgets() -> [WidgetID]

    /// The place of a widget in the user's order.
    func position(of id: WidgetID) -> Int

    /// The widgets that the moved widget may have to pass.
    func neighbours(of id: WidgetID, for placement: Placement) -> [WidgetID]

    /// The time of day.
    var now: WallTime { get }

    /// A widget as a host shows it; nil when there is no such widget.
    func item(_ id: WidgetID) -> ShownItem?

    /// The bytes of a picture in what a widget shows now, in base64.
    func picture(_ name: String, of id: WidgetID) throws(Refusal) -> String

    /// The has-content flag; nil when there is no such widget.
    func hasContent(_ id: WidgetID) -> Bool?

    /// The values of an app group's defaults; nil when there is no such group.
    func defaults(of group: AppGroup) -> JSONObject?

    /// The settings of a widget, without secrets.
    func settings(of id: WidgetID) throws(Refusal) -> [SettingStatus]

    /// The last values of a widget's numbers.
    func numbers(of id: WidgetID) -> History

    /// The daemon's status. The service fills in the counts of connections and subscribers.
    func daemonStatus() -> DaemonStatus

    func widgetStatus(of id: WidgetID) -> WidgetStatus?

    /// Tells the backend that a host asks for these widgets. The service may skip the call if the last one was
    /// less than a second ago.
    func hostLooked(at widgets: [WidgetID])

    /// Tells the backend which widgets hosts have begun to follow, and which widgets no host follows any more.
    func looksChanged(began: Set<WidgetID>, ended: Set<WidgetID>)

    /// What a running widget is told about itself; nil when its manifest has gone.
    func description(of widget: WidgetID) -> WidgetDescription?

    /// With what a host executes a command of what a widget shows now.
    func launch(of command: [String], of id: WidgetID) throws(Refusal) -> CommandLaunch

    // MARK: Permission

    func mayChange(_ subject: ChangeSubject, peer: PeerCredentials) -> Bool

    /// Whether a client belongs to any widget's run, as far as the backend can know.
    func isOfRun(_ peer: PeerCredentials) -> Bool

    /// The widget to whose run a client belongs; nil for any other client.
    func widget(of peer: PeerCredentials) -> WidgetID?

    // MARK: Changing

    func change(_ change: Change, then: @escaping Completion<Void>)

    /// Sets values of a widget's settings, as a person types them, and removes others: all of them or none.
    func setSettings(
        _ texts: [(name: String, text: String)], unset: [String], of id: WidgetID, then: @escaping Completion<Void>)

    /// Requests the perform-update of one widget, or (nil) of all that may run. Returns one answer per widget at once.
    /// If an answer is not final, the listener gets later ones up to the final one, possibly before this method
    /// returns. `listener` is nil where no client waits.
    func update(
        _ id: WidgetID?, listener: (any UpdateListener)?
    ) -> [UpdateAnswer]

    /// Runs a widget because the user has touched it. Answers like `update` for one widget.
    func perform(
        _ interaction: Interaction, of id: WidgetID, listener: (any UpdateListener)?
    ) -> Result<UpdateAnswer, Refusal>

    /// Sets the largest display mode that a widget has for now. `context` is the extension context that requested it.
    func setLargestDisplayMode(_ mode: DisplayMode, of widget: WidgetID, context: SessionID)

    /// Why a host must not open a URL for a widget; nil where it may.
    func refusal(ofOpening url: String, for widget: WidgetID) -> String?

    /// Keeps a URL that a widget wants opened for the host where the user pressed a button. Returns the reason if the
    /// daemon refuses.
    func openURL(_ url: String, for widget: WidgetID) -> String?

    /// Reads the settings and all manifests again.
    func reload(then: @escaping Completion<ReloadResult>)
}

/// Follows the runs that a client has requested. The backend holds it weakly, so a client that leaves is released.
@LoopActor
package protocol UpdateListener: AnyObject {
    func receive(_ answer: UpdateAnswer)
}

/// Called once, when a change has been made or refused.
package typealias Completion<Success> = @LoopActor (Result<Success, Refusal>) -> Void

/// An item, and until when it stays the same unless something happens.
package struct ShownItem: Sendable {
    package var item: Item
    /// When the item changes because time passes: its content becomes stale or expires. It may be earlier than the true
    /// time: the service asks again then, and tells subscribers only of a difference. Nil means never.
    package var validUntil: BootTime?

    package init(_ item: Item, validUntil: BootTime? = nil) {
        self.item = item
        self.validUntil = validUntil
    }
}

/// Identifies one connection. The service gives no number twice. The connection of a widget's process is its extension
/// context; a widget may have several processes for a while.
package typealias SessionID = UInt64

/// What a widget is told about itself.
package struct WidgetDescription: Hashable, Sendable {
    package var mode: DisplayMode
    package var largestMode: DisplayMode
    package var sizes: DisplaySizes
    package var groups: [AppGroup]
    package var schemes: [String]
    /// The values of its settings by name, with secrets.
    package var settings: [String: String]

    package init(
        mode: DisplayMode, largestMode: DisplayMode, sizes: DisplaySizes = .standard, groups: [AppGroup],
        schemes: [String], settings: [String: String]
    ) {
        self.mode = mode
        self.largestMode = largestMode
        self.sizes = sizes
        self.groups = groups
        self.schemes = schemes
        self.settings = settings
    }
}

/// What a peer needs permission for.
package enum ChangeSubject: Hashable, Sendable {
    /// To act for a widget, as its containing app does: has-content, push, update, actions.
    case widget(WidgetID)
    /// To choose for the user: which widgets are enabled, and their order, display mode, lock-screen permission and settings.
    case choices
    /// To have what the commands of widgets are executed with, secrets included.
    case commands
    /// To change the defaults of an app group.
    case group(AppGroup)
    /// To change all widgets and the daemon: `Update` of all, `Reload`.
    case everything
    /// To change anything at all: at least one widget or group.
    case anything
}

/// The result of a reload.
package struct ReloadResult: Hashable, Sendable {
    package var widgets: Int
    /// Each is `file:line: reason`.
    package var complaints: [String]

    package init(widgets: Int, complaints: [String]) {
        self.widgets = widgets
        self.complaints = complaints
    }
}
