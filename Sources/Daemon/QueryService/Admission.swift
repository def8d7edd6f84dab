// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TodayModel
import Varlink

/// Counts connections, and decides which clients may connect.
///
/// A user at the limit shuts out only itself, and root has connections of its own. Widgets' runs get only half of a user's
/// connections, so no widget can shut out a client that could stop it.
struct Admission {
    enum Verdict: Equatable {
        case admitted
        /// Admitted unless a widget's run opened it.
        case admittedUnlessRun(LimitReached)
        case refused(LimitReached)
    }

    /// How many connections there are at a limit. The text is made only when a client is refused, because the service may
    /// refuse thousands per second.
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

    private let limits: QueryLimits
    private(set) var count = 0
    private var perUser: [uid_t: Int] = [:]
    /// The processes that, in this round of the loop, were found to belong to no widget's run.
    fileprivate var outsiders: (round: UInt64, pids: Set<pid_t>) = (0, [])
    /// The reply that refuses a client, encoded once for all clients at the same limit.
    fileprivate var refusal: (reached: LimitReached, bytes: [UInt8])?

    init(limits: QueryLimits) { self.limits = limits }

    func verdict(on uid: uid_t) -> Verdict {
        let total = uid == 0 ? limits.connections : limits.connections - limits.connectionsForRoot
        if let own = perUser[uid], own >= limits.connectionsPerUser { return .refused(.ofUser(own)) }
        if count >= total { return .refused(.all(count)) }
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
}

/// Accepts connections.
extension QueryService {
    func accept(_ descriptor: Int32, _ peer: PeerCredentials) {
        var peer = peer
        switch admission.verdict(on: peer.uid) {
        case .admitted: break
        case .admittedUnlessRun(let reached):
            if isOfRun(peer) { return refuse(descriptor, reached, peer.uid) }
        case .refused(let reached): return refuse(descriptor, reached, peer.uid)
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
