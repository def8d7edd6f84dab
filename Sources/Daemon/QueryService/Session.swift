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
        /// A reply that comes later; the number tells it from those which nobody waits for any more.
        case waiting(UInt64)
        case streaming(Feed, seen: UInt64)
    }

    let key: UInt64
    let peer: PeerCredentials
    unowned let service: QueryService
    let opened: BootTime
    private let descriptor: Int32

    private(set) var work = Work.none
    /// Whether a call has ever come. Who has not called makes room for others first.
    private(set) var hasCalled = false
    private(set) var isClosed = false
    /// Set while the session stands in the service's queue of those to be told something.
    var isDue = false

    private var input: MessageFramer
    /// `input` may hold a whole call that was not taken yet.
    private var holdsCall = false
    private var output = OutputQueue()
    private var source: IOSource?
    private var waits: UInt64 = 0

    init(key: UInt64, descriptor: Int32, peer: PeerCredentials, service: QueryService) throws(ReactorError) {
        self.key = key
        self.descriptor = descriptor
        self.peer = peer
        self.service = service
        opened = .now
        input = MessageFramer(limit: service.limits.callBytes)
        source = try IOSource(descriptor: descriptor, events: .readable) { [weak self] in self?.handle($0) }
    }

    /// What the subscriber has seen of its feed.
    var seen: UInt64 { if case .streaming(_, let seen) = work { seen } else { Feed.nothingSeen } }

    private func handle(_ events: IOEvents) {
        service.beginTurn()
        if events.contains(.writable) { flush() }
        guard !isClosed else { return }
        if events.contains(.readable), isReady {
            if holdsCall { takeBuffered() } else { receive() }
        } else if !events.isDisjoint(with: [.hangup, .error]) {
            // Nobody is there to read what is being made.
            close()
        } else if events.contains(.readable) {
            // Too early for more; but that the client leaves is always news.
            watch(.hangup)
        }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        setWork(.none)
        service.waitingInput -= input.bufferedBytes
        input = MessageFramer()
        output = OutputQueue()
        source?.cancel()
        source = nil
        _ = Glibc.close(descriptor)
        service.forget(self)
    }

    private var isReady: Bool { if case .none = work { output.isEmpty && !isClosed } else { false } }

    private func setWork(_ new: Work) {
        if case .streaming(let feed, _) = work {
            if case .streaming(let other, _) = new, other === feed {} else { service.feeds.remove(self, from: feed) }
        }
        work = new
    }

    private func watch(_ events: IOEvents) {
        source?.events = events
    }
}

// MARK: - Calls

extension Session {
    /// One read(2). Nearly always it brings one whole call, which is then taken from where it was read to.
    func receive() {
        switch StreamSocket.receive(from: descriptor, into: &service.buffer) {
        case .bytes(let count):
            if input.bufferedBytes == 0 {
                take(service.buffer, count: count)
            } else {
                keep(service.buffer[..<count])
                takeBuffered()
            }
        case .nothing: return
        // The client has nothing more to say; whatever it said is answered, or the socket would not be read. Or it is
        // gone (ECONNRESET and its like), and that is its right.
        case .end, .failed: close()
        }
    }

    private func take(_ bytes: [UInt8], count: Int) {
        var start = 0
        var left = service.limits.callsPerTurn
        while canTakeMore, left > 0, let scan = CallScan(bytes, from: start, to: count) {
            answer(bytes[start..<scan.end], hash: scan.hash)
            start = scan.end + 1
            left -= 1
        }
        guard !isClosed else { return }
        if start < count {
            // Either the beginning of a call, or whole calls for which it is too early.
            holdsCall = !canTakeMore || left == 0
            keep(bytes[start..<count])
        }
        finishTurn()
    }

    /// Takes the calls that have been read already, up to the bound of a turn.
    func takeBuffered() {
        guard !isClosed else { return }
        holdsCall = true
        var left = service.limits.callsPerTurn
        while holdsCall, canTakeMore, left > 0 {
            let before = input.bufferedBytes
            let call: [UInt8]?
            do throws(FramingError) {
                call = try input.next()
            } catch {
                return violate("\(error)")
            }
            service.waitingInput -= before - input.bufferedBytes
            holdsCall = call != nil
            if let call { answer(call[...], hash: CallScan.hash(of: call)) }
            left -= 1
        }
        finishTurn()
    }

    private var canTakeMore: Bool {
        guard case .none = work, !isClosed else { return false }
        if output.byteCount >= service.limits.gatheredBytes { flush() }
        return !isClosed && output.byteCount < service.limits.gatheredBytes
    }

    private func keep(_ bytes: ArraySlice<UInt8>) {
        input.append(bytes)
        service.waitingInput += bytes.count
        if service.waitingInput > service.limits.waitingInputBytes {
            service.report(.limitReached(uid: peer.uid, "too many calls that are not complete"))
            close()
        }
    }

    private func finishTurn() {
        guard !isClosed else { return }
        flush()
        guard isReady else { return }
        if holdsCall {
            service.resumeNextTurn(self)
        } else if service.isStopping {
            close()
        }
    }

    private func answer(_ bytes: ArraySlice<UInt8>, hash: UInt64) {
        hasCalled = true
        guard bytes.count <= service.limits.callBytes else {
            return violate("\(FramingError(limit: service.limits.callBytes))")
        }
        if let reply = service.answers.reply(to: bytes, hash: hash, now: service.turnTime.microseconds) {
            return output.append(reply)
        }
        let message = Array(bytes)
        let call: VarlinkCall
        do throws(VarlinkProtocolError) {
            call = try VarlinkCall(parsing: message)
        } catch {
            return violate("\(error)")
        }
        perform(call, message, hash)
    }

    private func violate(_ reason: String) {
        service.report(.protocolViolation(uid: peer.uid, pid: peer.pid, reason))
        // What was answered before is owed to the client.
        flush()
        close()
    }

    private func perform(_ call: VarlinkCall, _ message: [UInt8], _ hash: UInt64) {
        let answer: Answer
        do throws(VarlinkError) {
            answer = try service.answer(to: call, from: peer)
        } catch {
            return reply(VarlinkReply(error), to: call)
        }
        switch answer {
        case .parameters(let parameters):
            reply(VarlinkReply(parameters), to: call)
        case .bytes(let parameters, let validUntil):
            guard !call.oneway else { return }
            let frame = service.frame(VarlinkReply.encode(parametersBytes: parameters, continues: false))
            service.keep(frame, for: message, hash: hash, validUntil: validUntil)
            output.append(frame)
        case .later(let start):
            wait(for: start, call)
        case .stream(let feed):
            setWork(.streaming(feed, seen: Feed.nothingSeen))
            feed.add(self)
            flush()
            deliver()
        }
    }

    private func reply(_ reply: VarlinkReply, to call: VarlinkCall) {
        if !call.oneway { output.append(service.frame(reply.encoded())) }
    }

    private func wait(for start: Answer.Start, _ call: VarlinkCall) {
        guard !call.oneway else { return start { _ in } }
        waits += 1
        let wait = waits
        setWork(.waiting(wait))
        start { [weak self] result in self?.finish(wait, result) }
    }

    private func finish(_ wait: UInt64, _ result: Result<JSONObject, Refusal>) {
        guard case .waiting(wait) = work else { return }
        setWork(.none)
        let reply =
            switch result {
            case .success(let parameters): VarlinkReply(parameters)
            case .failure(let refusal): VarlinkReply(service.error(for: refusal))
            }
        output.append(service.frame(reply.encoded()))
        service.resumeNextTurn(self)
    }
}

// MARK: - Replies

extension Session {
    /// Goes on where a turn ended, a reply was awaited or the client did not read.
    func resume() {
        flush()
        deliver()
        guard isReady else { return }
        watch(.readable)
        if holdsCall {
            takeBuffered()
        } else if service.isStopping {
            close()
        }
    }

    /// Answers what has arrived by now, and closes unless something is under way. A client which has only just
    /// connected is given a moment to say what it wants.
    func wrapUp(sparingThoseSince recently: BootTime) {
        if case .streaming = work { return close() }
        if isReady {
            if holdsCall { takeBuffered() } else { receive() }
        }
        if isReady, !holdsCall, hasCalled || opened < recently { close() }
    }

    /// Brings a subscriber up to date, unless it still has something to read: then it will be when it has read that.
    func deliver() {
        guard case .streaming(let feed, let seen) = work, output.isEmpty, seen < feed.version else { return }
        let frame = feed.frame(since: seen)
        setWork(feed.isFinished ? .none : .streaming(feed, seen: feed.version))
        guard let frame else { return }
        output.append(frame)
        flush()
        if isReady { service.resumeNextTurn(self) }
    }

    /// Writes what the socket takes.
    func flush() {
        guard !isClosed else { return }
        while let (bytes, offset) = output.next(gathering: service.limits.gatheredBytes) {
            switch StreamSocket.send(bytes, from: offset, to: descriptor) {
            case .failed:
                return close()
            case .bytes(let count):
                output.consume(count)
                if count < bytes.count - offset { return waitUntilWritable() }
            }
        }
        if source?.events == .writable {
            watch(.readable)
            service.resumeNextTurn(self)
        }
    }

    private func waitUntilWritable() {
        watch(.writable)
        if service.tally.bytes > service.limits.waitingOutputBytes {
            service.report(.limitReached(uid: peer.uid, "too many replies that are not read"))
            close()
        }
    }
}
