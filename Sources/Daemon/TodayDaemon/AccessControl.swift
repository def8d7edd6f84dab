// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import Runner
import TodayModel

/// Decides what each peer may change. A process of a run acts as its widget, whatever its user is; any other peer has
/// the permissions of its user and groups.
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
        case .widget(let id): Permissions.widget(catalog.validManifest(of: id), mayChange: subject)
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
        case .commands:
            permissions.mayExecuteCommands(peer)
        case .anything:
            permissions.isAdministrator(peer)
                || catalog.widgets.contains { permissions.mayActFor(catalog.validManifest(of: $0), peer) }
        case .widget(let id):
            permissions.mayActFor(catalog.validManifest(of: id), peer)
        case .group(let group):
            permissions.isAdministrator(peer)
                || catalog.widgets(inGroup: group).contains {
                    permissions.mayActFor(catalog.registry.widgets[$0]?.manifest, peer)
                }
        }
    }
}
