// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TodayModel
import Varlink

/// New connections. A crowd costs each of its members a refusal, and every other client a few milliseconds.
extension QueryService {
    func accept(_ descriptor: Int32, _ peer: PeerCredentials) {
        var peer = peer
        switch admission.verdict(on: peer.uid) {
        case .admitted: break
        case .admittedUnlessRun(let crowd):
            if isOfRun(peer) {
                report(crowd, of: peer.uid)
                return refuse(descriptor, crowd, silent: 0)
            }
        case .admittedForSilent(let uid, let crowd):
            report(crowd, of: peer.uid)
            guard letsIn(descriptor, peer.uid), closeLongestSilent(of: uid) || closeAbandoned(of: uid) else {
                return refuse(descriptor, crowd, silent: newcomers.users[peer.uid]?.silent ?? 0)
            }
        }
        lastKey += 1
        do throws(ReactorError) {
            try peer.readGroups(of: descriptor)
            sessions[lastKey] = try Session(key: lastKey, descriptor: descriptor, peer: peer, service: self)
            admission.opened(by: peer.uid)
            for line in [nil, peer.uid] {
                silent[line, default: SilentLine()].append(lastKey) { sessions[$0]?.state.hasCalled == false }
            }
        } catch {
            _ = Glibc.close(descriptor)
            report(.exhausted("\(error)"))
        }
    }

    /// What a process was found to be it stays for the rest of the turn: to find it out costs a walk up the line of its
    /// ancestors, for each connection of a crowd.
    private func isOfRun(_ peer: PeerCredentials) -> Bool {
        if outsiders.round != EventLoop.round { outsiders = (EventLoop.round, []) }
        if outsiders.pids.contains(peer.pid) { return false }
        let isOfRun = backend.isOfRun(peer)
        if !isOfRun { outsiders.pids.insert(peer.pid) }
        return isOfRun
    }

    /// Whether others make room for a connection: for few that have nothing to say, and for all that have.
    private func letsIn(_ descriptor: Int32, _ uid: uid_t) -> Bool {
        if newcomers.round != EventLoop.round { newcomers = (EventLoop.round, [:]) }
        if StreamSocket.hasUnread(descriptor) { return true }
        newcomers.users[uid, default: Newcomers()].silent += 1
        return newcomers.users[uid]?.silent ?? 0 <= limits.silentPerTurn
    }

    /// A connection that has called by now is spared, and answered when it is its turn.
    private func closeLongestSilent(of uid: uid_t?) -> Bool {
        // Of a whole crowd at the door, only the first connection looks for a silent one inside.
        if newcomers.users[uid]?.findsNoneSilent == true { return false }
        let longest = silent[uid]?.next { key in
            guard let session = sessions[key], !session.state.hasCalled else { return .gone }
            return StreamSocket.hasUnread(session.descriptor) ? .speaking : .silent
        }
        if silent[uid]?.count == 0 { silent[uid] = nil }
        newcomers.users[uid, default: Newcomers()].findsNoneSilent = longest == nil
        longest.flatMap { sessions[$0] }?.close()
        return longest != nil
    }

    /// Makes room where the process that has connected is no more. Mostly the kernel says so; but a process that
    /// sends a connection over itself and is not read keeps it open from the grave: unix(7), SCM_RIGHTS.
    private func closeAbandoned(of uid: uid_t?) -> Bool {
        let now = BootTime.now
        guard now >= nextSearch else { return false }
        nextSearch = now + .seconds(1)
        let abandoned = sessions.values.filter { session in
            guard uid == nil || session.peer.uid == uid else { return false }
            // Number 0 is that of a context, and of a process in another namespace. For kill(2) it is the group of this one.
            return kill(session.peer.pid, 0) != 0 && errno == ESRCH
        }
        for session in abandoned { session.close() }
        return !abandoned.isEmpty
    }

    /// Tells a client why it is not served, if it looks; it has not asked anything yet. Of a crowd that says nothing only
    /// the first are told: words are a third of what each of them costs.
    private func refuse(_ descriptor: Int32, _ crowd: Admission.Crowd, silent: Int) {
        defer { _ = Glibc.close(descriptor) }
        guard silent <= 2 * limits.silentPerTurn || StreamSocket.hasUnread(descriptor) else { return }
        if refusal?.0 != crowd { refusal = (crowd, VarlinkReply(.limitReached(crowd.reason)).encoded()) }
        if let refusal { _ = StreamSocket.send(refusal.1, to: descriptor) }
    }
}

/// The connections that come in one turn and find a limit reached.
struct Newcomers {
    /// How many of them had nothing to say.
    var silent = 0
    /// No connection inside is silent, so that none makes room.
    var findsNoneSilent = false
}
