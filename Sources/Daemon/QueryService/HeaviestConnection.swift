// SPDX-License-Identifier: MIT
import Glibc

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
