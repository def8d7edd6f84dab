// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TodayModel
import Varlink

/// Turns bytes on Unix sockets into answers from its `Backend`, and changes into streams.
@LoopActor
package final class QueryService {
    let limits: QueryLimits
    let info: ServiceInfo
    unowned let backend: any Backend
    let itemCache: ItemCache
    let feeds: Feeds
    let tally = FrameTally()

    /// What one read(2) brings, for all connections: none of them keeps a buffer of its own.
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var replyCache = ReplyCache()
    /// The bytes of calls that are not complete, on all connections.
    var waitingInput = 0
    /// When the call that is being answered came, or a little earlier.
    private(set) var turnTime = BootTime.now

    let contextInfo: ServiceInfo
    private let onReport: @LoopActor (Report) -> Void
    private var reports = ReportFilter()
    var listeners: [UnixListener] = []
    private var admission: Admission
    /// When it is worth it again to look for connections whose process has ended.
    private var nextSearch = BootTime.now
    /// The turn in which nobody was found who could make room.
    private var crowded: UInt64?
    private var lastKey: UInt64 = 0
    private(set) var sessions: [UInt64: Session] = [:]
    /// The sessions that go on when others have had their turn.
    private var waiting = TurnQueue<uid_t, Session.Party, Session>()
    private var round: UInt64 = 0
    private var turnEnd = BootTime.now
    private var turn: TurnSource?
    var stopping: Stopping?

    /// `backend` must outlive the service. `info` has `Interfaces.today` among its interfaces.
    package init(
        backend: any Backend, info: ServiceInfo, limits: QueryLimits = QueryLimits(),
        onReport: @escaping @LoopActor (Report) -> Void = { _ in }
    ) throws(ReactorError) {
        self.backend = backend
        self.info = info
        self.limits = limits
        contextInfo = info.with(interfaces: [InterfaceDescription(constant: Interfaces.extensionContext)])
        self.onReport = onReport
        itemCache = ItemCache(backend: backend, replyBytes: limits.viewBytes)
        admission = Admission(limits: limits)
        feeds = try Feeds(
            backend: backend, itemCache: itemCache, tally: tally, timePerTurn: limits.timeForAll)
        turn = try TurnSource { [weak self] in self?.takeTurn() }
    }

    /// Serves a new socket at `path`.
    package func listen(at path: String, mode: mode_t) throws(ReactorError) {
        add(try UnixListener(path: path, mode: mode) { [weak self] in self?.accept($0, $1) })
    }

    /// Serves a listening socket that a service manager passed. It is neither shut down nor removed, so that clients
    /// which connect while the daemon restarts wait for the next one.
    package func listen(adopting descriptor: Int32) throws(ReactorError) {
        add(try UnixListener(adopting: descriptor) { [weak self] in self?.accept($0, $1) })
    }

    private func add(_ listener: UnixListener) {
        listener.onExhaustion = { [weak self] in self?.report(.exhausted("\($0)")) }
        listeners.append(listener)
    }

    /// Serves a widget its extension context on a connected socket: it acts as that widget, and as nobody else. To be
    /// ended by what is returned, when its program has: who holds the other end then is nobody whom we know.
    package func serve(_ descriptor: OwnedDescriptor, contextOf widget: WidgetID) -> ServedContext? {
        // The session closes its descriptor itself, as it does those it was connected on.
        let own = fcntl(descriptor.number, F_DUPFD_CLOEXEC, 3)
        guard own >= 0 else {
            report(.exhausted("no extension context for \(widget): \(String(cString: strerror(errno)))"))
            return nil
        }
        let peer = PeerCredentials(pid: 0, uid: getuid(), gid: getgid())
        lastKey += 1
        do throws(ReactorError) {
            let session = try Session(key: lastKey, descriptor: own, peer: peer, widget: widget, service: self)
            sessions[lastKey] = session
            return ServedContext(id: lastKey) { [weak session] in session?.leave() }
        } catch {
            _ = Glibc.close(own)
            report(.exhausted("\(error)"))
            return nil
        }
    }

    package var connectionCount: Int { sessions.count }
    package var subscriberCount: Int { feeds.subscriberCount }
    /// How often an item was turned into JSON since the start.
    package var serialisationCount: Int { itemCache.serialisations }
}

/// An extension context that is served.
package struct ServedContext {
    package let id: ContextID
    package let end: @LoopActor () -> Void
}

// MARK: - What has changed

extension QueryService {
    /// These widgets may be different, new or gone. Every widget whose item differs must be named, also where only its
    /// position does; naming others costs a comparison and wakes nobody.
    package func announce(changed widgets: Set<WidgetID>) {
        guard !widgets.isEmpty else { return }
        replyCache.removeAll()
        itemCache.announce(widgets)
        feeds.stirShows()
    }

    /// All widgets may be different.
    package func announceEverything() {
        replyCache.removeAll()
        itemCache.announceAll()
        feeds.stirShows()
    }

    package func announce(defaultsOf group: AppGroup) {
        replyCache.removeAll()
        feeds.stirDefaults(of: group)
    }

    /// Whether anybody listens to events; if not, they need not be put into words.
    package var isMonitored: Bool { feeds.monitor != nil }

    package func announce(_ event: Event) {
        feeds.record(event)
    }

    func report(_ report: Report) {
        if reports.shouldReport(report, at: .now) { onReport(report) }
    }
}

// MARK: - Connections

extension QueryService {
    private func accept(_ descriptor: Int32, _ peer: PeerCredentials) {
        switch admission.verdict(on: peer.uid) {
        case .admitted: break
        case .admittedUnlessRun(let reason):
            // Only now, because to find it out costs a walk up the line of its ancestors.
            if backend.isOfRun(peer) {
                report(.limitReached(uid: peer.uid, reason))
                return refuse(descriptor, reason)
            }
        case .admittedForSilent(let uid, let reason):
            report(.limitReached(uid: peer.uid, reason))
            guard closeLongestSilent(of: uid) || closeAbandoned(of: uid) else { return refuse(descriptor, reason) }
        }
        lastKey += 1
        do throws(ReactorError) {
            sessions[lastKey] = try Session(key: lastKey, descriptor: descriptor, peer: peer, service: self)
            admission.opened(by: peer.uid)
        } catch {
            _ = Glibc.close(descriptor)
            report(.exhausted("\(error)"))
        }
    }

    /// Makes room. Whoever has called by now is spared, and answered when it is its turn.
    private func closeLongestSilent(of uid: uid_t?) -> Bool {
        // Of a whole crowd at the door, only the first looks whether anybody inside is silent.
        guard crowded != EventLoop.round else { return false }
        let silent = sessions.values.filter { session in
            !session.hasCalled && session.widget == nil && (uid == nil || session.peer.uid == uid)
        }
        let longest = silent.sorted { $0.key < $1.key }.first { !StreamSocket.hasUnread($0.descriptor) }
        if longest == nil { crowded = EventLoop.round }
        longest?.close()
        return longest != nil
    }

    /// Makes room where the process that has connected is no more. Mostly the kernel says so; but whoever sends a
    /// connection over itself and is not read keeps it open from the grave: unix(7), SCM_RIGHTS.
    private func closeAbandoned(of uid: uid_t?) -> Bool {
        let now = BootTime.now
        guard now >= nextSearch else { return false }
        nextSearch = now + .seconds(1)
        let abandoned = sessions.values.filter { session in
            guard session.widget == nil, uid == nil || session.peer.uid == uid, session.peer.pid > 0 else {
                return false
            }
            return kill(session.peer.pid, 0) != 0 && errno == ESRCH
        }
        for session in abandoned { session.close() }
        return !abandoned.isEmpty
    }

    /// Tells a client why it is not served, if it looks; it has not asked anything yet.
    private func refuse(_ descriptor: Int32, _ reason: String) {
        _ = StreamSocket.send(VarlinkReply(.limitReached(reason)).encoded(), to: descriptor)
        _ = Glibc.close(descriptor)
    }

    /// To be called before calls are answered. What is found ready together is one turn.
    func beginTurn() {
        turnTime = .now
        guard round != EventLoop.round else { return }
        round = EventLoop.round
        turnEnd = turnTime + limits.timeForAll
    }

    /// Whether who has something to say gets in line: others wait already, or there is something else to do.
    var isBusy: Bool { !waiting.isEmpty || turnTime > turnEnd }

    /// How long a session may go on answering. The more wait, the less each gets: for one call it is enough.
    var share: TimeSpan { min(limits.timePerTurn, limits.timeForAll / Int64(max(1, waiting.partyCount))) }

    /// The session is closed.
    func forget(_ session: Session) {
        guard sessions.removeValue(forKey: session.key) != nil else { return }
        if session.widget == nil { admission.closed(by: session.peer.uid) }
        if sessions.isEmpty { stopping?.end() }
    }

    /// Lets a session go on after other connections have had their turn.
    func resumeNextTurn(_ session: Session) {
        guard !session.isWaiting else { return }
        session.isWaiting = true
        waiting.append(session, of: session.party, session.peer.uid)
        turn?.schedule()
    }

    private func takeTurn() {
        turnTime = .now
        let end = turnTime + limits.timeForAll
        while turnTime <= end, let session = waiting.next() {
            session.isWaiting = false
            session.resume()
            turnTime = .now
        }
        if !waiting.isEmpty { turn?.schedule() }
    }
}
