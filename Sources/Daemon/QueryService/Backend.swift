// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel

/// What answers the questions that arrive on the socket: everything the service knows about the rest of the daemon.
///
/// Reading is from memory and answered at once. Changes complete when they are durable. Nothing here knows the wire:
/// parameters have been checked, identifiers are of widgets that `item` knows, and permission has been asked for.
@LoopActor
package protocol Backend: AnyObject {
    // MARK: Reading

    /// Takes in what is known to have changed on disk. Called before answers that a client may expect to know of it.
    func catchUp()

    /// All widgets in the user's order, also those which are not shown.
    func widgets() -> [WidgetID]

    /// The place of a widget in the user's order.
    func position(of id: WidgetID) -> Int

    /// The widgets past which a widget may be moved so.
    func neighbours(of id: WidgetID, for placement: Placement) -> [WidgetID]

    /// The time of day.
    var now: WallTime { get }

    /// A widget as a host shows it; nil when there is no such widget (any more).
    func item(_ id: WidgetID) -> ShownItem?

    /// The has-content flag; nil when there is no such widget.
    func hasContent(_ id: WidgetID) -> Bool?

    /// The values of an app group's defaults; nil when there is no such group.
    func defaults(of group: AppGroup) -> JSONObject?

    /// The counts of connections and subscribers are filled in by the service.
    func daemonStatus() -> DaemonStatus

    func widgetStatus(of id: WidgetID) -> WidgetStatus?

    /// A host has just been shown these widgets. Called at least for the first look after a second without one, not
    /// for every look.
    func hostLooked(at widgets: [WidgetID])

    /// Hosts have begun to follow these widgets, which no host did before; and of those, none does any longer.
    func looksChanged(began: Set<WidgetID>, ended: Set<WidgetID>)

    /// What a widget that runs is told about itself; nil when its manifest has gone.
    func context(of widget: WidgetID) -> WidgetContext?

    // MARK: Permission

    func mayChange(_ subject: ChangeSubject, peer: PeerCredentials) -> Bool

    /// Whether a client belongs to some widget's run, as far as can be known.
    func isOfRun(_ peer: PeerCredentials) -> Bool

    /// The widget to whose run a client belongs; nil for any other client.
    func widget(of peer: PeerCredentials) -> WidgetID?

    // MARK: Changing

    func change(_ change: Change, then: @escaping Completion<Void>)

    /// Asks for the perform-update of one widget, or of all which may run. Returns what is known at once, one answer
    /// per widget; for each answer that is not final, the listener gets later ones up to the final one, perhaps before
    /// this returns. Nil where no client waits.
    func update(
        _ id: WidgetID?, listener: (any UpdateListener)?
    ) -> [UpdateAnswer]

    /// Runs a widget because the user has touched it. Answers like `update` for one widget.
    func perform(
        _ errand: Errand, of id: WidgetID,
        listener: (any UpdateListener)?
    ) -> Result<UpdateAnswer, Refusal>

    /// The largest display mode that a widget has for now. `context` is the one through which it says so.
    func setLargestDisplayMode(_ mode: DisplayMode, of widget: WidgetID, context: ContextID)

    /// Why a host must not open a URL for a widget; nil where it may.
    func refusal(ofOpening url: String, for widget: WidgetID) -> String?

    /// A widget wants its containing app opened; a reason where that is not done.
    func openURL(_ url: String, for widget: WidgetID) -> String?

    /// Reads the settings and all manifests again.
    func reload(then: @escaping Completion<ReloadResult>)
}

/// Follows the runs that a request has asked for. Held weakly: a client that stops following lets go of it.
@LoopActor
package protocol UpdateListener: AnyObject {
    func receive(_ answer: UpdateAnswer)
}

/// What is called, once, when a change has been made or refused.
package typealias Completion<Success> = @LoopActor (Result<Success, Refusal>) -> Void

/// An item, and until when it stays as it is if nothing happens.
package struct ShownItem: Sendable {
    package var item: Item
    /// When the item changes by the mere passing of time, as when its content becomes stale or expires. No later than
    /// the true time: the service looks again then and tells subscribers if anything is different. Nil is never.
    package var validUntil: BootTime?

    package init(_ item: Item, validUntil: BootTime? = nil) {
        self.item = item
        self.validUntil = validUntil
    }
}

/// Names one extension context: one process of a widget, of which there may be several for a while.
package typealias ContextID = UInt64

/// What a widget is told about itself.
package struct WidgetContext: Hashable, Sendable {
    package var mode: DisplayMode
    package var largestMode: DisplayMode
    package var sizes: DisplaySizes
    package var groups: [AppGroup]
    package var schemes: [String]

    package init(
        mode: DisplayMode, largestMode: DisplayMode, sizes: DisplaySizes = .standard, groups: [AppGroup],
        schemes: [String]
    ) {
        self.mode = mode
        self.largestMode = largestMode
        self.sizes = sizes
        self.groups = groups
        self.schemes = schemes
    }
}

/// What a peer needs permission for.
package enum ChangeSubject: Hashable, Sendable {
    /// To act for a widget, as its containing app does: has-content, push, update, actions.
    case widget(WidgetID)
    /// To choose for the user: what is enabled, in which order, size and place widgets are shown.
    case choices
    /// The defaults of an app group.
    case group(AppGroup)
    /// All widgets, and the daemon itself: `Update` of all, `Reload`.
    case everything
    /// Anything at all: some widget, some group, or more.
    case anything
}

/// What came of reading everything again.
package struct ReloadResult: Hashable, Sendable {
    package var widgets: Int
    /// `file:line: reason` each.
    package var complaints: [String]

    package init(widgets: Int, complaints: [String]) {
        self.widgets = widgets
        self.complaints = complaints
    }
}
