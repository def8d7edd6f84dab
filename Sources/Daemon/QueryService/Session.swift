// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TodayModel
import Varlink

/// One connection: calls come in, replies go out in the same order.
///
/// The next call is taken when the reply before is on its way: while a change is being made, while a stream runs and
/// while the client does not read, nothing more is read from it. So a connection never holds more than the rest of one
/// call and what one turn answered, whatever the client does.
@LoopActor
final class Session {
    /// What keeps the connection from taking the next call.
    enum Work {
        case none
        /// A reply that comes later; the number tells it from replies for which the client does not wait any more.
        case waiting(UInt64)
        case streaming(Feed, seen: UInt64)
    }

    /// What shares a turn: all connections of one process.
    enum Party: Hashable {
        case process(uid_t, pid_t)
        case widget(WidgetID)
    }

    let key: UInt64
    let party: Party
    let peer: PeerCredentials
    /// The widget whose extension context this is; nil for hosts and containing apps.
    let widget: WidgetID?
    unowned let service: QueryService
    let opened: BootTime
    let descriptor: Int32

    private(set) var work = Work.none
    /// Whether a call has ever come. A connection that has not called makes room for others first.
    var hasCalled = false
    private(set) var isClosed = false
    /// The client does not read its replies any more.
    var isUnheard = false
    /// Set while the session stands in the line of those to be told something.
    var isDue = false
    /// Set while the session waits for its turn.
    var isWaiting = false
    /// The socket has something to read, for which there was no time.
    private var isUnread = false

    var input: MessageFramer
    /// `input` may hold a whole call that was not taken yet.
    var holdsCall = false
    var output = OutputQueue()
    var source: IOSource?
    var waits: UInt64 = 0
    /// Called when the client does not wait for the reply any more.
    var onLeave: (@LoopActor () -> Void)?

    init(
        key: UInt64, descriptor: Int32, peer: PeerCredentials, widget: WidgetID? = nil, service: QueryService
    ) throws(ReactorError) {
        self.key = key
        self.widget = widget
        self.descriptor = descriptor
        self.peer = peer
        party = widget.map(Party.widget) ?? .process(peer.uid, peer.pid)
        self.service = service
        opened = .now
        input = MessageFramer(limit: service.limits.callBytes)
        source = try IOSource(descriptor: descriptor, events: .readable) { [weak self] in self?.handle($0) }
    }

    /// What the subscriber has seen of its feed.
    var seen: UInt64 { if case .streaming(_, let seen) = work { seen } else { Feed.nothingSeen } }

    private func handle(_ events: IOEvents) {
        service.beginTurn()
        let canGoOn = events.contains(.writable) || (events.contains(.readable) && isReady)
        if canGoOn, service.isBusy { return waitForTurn(isUnread: events.contains(.readable)) }
        if events.contains(.writable) { flush(isWritable: true) }
        if events.contains(.readable), isReady {
            if holdsCall { takeBuffered() } else { receive() }
        } else if !events.isDisjoint(with: [.hangup, .error]), isOwed {
            // It has left, and what it said before is still to be done. Reading then finds the end.
            watch([])
            if !output.isEmpty { stopReplying() }
            if case .none = work { service.resumeNextTurn(self) }
        } else if !events.isDisjoint(with: [.hangup, .error]) {
            // The client has left, and does not read what is being made.
            close()
        } else if events.contains(.readable) {
            // Too early for more; but that the client leaves is always news.
            watch(.hangup)
        }
    }

    /// Lets others go first; in the meantime only that the client leaves is news.
    private func waitForTurn(isUnread: Bool) {
        self.isUnread = self.isUnread || isUnread
        watch(.hangup)
        service.resumeNextTurn(self)
    }

    /// Reads what there was no time for.
    func receiveUnread() {
        guard isUnread else { return }
        isUnread = false
        receive()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        onLeave?()
        setWork(.none)
        service.waitingInput -= input.bufferedBytes
        input = MessageFramer()
        output.removeAll()
        source?.cancel()
        source = nil
        _ = Glibc.close(descriptor)
        service.forget(self)
    }

    /// Whether there may be calls that have come and are not begun, with nothing under way that has no end of itself.
    /// What has been begun is done, whether the client waits or not.
    private var isOwed: Bool {
        switch work {
        case .none: holdsCall || isWaiting || StreamSocket.hasUnread(descriptor)
        case .waiting: onLeave == nil && (holdsCall || StreamSocket.hasUnread(descriptor))
        case .streaming: false
        }
    }

    var isReady: Bool { if case .none = work { output.isEmpty && !isClosed } else { false } }

    func setWork(_ new: Work) {
        if case .streaming(let feed, _) = work {
            // A stream goes on with another version of its feed, or ends.
            if case .streaming = new {} else { service.feeds.remove(self, from: feed) }
        }
        work = new
    }

    func watch(_ events: IOEvents) {
        source?.events = events
    }
}
