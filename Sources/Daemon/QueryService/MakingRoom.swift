// SPDX-License-Identifier: MIT
import Glibc
import Reactor

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

extension QueryService {
    func boundWaitingInput() {
        while waitingInput > limits.waitingInputBytes {
            guard makeRoom("calls that are not complete", { $0.input.keptBytes }) else { return }
        }
    }

    func boundWaitingOutput() {
        while tally.waiting > limits.waitingOutputBytes {
            guard makeRoom("replies that are not read", { $0.output.charge }) else { return }
        }
    }

    private func makeRoom(_ what: String, _ held: (Session) -> Int) -> Bool {
        var holdings = Holdings()
        for session in sessions.values { holdings.add(held(session), by: session.key, of: session.peer.uid) }
        guard let session = holdings.heaviest.flatMap({ sessions[$0] }) else { return false }
        report(.limitReached(uid: session.peer.uid, "too many \(what)"))
        session.close()
        return true
    }
}
