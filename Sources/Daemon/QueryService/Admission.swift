// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TodayModel

/// Decides which clients may connect, and counts connections.
///
/// At a limit, the service closes the connection that has been open longest without a call, so a user that opens silent
/// connections shuts out only itself. Where all connections have called, the service refuses the new one. Widgets' runs
/// get only half of a user's connections: no widget shuts out a client that could stop it.
struct Admission {
    enum Verdict: Equatable {
        case admitted
        /// Admitted unless a widget's run opened it.
        case admittedUnlessRun(Crowd)
        /// Admitted if the service can close a silent connection: any (nil), or one of that user.
        case admittedForSilent(uid: uid_t?, Crowd)
    }

    /// How many connections there are at a limit. The text is made only when a client is sent it, because the service
    /// may refuse thousands of clients per second.
    enum Crowd: Hashable {
        case ofUser(Int)
        case ofUserAndWidgets(Int)
        case all(Int)

        var reason: String {
            switch self {
            case .ofUser(let count): "\(count) connections of one user: no more until some are closed"
            case .ofUserAndWidgets(let count):
                "\(count) connections of one user: no more for widgets until some are closed"
            case .all(let count): "\(count) connections: no more until some are closed"
            }
        }
    }

    private let limits: QueryLimits
    private(set) var count = 0
    private var perUser: [uid_t: Int] = [:]

    init(limits: QueryLimits) { self.limits = limits }

    func verdict(on uid: uid_t) -> Verdict {
        let total = uid == 0 ? limits.connections : limits.connections - limits.connectionsForRoot
        if let own = perUser[uid], own >= limits.connectionsPerUser {
            return .admittedForSilent(uid: uid, .ofUser(own))
        }
        if count >= total {
            return .admittedForSilent(uid: nil, .all(count))
        }
        if let own = perUser[uid], own >= limits.connectionsPerUser / 2 {
            return .admittedUnlessRun(.ofUserAndWidgets(own))
        }
        return .admitted
    }

    mutating func opened(by uid: uid_t) {
        count += 1
        perUser[uid, default: 0] += 1
    }

    /// - Returns: whether it was the user's last one.
    @discardableResult
    mutating func closed(by uid: uid_t) -> Bool {
        count -= 1
        guard let own = perUser[uid], own > 1 else {
            perUser[uid] = nil
            return true
        }
        perUser[uid] = own - 1
        return false
    }
}
