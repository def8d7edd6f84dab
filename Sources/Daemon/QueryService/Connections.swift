// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TodayModel
import Varlink

/// Accepts connections. At a limit, refusing one client costs the other clients at most a few milliseconds per round.
extension QueryService {
    func accept(_ descriptor: Int32, _ peer: PeerCredentials) {
        var peer = peer
        switch door.admission.verdict(on: peer.uid) {
        case .admitted: break
        case .admittedUnlessRun(let crowd):
            if isOfRun(peer) {
                report(crowd, of: peer.uid)
                return refuse(descriptor, crowd, silent: 0)
            }
        case .admittedForSilent(let uid, let crowd):
            report(crowd, of: peer.uid)
            guard letsIn(descriptor, peer.uid), closeLongestSilent(of: uid) || closeAbandoned(of: uid) else {
                return refuse(descriptor, crowd, silent: door.newcomers.users[peer.uid]?.silent ?? 0)
            }
        }
        lastSession += 1
        do throws(ReactorError) {
            try peer.readGroups(of: descriptor)
            sessions[lastSession] = try Session(id: lastSession, descriptor: descriptor, peer: peer, service: self)
            door.admission.opened(by: peer.uid)
            for line in [nil, peer.uid] {
                door.silent[line, default: SilentLine()].append(lastSession) { sessions[$0]?.state.hasCalled == false }
            }
        } catch {
            _ = Glibc.close(descriptor)
            report(.exhausted("\(error)"))
        }
    }

    /// Whether a widget's run opened the connection. A negative result is kept for the round, because each check walks
    /// up the process's ancestors.
    private func isOfRun(_ peer: PeerCredentials) -> Bool {
        if door.outsiders.round != EventLoop.round { door.outsiders = (EventLoop.round, []) }
        if door.outsiders.pids.contains(peer.pid) { return false }
        let isOfRun = backend.isOfRun(peer)
        if !isOfRun { door.outsiders.pids.insert(peer.pid) }
        return isOfRun
    }

    /// Whether an open connection may be closed for the new one: for at most `silentPerRound` that have sent nothing,
    /// and for every one that has sent something.
    private func letsIn(_ descriptor: Int32, _ uid: uid_t) -> Bool {
        if door.newcomers.round != EventLoop.round { door.newcomers = (EventLoop.round, [:]) }
        if StreamSocket.hasUnread(descriptor) { return true }
        door.newcomers.users[uid, default: Newcomers()].silent += 1
        return door.newcomers.users[uid]?.silent ?? 0 <= limits.silentPerRound
    }

    /// Closes the oldest connection that has not called. A connection with unread bytes is spared and answered in its
    /// turn.
    private func closeLongestSilent(of uid: uid_t?) -> Bool {
        // A search that found no silent connection is not repeated in the same round.
        if door.newcomers.users[uid]?.findsNoneSilent == true { return false }
        let longest = door.silent[uid]?.next { id in
            guard let session = sessions[id], !session.state.hasCalled else { return .gone }
            return StreamSocket.hasUnread(session.descriptor) ? .speaking : .silent
        }
        if door.silent[uid]?.count == 0 { door.silent[uid] = nil }
        door.newcomers.users[uid, default: Newcomers()].findsNoneSilent = longest == nil
        longest.flatMap { sessions[$0] }?.close()
        return longest != nil
    }

    /// Closes connections whose process has ended. The kernel usually reports the end, but a process can exit while its
    /// socket survives in an unread SCM_RIGHTS message: unix(7).
    private func closeAbandoned(of uid: uid_t?) -> Bool {
        let now = BootTime.now
        guard now >= door.nextSearch else { return false }
        door.nextSearch = now + .seconds(1)
        let abandoned = sessions.values.filter { session in
            guard uid == nil || session.peer.uid == uid else { return false }
            // An extension context, and a process in another namespace, has number 0. For kill(2) that is the daemon's
            // own process group, which exists.
            return kill(session.peer.pid, 0) != 0 && errno == ESRCH
        }
        for session in abandoned { session.close() }
        return !abandoned.isEmpty
    }

    /// Tells a client why it is not served, before its first call. In one round, only the first silent clients are told,
    /// because sending the text is a third of the cost of a refusal.
    private func refuse(_ descriptor: Int32, _ crowd: Admission.Crowd, silent: Int) {
        defer { _ = Glibc.close(descriptor) }
        guard silent <= 2 * limits.silentPerRound || StreamSocket.hasUnread(descriptor) else { return }
        if door.refusal?.0 != crowd { door.refusal = (crowd, VarlinkReply(.limitReached(crowd.reason)).encoded()) }
        if let refusal = door.refusal { _ = StreamSocket.send(refusal.1, to: descriptor) }
    }

    func forget(_ session: Session) {
        sessions[session.id] = nil
        if session.widget == nil, door.admission.closed(by: session.peer.uid) { door.silent[session.peer.uid] = nil }
        if sessions.isEmpty { stopping?.end() }
    }
}
