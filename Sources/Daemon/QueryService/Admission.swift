// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TodayModel
import Varlink

/// Counts connections, and decides which clients may connect.
///
/// At a limit, the oldest connections that have not called make room, so silent connections shut out no other. Widgets'
/// runs get only half of a user's connections: no widget shuts out a client that could stop it.
struct Admission {
    enum Verdict: Equatable {
        case admitted
        /// Admitted unless a widget's run opened it.
        case admittedUnlessRun(LimitReached)
        /// Admitted if the service can close another connection: any (nil), or one of that user.
        case full(uid: uid_t?, LimitReached)
    }

    /// How many connections there are at a limit. The text is made only when a client is sent it, because the service
    /// may refuse thousands of clients per second.
    enum LimitReached: Hashable {
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

    /// How many silent connections make room at once: in a round of the loop, no more clients of a crowd are let in.
    static let mostRoom = 16

    private let limits: QueryLimits
    private(set) var count = 0
    private var perUser: [uid_t: Int] = [:]
    /// The last search for connections that make room, of each user, and (nil) of all users; and the earliest time of the
    /// next one.
    private var lastSearch: [uid_t?: (round: UInt64, next: BootTime)] = [:]
    /// The processes that, in this round of the loop, were found to belong to no widget's run.
    fileprivate var outsiders: (round: UInt64, pids: Set<pid_t>) = (0, [])
    /// The reply that refuses a client, encoded once for all clients at the same limit.
    fileprivate var refusal: (reached: LimitReached, bytes: [UInt8])?

    init(limits: QueryLimits) { self.limits = limits }

    func verdict(on uid: uid_t) -> Verdict {
        let total = uid == 0 ? limits.connections : limits.connections - limits.connectionsForRoot
        if let own = perUser[uid], own >= limits.connectionsPerUser { return .full(uid: uid, .ofUser(own)) }
        if count >= total { return .full(uid: nil, .all(count)) }
        if let own = perUser[uid], own >= limits.connectionsPerUser / 2 {
            return .admittedUnlessRun(.ofUserAndWidgets(own))
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

    /// Whether to look for connections that make room: once in a round of the loop, because a crowd comes at once, and for
    /// each client that has sent something.
    mutating func searches(for uid: uid_t?, at now: BootTime, in round: UInt64, isSpeaking: Bool) -> Bool {
        if let last = lastSearch[uid], last.round == round && !isSpeaking || now < last.next { return false }
        lastSearch[uid] = (round, now)
        return true
    }

    /// No connection makes room, so none is looked for within a second.
    mutating func searchedInVain(for uid: uid_t?, at now: BootTime) { lastSearch[uid]?.next = now + .seconds(1) }
}

/// Accepts connections.
extension QueryService {
    func accept(_ descriptor: Int32, _ peer: PeerCredentials) {
        var peer = peer
        switch admission.verdict(on: peer.uid) {
        case .admitted: break
        case .admittedUnlessRun(let reached):
            if isOfRun(peer) { return refuse(descriptor, reached, peer.uid) }
        case .full(let uid, let reached):
            guard makeRoom(of: uid, for: descriptor) else { return refuse(descriptor, reached, peer.uid) }
            report(reached, of: peer.uid)
        }
        lastSession += 1
        do throws(ReactorError) {
            try peer.readGroups(of: descriptor)
            sessions[lastSession] = try Session(id: lastSession, descriptor: descriptor, peer: peer, service: self)
            admission.opened(by: peer.uid)
        } catch {
            _ = Glibc.close(descriptor)
            report(.exhausted("\(error)"))
        }
    }

    /// Whether a widget's run opened the connection. A negative result is kept for the round, because each check walks
    /// up the process's ancestors.
    private func isOfRun(_ peer: PeerCredentials) -> Bool {
        if admission.outsiders.round != EventLoop.round { admission.outsiders = (EventLoop.round, []) }
        if admission.outsiders.pids.contains(peer.pid) { return false }
        let isOfRun = backend.isOfRun(peer)
        if !isOfRun { admission.outsiders.pids.insert(peer.pid) }
        return isOfRun
    }

    /// Closes the oldest connections that have not called or, where there are none, those whose process has ended. As many
    /// clients may then come before the next search.
    private func makeRoom(of uid: uid_t?, for descriptor: Int32) -> Bool {
        let (now, isSpeaking) = (BootTime.now, StreamSocket.hasUnread(descriptor))
        guard admission.searches(for: uid, at: now, in: EventLoop.round, isSpeaking: isSpeaking) else { return false }
        var silent: [SessionID] = []
        for (id, session) in sessions
        where !session.state.hasCalled && session.widget == nil && (uid == nil || session.peer.uid == uid) {
            silent.append(id)
        }
        // A connection with a call that is not read yet is answered in its turn.
        let oldest = silent.sorted().lazy.compactMap { self.sessions[$0] }
            .filter { !StreamSocket.hasUnread($0.descriptor) }.prefix(Admission.mostRoom)
        var leaving = Array(oldest)
        if silent.isEmpty {
            leaving = abandoned(of: uid)
            if leaving.isEmpty { admission.searchedInVain(for: uid, at: now) }
        }
        for session in leaving { session.close() }
        return !leaving.isEmpty
    }

    /// The connections whose process has ended. The kernel usually reports the end, but a process can exit while its socket
    /// survives in an unread SCM_RIGHTS message: unix(7). A process in another namespace has number 0, which kill(2) takes
    /// for the daemon's own process group.
    private func abandoned(of uid: uid_t?) -> [Session] {
        sessions.values.filter { session in
            session.widget == nil && (uid == nil || session.peer.uid == uid) && kill(session.peer.pid, 0) != 0
                && errno == ESRCH
        }
    }

    /// Tells a client why it is not served, before its first call.
    private func refuse(_ descriptor: Int32, _ reached: Admission.LimitReached, _ uid: uid_t) {
        report(reached, of: uid)
        if admission.refusal?.reached != reached {
            admission.refusal = (reached, VarlinkReply(.limitReached(reached.reason)).encoded())
        }
        if let bytes = admission.refusal?.bytes { _ = StreamSocket.send(bytes, to: descriptor) }
        _ = Glibc.close(descriptor)
    }

    func forget(_ session: Session) {
        sessions[session.id] = nil
        if session.widget == nil { admission.closed(by: session.peer.uid) }
        if sessions.isEmpty { stopping?.end() }
    }
}
