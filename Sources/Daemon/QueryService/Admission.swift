// SPDX-License-Identifier: MIT
import Glibc

/// Decides who may connect, and counts.
///
/// At a limit, the connection that has been silent longest since it was opened makes room for the new one: whoever
/// opens connections and says nothing only shuts out themselves. Where all have called, the new one is refused. Half of
/// a user's connections are for others than the programs that widgets are: no widget shuts out who could end it.
struct Admission {
    enum Verdict: Equatable {
        case admitted
        /// If it does not come from a widget's run.
        case admittedUnlessRun(reason: String)
        /// If the connection that is silent longest is closed: any, or one of that user.
        case admittedForSilent(uid: uid_t?, reason: String)
    }

    private let limits: QueryLimits
    private(set) var count = 0
    private var perUser: [uid_t: Int] = [:]

    init(limits: QueryLimits) { self.limits = limits }

    func verdict(on uid: uid_t) -> Verdict {
        let total = uid == 0 ? limits.connections : limits.connections - limits.connectionsForRoot
        if let own = perUser[uid], own >= limits.connectionsPerUser {
            return .admittedForSilent(uid: uid, reason: "\(own) connections of one user: no more until some are closed")
        }
        if count >= total {
            return .admittedForSilent(uid: nil, reason: "\(count) connections: no more until some are closed")
        }
        if let own = perUser[uid], own >= limits.connectionsPerUser / 2 {
            return .admittedUnlessRun(
                reason: "\(own) connections of one user: no more for widgets until some are closed")
        }
        return .admitted
    }

    mutating func opened(by uid: uid_t) {
        count += 1
        perUser[uid, default: 0] += 1
    }

    mutating func closed(by uid: uid_t) {
        count -= 1
        guard let own = perUser[uid], own > 1 else {
            perUser[uid] = nil
            return
        }
        perUser[uid] = own - 1
    }
}
