// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import TodayModel

/// Decides which peer may change what, by user and group. Each client that may connect may read.
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

    /// Whether the peer may execute the widgets' commands. The commands of a user's widgets are for this user and not for
    /// root, and those of the system's widgets are for no user: `Catalog` refuses them in words.
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
