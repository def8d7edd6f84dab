// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TodayModel
import Varlink

/// One connection: reads calls and writes replies in the same order. `SessionState` decides what happens next; the
/// session reads, writes and answers.
@LoopActor
final class Session {
    /// The connections that share one turn: all those of one process, or of one widget.
    enum Party: Hashable {
        case process(uid_t, pid_t)
        case widget(WidgetID)
    }

    let id: SessionID
    let party: Party
    let peer: PeerCredentials
    /// The widget whose extension context this connection is; nil for hosts and containing apps.
    let widget: WidgetID?
    let opened: BootTime
    let descriptor: Int32
    private unowned let service: QueryService

    private(set) var state = SessionState()
    private(set) var input: CallInput
    private(set) var output = OutputQueue()
    private var source: IOSource?
    /// The feed that the client follows, and its version that the client has been sent.
    private var subscription: (feed: Feed, seen: UInt64)?
    /// For a subscriber that asks for heartbeats: when the next reply is due that only tells that the daemon is alive.
    private var heartbeat: (timer: TimerSource, interval: TimeSpan)?
    private var isBeatDue = false
    /// Numbers the awaited replies, so that one that comes too late is dropped.
    private var lastWait: UInt64 = 0
    /// Stops the work for the awaited reply. Called when the client leaves before it.
    private var stopWork: (@LoopActor () -> Void)?
    /// The number of calls that the session took in this turn.
    private var taken = 0
    /// Whether the session is in the queue of `Feeds`.
    var isDue = false

    init(
        id: SessionID, descriptor: Int32, peer: PeerCredentials, widget: WidgetID? = nil, service: QueryService
    ) throws(ReactorError) {
        self.id = id
        self.widget = widget
        self.descriptor = descriptor
        self.peer = peer
        party = widget.map(Party.widget) ?? .process(peer.uid, peer.pid)
        self.service = service
        opened = .now
        input = CallInput(limit: service.limits.callBytes)
        source = try IOSource(descriptor: descriptor, events: state.interest) { [unowned self] in notice($0) }
    }

    /// The version of the feed that the subscriber has been sent.
    var seen: UInt64 { subscription?.seen ?? Feed.nothingSeen }

    private func notice(_ events: IOEvents) {
        let service = service
        service.noteRound()
        if events.contains(.writable) {
            handle(.writable(isBusy: service.turns.isBusy), in: service)
        } else if events.contains(.readable) {
            handle(.readable(isBusy: service.turns.isBusy), in: service)
        } else {
            handle(.left(hasUnread: StreamSocket.hasUnread(descriptor)), in: service)
        }
    }

    /// Carries out the steps that follow from an event. The caller passes the service, because each access through an
    /// unowned reference costs two atomic operations.
    func handle(_ event: SessionState.Event, in service: QueryService) {
        var step = state.handle(event)
        while let result = carryOut(step, service) { step = state.handle(result) }
        guard !state.isClosed else { return }
        source?.events = state.interest
        if !state.hasTurn { endTurn(service) }
    }

    /// - Returns: the result of the step; nil at the end of the chain.
    private func carryOut(_ step: SessionState.Step, _ service: QueryService) -> SessionState.StepResult? {
        switch step {
        case .read: return read(service)
        case .take: return takeCall(service)
        case .tell: return tell(service)
        case .write: return write(service)
        case .endInput:
            StreamSocket.endInput(of: descriptor)
            return .endedInput
        case .standInLine: service.append(self)
        case .close: close(in: service)
        case .done: break
        }
        return nil
    }

    private func endTurn(_ service: QueryService) {
        taken = 0
        if state.replies == .unwanted { dropOutput(service) }
        let kept = input.keptBytes
        input.keep()
        service.waitingInput += input.keptBytes - kept
        if input.keptBytes > 0 { service.boundWaitingInput() }
    }

    /// Ends the connection because the widget's program has ended, or the service stops: answers the calls that have
    /// arrived, and closes unless the client awaits a reply. A client that `isNew` gets a moment to send its first call.
    func end(isNew: Bool = false) {
        let service = service
        service.noteRound()
        handle(.ended(isNew: isNew), in: service)
    }

    func close() { close(in: service) }

    private func close(in service: QueryService) {
        guard !state.isClosed else { return }
        _ = state.handle(.closed)
        stopWork?()
        stopWork = nil
        unsubscribe(service)
        service.waitingInput -= input.keptBytes
        input = CallInput(limit: 0)
        dropOutput(service)
        source?.cancel()
        source = nil
        _ = Glibc.close(descriptor)
        service.forget(self)
    }
}

// MARK: - Reading and writing

extension Session {
    private func read(_ service: QueryService) -> SessionState.StepResult {
        switch StreamSocket.receive(from: descriptor, into: &service.buffer) {
        case .bytes(let count):
            let kept = input.keptBytes
            input.append(service.buffer[..<count])
            service.waitingInput += input.keptBytes - kept
            return .received
        case .nothing: return .receivedNothing
        // The client has closed its half, and all its calls are answered, because the socket is read only then. Or the
        // client is gone (ECONNRESET and similar), which is not an error of the daemon.
        case .end, .failed: return .receivedEnd
        }
    }

    private func takeCall(_ service: QueryService) -> SessionState.StepResult {
        let kept = input.keptBytes
        let call: CallInput.Call?
        do throws(FramingError) {
            call = try input.next()
        } catch {
            return violated("\(error)", service)
        }
        service.waitingInput += input.keptBytes - kept
        if let reason = violation(byCallOf: call?.bytes.count ?? input.byteCount, service) {
            return violated(reason, service)
        }
        guard let call else { return .foundNoCall }
        taken += 1
        do throws(VarlinkProtocolError) {
            try service.answer(call, of: self)
        } catch {
            return violated("\(error)", service)
        }
        if input.byteCount == 0 { return .tookAll }
        return .took(isOver: isTurnOver(service), isFull: output.byteCount >= service.limits.gatheredBytes)
    }

    private func isTurnOver(_ service: QueryService) -> Bool {
        taken >= service.limits.callsPerTurn || BootTime.now > service.turns.time + service.turns.share
    }

    /// Why a call of this length is not allowed; nil if it is.
    private func violation(byCallOf count: Int, _ service: QueryService) -> String? {
        let limits = service.limits
        if count > limits.callBytes { return "\(FramingError(limit: limits.callBytes))" }
        guard count > limits.readerCallBytes, widget == nil, !service.backend.mayChange(.anything, peer: peer) else {
            return nil
        }
        return "\(FramingError(limit: limits.readerCallBytes)) from a client that may change nothing"
    }

    private func violated(_ reason: String, _ service: QueryService) -> SessionState.StepResult {
        service.report(.protocolViolation(uid: peer.uid, pid: peer.pid, reason))
        return .violated
    }

    /// Writes as much as the socket takes.
    private func write(_ service: QueryService) -> SessionState.StepResult {
        while let (bytes, offset) = output.next(gathering: service.limits.gatheredBytes) {
            switch StreamSocket.send(bytes, from: offset, to: descriptor) {
            case .failed: return .failedToWrite(hasUnread: StreamSocket.hasUnread(descriptor))
            case .bytes(let count):
                output.consume(count)
                service.waitingOutput -= count
                if count < bytes.count - offset {
                    service.boundWaitingOutput()
                    return .wroteSome
                }
            }
        }
        return .wrote
    }

    /// Queues a reply, unless the client no longer reads.
    func append(_ frame: Frame) {
        guard state.gather() else { return }
        output.append(frame)
        service.waitingOutput += frame.count
    }

    private func dropOutput(_ service: QueryService) {
        service.waitingOutput -= output.byteCount
        output = OutputQueue()
    }
}

// MARK: - Streams

extension Session {
    /// Sends a subscriber the difference to the newest version.
    private func tell(_ service: QueryService) -> SessionState.StepResult {
        guard let (feed, seen) = subscription else { return .told(isFinished: true) }
        guard seen < feed.version || isBeatDue else { return .told(isFinished: false) }
        let news = seen < feed.version ? feed.frame(since: seen) : nil
        subscription?.seen = feed.version
        if let frame = news ?? dueBeat(service) {
            append(frame)
            armHeartbeat()
        }
        if feed.isFinished { unsubscribe(service) }
        return .told(isFinished: feed.isFinished)
    }

    func subscribe(to feed: Feed, heartbeat interval: TimeSpan? = nil) {
        subscription = (feed, Feed.nothingSeen)
        feed.add(self)
        state.begin(.stream(hasNews: true))
        guard let interval, let timer = try? TimerSource(.monotonic, onFire: { [unowned self] in beat() }) else {
            return
        }
        heartbeat = (timer, interval)
    }

    /// The first beat is counted from the first reply, and each later one from the reply before it.
    private func armHeartbeat() {
        isBeatDue = false
        guard let (timer, interval) = heartbeat else { return }
        timer.arm(after: interval.microseconds, slack: interval.microseconds / 10)
    }

    private func dueBeat(_ service: QueryService) -> Frame? {
        isBeatDue ? ItemsReply([]).encoded(continues: true) : nil
    }

    private func beat() {
        isBeatDue = true
        service.noteRound()
        handle(.news, in: service)
    }

    private func unsubscribe(_ service: QueryService) {
        heartbeat?.timer.cancel()
        heartbeat = nil
        guard let (feed, _) = subscription else { return }
        subscription = nil
        service.feeds.remove(self, from: feed)
    }

    /// Checks whether the feed has a newer version for this subscriber.
    func deliver() { handle(.news, in: service) }
}

// MARK: - Replies that come later

extension Session {
    /// - Parameter isStoppable: whether a client that leaves stops the work for the reply.
    /// - Returns: the number of the reply that the session awaits from now on.
    func beginWait(isStoppable: Bool = false) -> UInt64 {
        lastWait += 1
        state.begin(.reply(lastWait, isStoppable: isStoppable))
        return lastWait
    }

    /// Calls `stop` when the client leaves before the reply. Does nothing if the reply has already come.
    func onLeave(before wait: UInt64, call stop: @escaping @LoopActor () -> Void) {
        if state.isAwaiting(wait) { stopWork = stop }
    }

    /// Queues the reply. Drops a reply that the client no longer awaits.
    func endWait(_ wait: UInt64, with frame: @autoclosure () -> Frame?) {
        guard state.isAwaiting(wait) else { return }
        stopWork = nil
        if let frame = frame() { append(frame) }
        handle(.replied, in: service)
    }
}
