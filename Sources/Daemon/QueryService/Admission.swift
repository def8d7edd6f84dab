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

/// The connections that have not called yet, oldest first. At a limit the first one makes room; finding it takes the
/// same time among thousands as among two.
///
/// A connection that calls or closes stays in line until `next` reaches it, or until `append` cleans a full line.
struct SilentLine {
    enum Finding {
        /// It has no bytes to read: it makes room.
        case silent
        /// It has bytes that the service has not read yet: it goes to the end of the line.
        case speaking
        /// It has called, or it is closed.
        case gone
    }

    /// How many connections with unread bytes one search passes before it gives up.
    static let mostSpeaking = 32

    private var line = Line<UInt64>()
    /// The length of the line at which `append` removes connections that are gone.
    private var room = 64

    var count: Int { line.count }

    /// - Parameter isSilent: whether a connection still belongs in line.
    mutating func append(_ key: UInt64, isSilent: (UInt64) -> Bool) {
        if line.count >= room {
            line.keep(where: isSilent)
            room = max(64, 2 * line.count)
        }
        line.append(key)
    }

    /// The connection that has been silent longest; nil when the search found none.
    mutating func next(_ look: (UInt64) -> Finding) -> UInt64? {
        var speaking = 0
        while speaking < Self.mostSpeaking, let key = line.next() {
            switch look(key) {
            case .silent: return key
            case .gone: break
            case .speaking:
                line.append(key)
                speaking += 1
            }
        }
        return nil
    }
}

/// The state of accepting connections.
struct Door {
    var admission: Admission
    /// The connections that may have to make room for others, of each user, and (nil) of all users.
    var silent: [uid_t?: SilentLine] = [:]
    /// The earliest time of the next search for connections whose process has ended.
    var nextSearch = BootTime(microseconds: 0)
    /// Counts of the connections that arrived in one turn at a limit, of each user, and (nil) at the limit of all
    /// users.
    var newcomers: (round: UInt64, users: [uid_t?: Newcomers]) = (0, [:])
    /// The reply that refuses a client, encoded once for all clients at the same limit.
    var refusal: (Admission.Crowd, [UInt8])?
    /// The processes that, in this turn, were found to belong to no widget's run.
    var outsiders: (round: UInt64, pids: Set<pid_t>) = (0, [])

    init(limits: QueryLimits) { admission = Admission(limits: limits) }
}

/// The connections that arrived in one turn while a limit was reached.
struct Newcomers {
    /// How many of them had sent nothing.
    var silent = 0
    /// No open connection is silent, so none makes room.
    var findsNoneSilent = false
}

/// Finds the connection that makes room when all connections together hold too many bytes. Any connection may be the
/// one that crosses the limit. So the user that holds most loses its largest connection, and a user that holds little
/// loses nothing.
struct Holdings {
    private var users: [uid_t: (total: Int, largest: UInt64, most: Int)] = [:]

    mutating func add(_ held: Int, by connection: UInt64, of user: uid_t) {
        guard held > 0 else { return }
        var holding = users[user] ?? (0, connection, 0)
        holding.total += held
        if held > holding.most { (holding.largest, holding.most) = (connection, held) }
        users[user] = holding
    }

    /// The connection to close; nil when no connection holds anything.
    var heaviest: UInt64? { users.values.max { $0.total < $1.total }?.largest }
}
