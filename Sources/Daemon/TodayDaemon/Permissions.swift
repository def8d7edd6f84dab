// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import Runner
import TodayModel

/// Decides which peer may change what, by the peer's credentials. Each client that may connect may read. A process of a
/// run acts as its widget, whatever its uid is.
struct Permissions: Equatable {
    let instance: DaemonStatus.Instance
    /// The daemon's own user.
    let owner: UInt32
    /// The group whose members administer the system instance; nil where no such group exists.
    var administrators: UInt32?

    /// Whether the peer may change everything: order, reload, all widgets.
    func isAdministrator(_ peer: PeerCredentials) -> Bool {
        if peer.uid == 0 { return true }
        switch instance {
        case .user:
            return peer.uid == owner
        case .system:
            // The daemon's own user is no administrator: a process of that user is a widget.
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

    /// Whether a widget may change a subject: its own state, and what it shares with its containing app.
    static func widget(_ manifest: Manifest?, mayChange subject: ChangeSubject) -> Bool {
        switch subject {
        case .widget(let id): id == manifest?.id
        case .group(let group): manifest?.appGroups.contains(group) ?? false
        case .anything: manifest != nil
        case .choices, .everything: false
        }
    }
}

/// Decides what each peer may change. A peer that belongs to a widget's run has the rights of that widget.
@LoopActor
final class AccessControl {
    var permissions: Permissions
    private let catalog: Catalog
    private let runner: any WidgetRunner
    /// The origins of connections that have asked, by process and time.
    private var origins: [Connection: ProcessOrigin] = [:]

    private struct Connection: Hashable {
        let pid: Int32
        let seen: Int64
    }

    init(_ permissions: Permissions, catalog: Catalog, runner: any WidgetRunner) {
        self.permissions = permissions
        self.catalog = catalog
        self.runner = runner
    }

    func mayChange(_ subject: ChangeSubject, _ peer: PeerCredentials) -> Bool {
        switch origin(of: peer) {
        case .outside: client(peer, mayChange: subject)
        case .widget(let id): Permissions.widget(catalog.manifest(of: id), mayChange: subject)
        case .unknown: false
        }
    }

    /// The origin of a connection. It is kept, because finding it walks up the ancestors of the process.
    func origin(of peer: PeerCredentials) -> ProcessOrigin {
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
        case .anything:
            permissions.isAdministrator(peer)
                || catalog.widgets.contains { permissions.mayActFor(catalog.manifest(of: $0), peer) }
        case .widget(let id):
            permissions.mayActFor(catalog.manifest(of: id), peer)
        case .group(let group):
            permissions.isAdministrator(peer)
                || catalog.manifests(inGroup: group).contains { permissions.mayActFor($0, peer) }
        }
    }
}
