// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TodayModel

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

/// Connections that have not called yet, in the order in which they came. At a limit the first makes room; to find it costs
/// no more among thousands than among two.
///
/// A connection that calls or closes stays in line until it is met there, or until half of the line is such.
struct SilentLine {
    /// What becomes of a connection that is met.
    enum Finding {
        /// It has nothing to say: it makes room.
        case silent
        /// It has something to say that is not read yet; it is met again after the others.
        case speaking
        /// It has called, or is closed.
        case gone
    }

    /// Of a crowd that all have something to say, so many are met at a time.
    static let mostSpeaking = 32

    private var line = Line<UInt64>()
    /// How long the line may become before those that have gone are taken out.
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

    /// The connection that has been silent longest; nil when none was met.
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

/// What is known of the clients at the door.
struct Door {
    var admission: Admission
    /// The connections that make room for others, of each user, and (nil) of all.
    var silent: [uid_t?: SilentLine] = [:]
    /// When it is worth it again to look for connections whose process has ended.
    var nextSearch = BootTime(microseconds: 0)
    /// What is known of the connections that come in one turn, of each user, and (nil) where the limit is that of all.
    var newcomers: (round: UInt64, users: [uid_t?: Newcomers]) = (0, [:])
    /// What a refused client is told: the same for all of a crowd.
    var refusal: (Admission.Crowd, [UInt8])?
    /// The processes of one turn that are no widget's.
    var outsiders: (round: UInt64, pids: Set<pid_t>) = (0, [])

    init(limits: QueryLimits) { admission = Admission(limits: limits) }
}

/// The connections that come in one turn and find a limit reached.
struct Newcomers {
    /// How many of them had nothing to say.
    var silent = 0
    /// No connection inside is silent, so that none makes room.
    var findsNoneSilent = false
}

/// What connections make the daemon hold is bounded for all of them together. Which connection crosses the bound is
/// chance; so the user that holds most makes room, with the connection that holds most, and a user that holds little
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

    /// The connection that has to go; nil when no connection holds anything.
    var heaviest: UInt64? { users.values.max { $0.total < $1.total }?.largest }
}
