// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TodayModel
import Varlink

/// Accepts connections. At a limit, refusing one client costs the other clients at most a few milliseconds per turn.
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
        lastKey += 1
        do throws(ReactorError) {
            try peer.readGroups(of: descriptor)
            sessions[lastKey] = try Session(key: lastKey, descriptor: descriptor, peer: peer, service: self)
            door.admission.opened(by: peer.uid)
            for line in [nil, peer.uid] {
                door.silent[line, default: SilentLine()].append(lastKey) { sessions[$0]?.state.hasCalled == false }
            }
        } catch {
            _ = Glibc.close(descriptor)
            report(.exhausted("\(error)"))
        }
    }

    /// Whether a widget's run opened the connection. A negative result is kept for the turn, because each check walks
    /// up the process's ancestors.
    private func isOfRun(_ peer: PeerCredentials) -> Bool {
        if door.outsiders.round != EventLoop.round { door.outsiders = (EventLoop.round, []) }
        if door.outsiders.pids.contains(peer.pid) { return false }
        let isOfRun = backend.isOfRun(peer)
        if !isOfRun { door.outsiders.pids.insert(peer.pid) }
        return isOfRun
    }

    /// Whether an open connection may be closed for the new one: for at most `silentPerTurn` that have sent nothing,
    /// and for every one that has sent something.
    private func letsIn(_ descriptor: Int32, _ uid: uid_t) -> Bool {
        if door.newcomers.round != EventLoop.round { door.newcomers = (EventLoop.round, [:]) }
        if StreamSocket.hasUnread(descriptor) { return true }
        door.newcomers.users[uid, default: Newcomers()].silent += 1
        return door.newcomers.users[uid]?.silent ?? 0 <= limits.silentPerTurn
    }

    /// Closes the oldest connection that has not called. A connection with unread bytes is spared and answered in its
    /// turn.
    private func closeLongestSilent(of uid: uid_t?) -> Bool {
        // A search that found no silent connection is not repeated in the same turn.
        if door.newcomers.users[uid]?.findsNoneSilent == true { return false }
        let longest = door.silent[uid]?.next { key in
            guard let session = sessions[key], !session.state.hasCalled else { return .gone }
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

    /// Tells a client why it is not served, before its first call. In one turn, only the first silent clients are told,
    /// because sending the text is a third of the cost of a refusal.
    private func refuse(_ descriptor: Int32, _ crowd: Admission.Crowd, silent: Int) {
        defer { _ = Glibc.close(descriptor) }
        guard silent <= 2 * limits.silentPerTurn || StreamSocket.hasUnread(descriptor) else { return }
        if door.refusal?.0 != crowd { door.refusal = (crowd, VarlinkReply(.limitReached(crowd.reason)).encoded()) }
        if let refusal = door.refusal { _ = StreamSocket.send(refusal.1, to: descriptor) }
    }
}

// MARK: - Connections

extension QueryService {
    /// Begins a turn. Sessions call this before they answer calls. All events that epoll reports together are one turn.
    func beginTurn() { turns.begin(at: .now, in: EventLoop.round) }

    func forget(_ session: Session) {
        sessions[session.key] = nil
        if session.widget == nil, door.admission.closed(by: session.peer.uid) { door.silent[session.peer.uid] = nil }
        if sessions.isEmpty { stopping?.end() }
    }

    /// Lets a session continue after the other connections have had their turn.
    func append(_ session: Session) {
        turns.append(session)
        turn?.schedule()
    }

    func takeTurn() {
        turns.time = .now
        let end = turns.time + limits.timeForAll
        while turns.time <= end, let session = turns.next() {
            session.handle(.turn, in: self)
            turns.time = .now
        }
        if !turns.isEmpty { turn?.schedule() }
    }
}

/// Orders the sessions that wait for a turn, and measures the time of turns.
@LoopActor
struct SessionTurns {
    /// When the current call arrived; it may be slightly earlier.
    var time = BootTime.now
    private let limits: QueryLimits
    private var waiting = TurnQueue<uid_t, Session.Party, Session>(favourite: 0)
    private var round: UInt64 = 0
    private var end = BootTime.now

    init(limits: QueryLimits) { self.limits = limits }

    mutating func begin(at now: BootTime, in round: UInt64) {
        time = now
        guard self.round != round else { return }
        self.round = round
        end = now + limits.timeForAll
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Whether a connection with a call has to wait: other connections wait, or the time of this round is over.
    var isBusy: Bool { !waiting.isEmpty || time > end }

    /// How long a session may answer calls. The share is smaller when more parties wait; every session answers at least
    /// one call.
    var share: TimeSpan { min(limits.timePerTurn, limits.timeForAll / Int64(max(1, waiting.partyCount))) }

    mutating func append(_ session: Session) { waiting.append(session, of: session.party, session.peer.uid) }

    mutating func next() -> Session? { waiting.next() }
}

// MARK: - Making room

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

extension QueryService {
    /// Stops accepting, answers the calls that have arrived, waits a bounded time for changes in progress, closes all
    /// connections and then calls `then`.
    package func stop(then: @escaping @LoopActor () -> Void) {
        guard stopping == nil else { return }
        for listener in listeners { listener.close() }
        listeners = []
        let stopping = Stopping(then: then)
        self.stopping = stopping
        let recently = BootTime.now - limits.newcomerPatience
        for session in Array(sessions.values) { end(session, sparingThoseSince: recently) }
        guard !sessions.isEmpty else { return stopping.end() }
        stopping.after(limits.newcomerPatience) { [weak self] in
            guard let self else { return }
            for session in Array(sessions.values) { end(session, sparingThoseSince: .now) }
        }
        stopping.after(limits.stopPatience) { [weak self] in
            guard let self else { return }
            for session in Array(sessions.values) { session.close() }
        }
    }

    /// Answers the calls that have arrived, and closes the session unless it awaits a reply.
    private func end(_ session: Session, sparingThoseSince recently: BootTime) {
        beginTurn()
        session.handle(.ended(isSpared: session.opened >= recently), in: self)
    }
}

/// The timers of a service that stops, and what to call at the end.
@LoopActor
final class Stopping {
    private var then: (@LoopActor () -> Void)?
    private var timers: [TimerSource] = []

    init(then: @escaping @LoopActor () -> Void) { self.then = then }

    func after(_ time: TimeSpan, _ work: @escaping @LoopActor () -> Void) {
        do throws(ReactorError) {
            let timer = try TimerSource(.monotonic, onFire: work)
            timer.arm(after: time.microseconds, slack: 10_000)
            timers.append(timer)
        } catch {
            // Without a timer the service does not wait.
            work()
        }
    }

    func end() {
        for timer in timers { timer.cancel() }
        timers = []
        let then = then
        self.then = nil
        then?()
    }
}
