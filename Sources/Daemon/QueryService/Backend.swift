// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel

/// The service's view of the daemon: what clients can read of widgets and groups, and what each client may do. It answers at
/// once, from memory. Everything else that clients can call is a `Method` of the daemon.
@LoopActor
package protocol Backend: AnyObject {
    // MARK: Reading

    /// Takes in known changes on disk. The service calls it before answers that have to include them.
    func catchUp()

    /// All widgets in the user's order, including those that are not shown.
    func widgets() -> [WidgetID]

    func hasWidget(_ id: WidgetID) -> Bool

    /// A widget as a host shows it; nil when there is no such widget.
    func item(_ id: WidgetID) -> ShownItem?

    func status(of id: WidgetID) -> WidgetStatus?

    /// The daemon's status. The service fills in the counts of connections and subscribers.
    func daemonStatus() -> DaemonStatus

    /// The values of an app group's defaults; nil when there is no such group.
    func defaults(of group: AppGroup) -> JSONObject?

    // MARK: Looks

    /// Tells the backend that a host asks for these widgets. The service may skip the call if the last one was
    /// less than a second ago.
    func hostLooked(at widgets: [WidgetID])

    /// Tells the backend which widgets hosts have begun to follow, and which widgets no host follows any more.
    func looksChanged(began: Set<WidgetID>, ended: Set<WidgetID>)

    // MARK: Permission

    func mayChange(_ subject: ChangeSubject, peer: PeerCredentials) -> Bool

    /// Whether the machine has a policy for such a client.
    func hasPolicy(for peer: PeerCredentials) -> Bool

    /// Asks the policy whether a client may do what it was denied, and calls `then` once, later.
    ///
    /// - Returns: a function that withdraws the question.
    func askPolicy(
        _ question: PolicyQuestion, then: @escaping @LoopActor (PolicyAnswer) -> Void
    ) -> @LoopActor () -> Void

    /// Whether a client belongs to any widget's run, as far as the backend can know.
    func isOfRun(_ peer: PeerCredentials) -> Bool
}

/// Follows the runs that a client has requested. The backend holds it weakly, so a client that leaves is released.
@LoopActor
package protocol UpdateListener: AnyObject {
    func receive(_ answer: UpdateAnswer)
}

/// Called once, when a change has been made or refused.
package typealias Completion<Success> = @LoopActor (Result<Success, Refusal>) -> Void

/// An item, and the time until which it stays the same unless something happens.
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

/// What a client needs permission for.
package enum ChangeSubject: Hashable, Sendable {
    /// To act for a widget, as its containing app does: has-content, push, update, actions.
    case widget(WidgetID)
    /// To choose for the user: which widgets are enabled, and their order, display mode, lock-screen permission and settings.
    case choices
    /// To get what the commands of widgets are executed with, including secrets.
    case commands
    /// To change the defaults of an app group.
    case group(AppGroup)
    /// To change all widgets and the daemon: `Update` of all, `Reload`.
    case everything
    /// To change anything at all: at least one widget or group.
    case anything
}
