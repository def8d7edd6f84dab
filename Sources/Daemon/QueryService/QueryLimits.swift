// SPDX-License-Identifier: MIT
import Glibc
import TodayModel
import Varlink

/// The limits of clients. The service's memory stays within them whatever clients do.
package struct QueryLimits: Sendable {
    /// All connections. systemd's services allow as many: sd_varlink_server_set_connections_max(3).
    package var connections = 4096
    /// The connections of one user, so that no user shuts out the others.
    package var connectionsPerUser = 1024
    /// The connections that are reserved for root, so that an administrator can examine an overloaded daemon.
    package var connectionsForRoot = 32

    /// The longest call. Content has at most 1 MiB as the daemon writes JSON; a client may escape more characters.
    package var callBytes = 4 << 20
    /// The longest call of a client that may change nothing: a call of 4 MiB with 100,000 values takes 50 times as
    /// long.
    package var readerCallBytes = 64 << 10
    /// The longest reply. Clients, including those that use sd_varlink, accept no longer one.
    package var replyBytes = MessageFramer.standardLimit
    /// The bytes of all items in one reply. Above this, the largest items come without their content.
    package var viewBytes = 12 << 20
    /// Parts of incomplete calls, of all connections together. Above this, the user that holds most loses a connection.
    package var waitingInputBytes = 64 << 20
    /// Replies that wait for slow readers, of all connections together. Above this, the user that holds most loses a connection.
    package var waitingOutputBytes = 64 << 20

    /// How many calls of one connection are answered in its turn.
    package var callsPerTurn = 64
    /// How long calls of one connection are answered in its turn; the first call is always answered.
    package var timePerTurn = TimeSpan.milliseconds(1)
    /// How long connections are answered before the loop polls for other events.
    package var timePerRound = TimeSpan.milliseconds(2)
    /// Replies are joined up to this size before they are written.
    package var gatheredBytes = 64 << 10

    /// How long `Update` waits for results. Clients give up after 45 s.
    package var updatePatience = TimeSpan.seconds(40)
    /// How long changes in progress may take when the service stops.
    package var stopPatience = TimeSpan.seconds(5)
    /// How long a connection that has not called yet may wait with its first call when the service stops.
    package var silentPatience = TimeSpan.milliseconds(500)

    package init() {}

    /// Limits for a process that may open this many descriptors. Runs and files get 256 of them. A small number lowers
    /// the limit of each user, and root keeps its share.
    package init(descriptors: Int) {
        connections = min(connections, max(64, descriptors - Self.otherDescriptors))
        connectionsPerUser = min(connectionsPerUser, connections / 4)
        connectionsForRoot = min(connectionsForRoot, connections / 8)
    }

    private static let otherDescriptors = 256
}

/// Finds the connection that makes room when all connections together hold too many bytes. Any connection may be the
/// one that crosses the limit. So the user that holds most loses its largest connection, and a user that holds little
/// loses nothing.
struct HeaviestConnection {
    private var users: [uid_t: (total: Int, largest: SessionID, most: Int)] = [:]

    mutating func add(_ held: Int, by connection: SessionID, of user: uid_t) {
        guard held > 0 else { return }
        var holding = users[user] ?? (0, connection, 0)
        holding.total += held
        if held > holding.most { (holding.largest, holding.most) = (connection, held) }
        users[user] = holding
    }

    /// The connection to close; nil when no connection holds anything.
    var heaviest: SessionID? { users.values.max { $0.total < $1.total }?.largest }
}

extension QueryService {
    func boundWaitingInput() {
        while waitingInput > limits.waitingInputBytes {
            guard closeHeaviest("calls that are not complete", { $0.input.keptBytes }) else { return }
        }
    }

    func boundWaitingOutput() {
        while waitingOutput > limits.waitingOutputBytes {
            guard closeHeaviest("replies that are not read", { $0.output.byteCount }) else { return }
        }
    }

    private func closeHeaviest(_ what: String, _ held: (Session) -> Int) -> Bool {
        var holdings = HeaviestConnection()
        for session in sessions.values { holdings.add(held(session), by: session.id, of: session.peer.uid) }
        guard let session = holdings.heaviest.flatMap({ sessions[$0] }) else { return false }
        report(.limitReached(uid: session.peer.uid, "too many \(what)"))
        session.close()
        return true
    }
}

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
