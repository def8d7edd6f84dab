// SPDX-License-Identifier: MIT
import Glibc
import TodayModel

/// Something about clients that the administrator of the daemon should know.
package enum Report: Hashable, Sendable, CustomStringConvertible {
    case limitReached(uid: uid_t, String)
    /// A connection was closed because what came on it is no call.
    case protocolViolation(uid: uid_t, pid: pid_t, String)
    /// Connections wait, as the process or the system has no descriptor left.
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

/// Decides which reports are made: of each kind and user one a minute, because a client may cause them at will.
struct ReportFilter {
    private static let pause = TimeSpan.minutes(1)
    private var last: [Report.Kind: BootTime] = [:]

    mutating func shouldReport(_ kind: Report.Kind, at now: BootTime) -> Bool {
        if let time = last[kind], now < time + Self.pause { return false }
        last[kind] = now
        return true
    }
}
