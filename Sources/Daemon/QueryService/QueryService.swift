// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TodayModel
import Varlink

/// Turns bytes on Unix sockets into calls of methods, and changes into streams.
@LoopActor
package final class QueryService {
    let limits: QueryLimits
    let info: ServiceInfo
    unowned let backend: any Backend
    let itemCache: ItemCache
    let feeds: Feeds
    package internal(set) var methods: [String: Method] = [:]
    package internal(set) var contextMethods: [String: Method] = [:]

    /// The target of every read(2), shared by all connections, so that no connection keeps a buffer.
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var replyCache = ReplyCache()
    /// The bytes of incomplete calls on all connections.
    var waitingInput = 0
    /// The bytes of replies that are not written, of all connections.
    var waitingOutput = 0
    var turns: SessionTurns

    let contextInfo: ServiceInfo
    private let onTrouble: @LoopActor (ClientTrouble) -> Void
    private var troubleFilter = TroubleFilter()
    var listeners: [UnixListener] = []
    var admission: Admission
    var lastSession: SessionID = 0
    var sessions: [SessionID: Session] = [:]
    /// Lets the sessions that wait take their turns.
    private(set) var nextTurns: EndOfRound?
    var stopping: Stopping?

    /// - Parameters:
    ///   - backend: must outlive the service.
    ///   - info: its interfaces include `Interfaces.today`.
    package init(
        backend: any Backend, info: ServiceInfo, limits: QueryLimits = QueryLimits(),
        onTrouble: @escaping @LoopActor (ClientTrouble) -> Void = { _ in }
    ) throws(ReactorError) {
        self.backend = backend
        self.info = info
        self.limits = limits
        contextInfo = info.with(interfaces: [InterfaceText(Interfaces.extensionContext)])
        self.onTrouble = onTrouble
        itemCache = ItemCache(backend: backend, replyBytes: limits.viewBytes)
        turns = SessionTurns(limits: limits)
        admission = Admission(limits: limits)
        feeds = try Feeds(
            backend: backend, itemCache: itemCache, timePerRound: limits.timePerRound)
        nextTurns = try EndOfRound { [unowned self] in takeTurns() }
    }

    /// Serves a new socket at `path`.
    package func listen(at path: String, mode: mode_t) throws(ReactorError) {
        add(try UnixListener(path: path, mode: mode) { [unowned self] in accept($0, $1) })
    }

    /// Serves a listening socket that the service manager passed. The service neither shuts it down nor removes it, so
    /// clients that connect during a restart wait for the next daemon.
    package func listen(adopting descriptor: Int32) throws(ReactorError) {
        add(try UnixListener(adopting: descriptor) { [unowned self] in accept($0, $1) })
    }

    /// Binds a socket again whose file was removed. Existing connections stay open, and the service keeps listening on
    /// a socket that the service manager passed.
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

    /// Serves a widget its extension context on a connected socket. Calls on it act as that widget only. The caller
    /// ends the context when the widget's program ends, because another process may then hold the other end.
    package func serve(_ descriptor: OwnedDescriptor, contextOf widget: WidgetID) -> ServedContext? {
        // The session closes its own descriptor, like that of an accepted connection.
        let own = fcntl(descriptor.number, F_DUPFD_CLOEXEC, 3)
        guard own >= 0 else {
            report(.exhausted("no extension context for \(widget): \(String(cString: strerror(errno)))"))
            return nil
        }
        let peer = PeerCredentials(pid: 0, uid: getuid(), gid: getgid())
        lastSession += 1
        do throws(ReactorError) {
            let session = try Session(id: lastSession, descriptor: own, peer: peer, widget: widget, service: self)
            sessions[lastSession] = session
            return ServedContext(id: lastSession) { session.end() }
        } catch {
            _ = Glibc.close(own)
            report(.exhausted("\(error)"))
            return nil
        }
    }

    package var connectionCount: Int { sessions.count }
    package var subscriberCount: Int { feeds.subscriberCount }
    /// How many times an item was turned into JSON since the start.
    package var serialisationCount: Int { itemCache.serialisations }
}

/// An extension context that is served.
package struct ServedContext {
    package let id: SessionID
    package let end: @LoopActor () -> Void
}

// MARK: - What has changed

extension QueryService {
    /// Announces widgets that may have changed, appeared or gone. `widgets` must name every widget whose item differs,
    /// even if only its position does. Naming others costs a comparison and wakes no subscriber.
    package func announce(changed widgets: Set<WidgetID>) {
        guard !widgets.isEmpty else { return }
        replyCache.removeAll()
        itemCache.announce(widgets)
        feeds.markShowsChanged()
    }

    /// Announces that any widget may have changed.
    package func announceEverything() {
        replyCache.removeAll()
        itemCache.announceAll()
        feeds.markShowsChanged()
    }

    package func announce(_ feed: FleetFeed) { feeds.markChanged(feed) }

    package func announce(defaultsOf group: AppGroup) {
        replyCache.removeAll()
        feeds.markChanged(defaultsOf: group)
    }

    /// Whether a client listens to events. If none does, the caller need not build them.
    package var isMonitored: Bool { feeds.monitor != nil }

    package func announce(_ event: Event) {
        feeds.record(event)
    }

    func report(_ trouble: ClientTrouble) {
        if troubleFilter.letsThrough(trouble.kind, at: .now) { onTrouble(trouble) }
    }

    func report(_ reached: Admission.LimitReached, of uid: uid_t) {
        if troubleFilter.letsThrough(.limit(uid), at: .now) { onTrouble(.limitReached(uid: uid, reached.reason)) }
    }
}
