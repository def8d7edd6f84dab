// SPDX-License-Identifier: MIT
import Glibc

/// Decides which clients may connect, and counts connections.
///
/// At a limit, the connection that has been silent longest since it was opened makes room for the new one: a user that
/// opens connections and says nothing only shuts out itself. Where all have called, the new one is refused. Half of
/// a user's connections are for others than the programs that widgets are: no widget shuts out a client that could end it.
struct Admission {
    enum Verdict: Equatable {
        case admitted
        /// If it does not come from a widget's run.
        case admittedUnlessRun(Crowd)
        /// If the connection that is silent longest is closed: any, or one of that user.
        case admittedForSilent(uid: uid_t?, Crowd)
    }

    /// How many there are. It is put into words where a client reads them: of a crowd, thousands are refused a second.
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
