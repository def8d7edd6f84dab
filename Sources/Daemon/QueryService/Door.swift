// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TodayModel

/// The state of accepting connections.
struct Door {
    var admission: Admission
    /// The connections that may have to make room for others, of each user, and (nil) of all users.
    var silent: [uid_t?: SilentLine] = [:]
    /// The earliest time of the next search for connections whose process has ended.
    var nextSearch = BootTime(microseconds: 0)
    /// Counts of the connections that arrived in one round at a limit, of each user, and (nil) at the limit of all
    /// users.
    var newcomers: (round: UInt64, users: [uid_t?: Newcomers]) = (0, [:])
    /// The reply that refuses a client, encoded once for all clients at the same limit.
    var refusal: (Admission.Crowd, [UInt8])?
    /// The processes that, in this round, were found to belong to no widget's run.
    var outsiders: (round: UInt64, pids: Set<pid_t>) = (0, [])

    init(limits: QueryLimits) { admission = Admission(limits: limits) }
}

/// The connections that arrived in one round while a limit was reached.
struct Newcomers {
    /// How many of them had sent nothing.
    var silent = 0
    /// No open connection is silent, so none makes room.
    var findsNoneSilent = false
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

    private var line = Line<SessionID>()
    /// The length of the line at which `append` removes connections that are gone.
    private var room = 64

    var count: Int { line.count }

    /// - Parameter isSilent: whether a connection still belongs in line.
    mutating func append(_ id: SessionID, isSilent: (SessionID) -> Bool) {
        if line.count >= room {
            line.keep(where: isSilent)
            room = max(64, 2 * line.count)
        }
        line.append(id)
    }

    /// The connection that has been silent longest; nil when the search found none.
    mutating func next(_ find: (SessionID) -> Finding) -> SessionID? {
        var speaking = 0
        while speaking < Self.mostSpeaking, let id = line.next() {
            switch find(id) {
            case .silent: return id
            case .gone: break
            case .speaking:
                line.append(id)
                speaking += 1
            }
        }
        return nil
    }
}
