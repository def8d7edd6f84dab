// SPDX-License-Identifier: MIT
import JSON
import QueryService
import Reactor
import Registry
import Runner
import SnapshotStore
import TodayModel

/// What the service reads of widgets and groups, and whom it tells which widgets hosts look at.
extension Catalog: Backend {
    func catchUp() { registry.catchUp() }

    func hasWidget(_ id: WidgetID) -> Bool { registry.widgets[id] != nil }

    func daemonStatus() -> DaemonStatus {
        var status = identity
        status.widgetDirectories = registry.searchPath.widgetDirectories
        status.pluginDirectories = registry.searchPath.pluginDirectories
        status.storage = store.condition.sentence
        status.storageIsFine = store.condition.isDurable
        status.widgets = registry.widgets.count
        status.running = scheduler.runningCount
        status.waiting = scheduler.waitingCount
        status.concurrency = scheduler.concurrency
        status.complaints = registry.complaints.map(\.description)
        return status
    }

    func defaults(of group: AppGroup) -> JSONObject? {
        let values = store.defaults(of: group)
        // A group's stored values stay readable after its last widget has disappeared.
        return values.isEmpty && widgets(inGroup: group).isEmpty ? nil : values
    }

    func hostLooked(at widgets: [WidgetID]) {
        for id in widgets {
            scheduler.appeared(id)
            onLook(id)
        }
    }

    func looksChanged(began: Set<WidgetID>, ended: Set<WidgetID>) {
        for id in began { tell(id, .appear) }
        for id in ended { tell(id, .disappear) }
    }

    private func tell(_ id: WidgetID, _ change: VisibilityChange) {
        let mode = mode(of: id)
        runner.tell(
            id, change,
            in: Scene(
                mode: mode, size: sizes[mode], isKnown: own(of: id) != nil,
                isEditing: draft(of: id)?.hasBegun ?? false))
    }
}

/// Which widget a connection belongs to, and what the daemon lets it do. A process of a run acts as its widget, whatever its
/// user is; any other peer has the permissions of its user and groups.
extension Catalog {
    func mayChange(_ subject: ChangeSubject, peer: PeerCredentials) -> Bool {
        switch origin(of: peer) {
        case .outside: client(peer, mayChange: subject)
        case .widget(let id): Permissions.widget(validManifest(of: id), mayChange: subject)
        case .unknown: false
        }
    }

    /// A process of a run acts as its widget, whatever a policy says of its user.
    func hasPolicy(for peer: PeerCredentials) -> Bool {
        polkit != nil && peer.uid != permissions.owner && origin(of: peer) == .outside
    }

    func askPolicy(
        _ question: PolicyQuestion, then: @escaping @LoopActor (PolicyAnswer) -> Void
    ) -> @LoopActor () -> Void {
        guard let polkit else { return {} }
        return polkit.ask(question, then: then)
    }

    func isOfRun(_ peer: PeerCredentials) -> Bool { origin(of: peer) != .outside }

    /// The widget to whose run a client belongs; nil for any other client.
    func widget(of peer: PeerCredentials) -> WidgetID? {
        if case .widget(let id) = origin(of: peer) { id } else { nil }
    }

    /// The origin of a connection. It is kept, because finding it walks up the ancestors of the process.
    private func origin(of peer: PeerCredentials) -> ProcessOrigin {
        let connection = Connection(pid: peer.pid, seen: peer.seen)
        if let origin = origins[connection] { return origin }
        // As many as there are connections at most. The cache does not know which connections are closed, so it drops
        // all.
        if origins.count >= 4_096 { origins.removeAll() }
        let origin = runner.origin(of: peer.pid, seen: peer.seen)
        origins[connection] = origin
        return origin
    }

    private func client(_ peer: PeerCredentials, mayChange subject: ChangeSubject) -> Bool {
        switch subject {
        case .everything, .choices:
            permissions.isAdministrator(peer)
        case .commands:
            permissions.mayExecuteCommands(peer)
        case .anything:
            permissions.isAdministrator(peer)
                || registry.widgets.keys.contains { permissions.mayActFor(validManifest(of: $0), peer) }
        case .widget(let id):
            permissions.mayActFor(validManifest(of: id), peer)
        case .group(let group):
            permissions.isAdministrator(peer)
                || widgets(inGroup: group).contains { permissions.mayActFor(registry.widgets[$0]?.manifest, peer) }
        }
    }
}

/// Decides which peer may change what, by user and group. Each client that may connect may read.
struct Permissions: Equatable {
    let instance: DaemonStatus.Instance
    /// The daemon's own user.
    let owner: UInt32
    /// The group whose members administer the system instance; nil if no such group exists.
    var administrators: UInt32?

    /// Whether the peer may change everything: order, reload, all widgets.
    func isAdministrator(_ peer: PeerCredentials) -> Bool {
        if peer.uid == 0 { return true }
        switch instance {
        case .user:
            return peer.uid == owner
        case .system:
            // The daemon's own user is not an administrator: a process of that user is a widget.
            guard let administrators, peer.uid != owner else { return false }
            return peer.gid == administrators || peer.groups.contains(administrators)
        }
    }

    /// Whether the peer may act for this widget: set has-content, push, update. In the system instance, the user of the
    /// containing app may too.
    func mayActFor(_ manifest: Manifest?, _ peer: PeerCredentials) -> Bool {
        if isAdministrator(peer) { return true }
        guard instance == .system, let appUser = manifest?.appUser else { return false }
        return peer.uid == appUser
    }

    /// Whether the peer may execute the widgets' commands. The commands of a user's widgets are for this user, not for root,
    /// and those of the system's widgets are for no user: `Catalog` refuses them in words.
    func mayExecuteCommands(_ peer: PeerCredentials) -> Bool {
        instance == .system ? isAdministrator(peer) : peer.uid == owner
    }

    /// Whether a widget may change a subject: its own state, and what it shares with its containing app.
    static func widget(_ manifest: Manifest?, mayChange subject: ChangeSubject) -> Bool {
        switch subject {
        case .widget(let id): id == manifest?.id
        case .group(let group): manifest?.appGroups.contains(group) ?? false
        case .anything: manifest != nil
        case .choices, .commands, .everything: false
        }
    }
}
