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
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var replyCache = ReplyCache()
    /// The bytes of calls that are not complete, on all connections.
    var waitingInput = 0
    var turns: SessionTurns

    let contextInfo: ServiceInfo
    private let onReport: @LoopActor (Report) -> Void
    private var reports = ReportFilter()
    var listeners: [UnixListener] = []
    var door: Door
    var lastKey: UInt64 = 0
    var sessions: [UInt64: Session] = [:]
    private(set) var turn: TurnSource?
    var statusReports = StatusReports()
    private(set) var reportTurn: TurnSource?
    var stopping: Stopping?

    /// `backend` must outlive the service. `info` has `Interfaces.today` among its interfaces.
    package init(
        backend: any Backend, info: ServiceInfo, limits: QueryLimits = QueryLimits(),
        onReport: @escaping @LoopActor (Report) -> Void = { _ in }
    ) throws(ReactorError) {
        self.backend = backend
        self.info = info
        self.limits = limits
        contextInfo = info.with(interfaces: [InterfaceText(Interfaces.extensionContext)])
        self.onReport = onReport
        itemCache = ItemCache(backend: backend, replyBytes: limits.viewBytes)
        turns = SessionTurns(limits: limits)
        door = Door(limits: limits)
        feeds = try Feeds(
            backend: backend, itemCache: itemCache, tally: tally, timePerTurn: limits.timeForAll)
        turn = try TurnSource { [unowned self] in takeTurn() }
        reportTurn = try TurnSource { [unowned self] in advanceReports() }
    }

    /// Serves a new socket at `path`.
    package func listen(at path: String, mode: mode_t) throws(ReactorError) {
        add(try UnixListener(path: path, mode: mode) { [unowned self] in accept($0, $1) })
    }

    /// Serves a listening socket that a service manager passed. It is neither shut down nor removed, so that clients
    /// which connect while the daemon restarts wait for the next one.
    package func listen(adopting descriptor: Int32) throws(ReactorError) {
        add(try UnixListener(adopting: descriptor) { [unowned self] in accept($0, $1) })
    }

    /// Binds a socket whose file was removed anew: connections that there are stay. One that a service manager has passed
    /// goes on being listened on, too.
    ///
    /// - Returns: whether the file was missing.
    package func listenAgain(at path: String, mode: mode_t) throws(ReactorError) -> Bool {
        var status = stat()
        guard lstat(path, &status) != 0, errno == ENOENT else { return false }
        let listener = try UnixListener(path: path, mode: mode) { [unowned self] in accept($0, $1) }
        for old in listeners where old.path == path { old.close() }
        listeners.removeAll { $0.path == path }
        add(listener)
        return true
    }

    private func add(_ listener: UnixListener) {
        listener.onExhaustion = { [unowned self] in report(.exhausted("\($0)")) }
        listeners.append(listener)
    }

    /// Serves a widget its extension context on a connected socket: it acts as that widget alone. To be
    /// ended by what is returned, when its program has: a process that holds the other end then is unknown.
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
            return ServedContext(id: lastKey) { session.end() }
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
    /// position does; naming others costs a comparison and wakes no subscriber.
    package func announce(changed widgets: Set<WidgetID>) {
        guard !widgets.isEmpty else { return }
        replyCache.removeAll()
        itemCache.announce(widgets)
        feeds.markShowsChanged()
    }

    /// All widgets may be different.
    package func announceEverything() {
        replyCache.removeAll()
        itemCache.announceAll()
        feeds.markShowsChanged()
    }

    package func announce(defaultsOf group: AppGroup) {
        replyCache.removeAll()
        feeds.markChanged(defaultsOf: group)
    }

    /// Whether a client listens to events; if not, they need not be put into words.
    package var isMonitored: Bool { feeds.monitor != nil }

    package func announce(_ event: Event) {
        feeds.record(event)
    }

    func report(_ report: Report) {
        if reports.shouldReport(report.kind, at: .now) { onReport(report) }
    }

    func report(_ crowd: Admission.Crowd, of uid: uid_t) {
        if reports.shouldReport(.limit(uid), at: .now) { onReport(.limitReached(uid: uid, crowd.reason)) }
    }
}
