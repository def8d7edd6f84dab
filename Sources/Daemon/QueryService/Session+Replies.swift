// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

extension Session {
    /// Goes on where a turn ended, a reply was awaited or the client did not read.
    func resume() {
        flush()
        deliver()
        guard isReady else { return }
        if holdsCall { return takeBuffered() }
        watch(.readable)
        receiveUnread()
    }

    /// Answers what has arrived by now, and closes unless something is under way. A client which has only just
    /// connected is given a moment to say what it wants.
    func wrapUp(sparingThoseSince recently: BootTime) {
        if case .streaming = work {
            // The answer of a run that was ended in this turn has not been told yet.
            deliver()
            return close()
        }
        if hasCalled || opened < recently { StreamSocket.endInput(of: descriptor) }
        service.beginTurn()
        if isReady {
            if holdsCall { takeBuffered() } else { receive() }
        }
    }

    /// Answers what has arrived by now, and closes: the program that could say more has ended.
    func leave() { wrapUp(sparingThoseSince: BootTime(microseconds: .max)) }

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

    /// Writes what the socket takes, unless it is known to take nothing.
    func flush(isWritable: Bool = false) {
        guard !isClosed, isWritable || source?.events != .writable else { return }
        if isUnheard { output.removeAll() }
        while let (bytes, offset) = output.next(gathering: service.limits.gatheredBytes) {
            switch StreamSocket.send(bytes, from: offset, to: descriptor) {
            case .failed:
                return stopReplying()
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

    /// The client does not read its replies any more. What it has said before is done all the same.
    func stopReplying() {
        if case .streaming = work { return close() }
        guard holdsCall || StreamSocket.hasUnread(descriptor) else { return close() }
        isUnheard = true
        output.removeAll()
        service.resumeNextTurn(self)
    }

    private func waitUntilWritable() {
        watch(.writable)
        service.boundWaitingOutput()
    }
}
