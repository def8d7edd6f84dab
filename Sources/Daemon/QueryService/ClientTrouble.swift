// SPDX-License-Identifier: MIT
import Glibc
import TodayModel

/// What an administrator is told about clients.
package enum ClientTrouble: Hashable, Sendable, CustomStringConvertible {
    case limitReached(uid: uid_t, String)
    /// The service closed a connection because the client broke the protocol.
    case protocolViolation(uid: uid_t, pid: pid_t, String)
    /// Connections wait because the process or the system has no free descriptor.
    case exhausted(String)

    enum Kind: Hashable {
        case limit(uid_t), violation(uid_t), exhausted
    }

    var kind: Kind {
        switch self {
        case .limitReached(let uid, _): .limit(uid)
        case .protocolViolation(let uid, _, _): .violation(uid)
        case .exhausted: .exhausted
        }
    }

    package var description: String {
        switch self {
        case .limitReached(let uid, let reason): "limit reached for user \(uid): \(reason)"
        case .protocolViolation(let uid, let pid, let reason):
            "closed a connection of process \(pid) of user \(uid): \(reason)"
        case .exhausted(let reason): reason
        }
    }
}

/// Lets through one trouble per kind and user in a minute, because clients can cause any number of them.
struct TroubleFilter {
    private static let pause = TimeSpan.minutes(1)
    private var last: [ClientTrouble.Kind: BootTime] = [:]

    mutating func letsThrough(_ kind: ClientTrouble.Kind, at now: BootTime) -> Bool {
        if let time = last[kind], now < time + Self.pause { return false }
        last[kind] = now
        return true
    }
}
