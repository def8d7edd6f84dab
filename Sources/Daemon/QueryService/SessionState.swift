// SPDX-License-Identifier: MIT
import Reactor

/// Decides what a connection does next from what has happened to it. It has no socket.
///
/// The session passes each event and carries out the step that comes back. It passes the result of that step, and so on,
/// until a step ends the chain. The session then watches its socket for `interest`.
///
/// The session reads the next call only after the socket has taken the previous reply. It reads nothing while a change
/// is being made, while a stream runs and while the client does not read. So a connection never holds more than part of
/// one call and the replies of one turn, whatever the client does.
struct SessionState: Equatable {
    /// What keeps the session from taking the next call.
    enum Work: Equatable {
        case none
        /// The backend gives the reply later. The number tells it from replies that the client no longer awaits.
        case reply(UInt64, isStoppable: Bool)
        /// The client follows a feed. `hasNews`: the feed may have a version that the client has not been sent.
        case stream(hasNews: Bool)
    }

    /// What the session does with replies.
    enum Replies: Equatable {
        case none
        /// They have not been offered to the socket yet. The session may take more calls first.
        case gathered
        /// The session writes them before it takes the next call.
        case due
        /// The socket's buffer is full.
        case blocked
        /// The client no longer reads. The session still carries out the calls that the client sent before.
        case unwanted
    }

    /// Where calls may be that the session has not taken yet.
    struct Untaken: OptionSet {
        let rawValue: UInt8

        /// In the bytes that have been read.
        static let read = Untaken(rawValue: 1)
        /// In the socket.
        static let unread = Untaken(rawValue: 2)
    }

    /// How the session comes to its end.
    enum End: Equatable {
        case none
        /// It begins once the client has sent its first call.
        case afterFirstCall
        /// The client can send no more: the session answers what has arrived, and then closes.
        case inputEnded
        /// The session offers the replies to the socket once, and then closes.
        case closing
        case closed
    }

    enum Event: Equatable {
        /// The socket has bytes to read, or the client has closed its half. While the service is busy, the session
        /// waits for its turn.
        case readable(isBusy: Bool)
        case writable(isBusy: Bool)
        /// The client has closed both halves of the connection. The socket may still hold calls from it.
        case left(hasUnread: Bool)
        /// The session's turn has come in the line where it waited.
        case turn
        /// The feed may have a new version.
        case news
        /// The awaited reply has come.
        case replied
        /// The widget's program has ended, or the service stops. A client that `isNew` gets a moment to send its first
        /// call.
        case ended(isNew: Bool)
        case closed
    }

    enum Step: Equatable {
        case read
        /// Take one call from the bytes that have been read.
        case take
        /// Send a subscriber the changes.
        case tell
        case write
        /// Shut down the reading half: the session reads what has arrived, to its end.
        case endInput
        // The following steps end the chain.
        case close
        case standInLine
        case done
    }

    /// What a step has brought.
    enum StepResult: Equatable {
        case received
        case receivedNothing
        case receivedEnd
        /// The session answered or began one call, and there may be more. `isOver`: the turn is over. `isFull`: so many
        /// replies wait that the session writes them first.
        case took(isOver: Bool, isFull: Bool)
        /// The same, and there are no more calls.
        case tookAll
        case foundNoCall
        /// The client broke the protocol.
        case violated
        case told(isFinished: Bool)
        case wrote
        case wroteSome
        case failedToWrite(hasUnread: Bool)
        case endedInput
    }

    private(set) var work = Work.none
    private(set) var replies = Replies.none
    private var untaken: Untaken = []
    private var end = End.none
    /// The events to watch the socket for. Each change is a system call, so the value stays unless another one is better.
    private(set) var interest: IOEvents = .readable

    /// Whether the client has sent a call.
    private(set) var hasCalled = false
    /// The client has closed both halves of the connection.
    private var hasLeft = false
    /// The session may take calls until its turn is over.
    private(set) var hasTurn = false
    /// The session waits for its next turn. It may do so while it has one.
    private var standsInLine = false

    var isClosed: Bool { end == .closed }

    func isAwaiting(_ number: UInt64) -> Bool {
        if case .reply(number, _) = work { !isClosed } else { false }
    }

    /// Notes that the session began a call whose reply comes later, or a stream.
    mutating func begin(_ work: Work) { self.work = work }

    /// Notes that a reply is ready to be written.
    ///
    /// - Returns: whether the client may still read it.
    mutating func gather() -> Bool {
        guard replies != .unwanted, !isClosed else { return false }
        if replies == .none { replies = .gathered }
        return true
    }
}

// MARK: - What has happened

extension SessionState {
    mutating func handle(_ event: Event) -> Step {
        guard !isClosed else { return .done }
        switch event {
        case .readable(let isBusy): return readable(isBusy)
        case .writable(let isBusy):
            guard replies == .blocked else { return .done }
            replies = .due
            return isBusy ? waitForTurn() : next()
        case .left(let hasUnread): return left(hasUnread)
        case .turn:
            standsInLine = false
            hasTurn = true
            if replies == .gathered { replies = .due }
            return next()
        case .news:
            if work.isStream { work = .stream(hasNews: true) }
            return next()
        case .replied:
            work = .none
            return standInLine()
        case .ended(let isNew): return ended(isNew)
        case .closed:
            end = .closed
            return .done
        }
    }

    mutating func handle(_ result: StepResult) -> Step {
        guard !isClosed else { return .done }
        switch result {
        case .received:
            untaken.insert(.read)
        case .receivedNothing:
            hasTurn = false
        case .receivedEnd: return .close
        case .took(let isOver, let isFull):
            hasCalled = true
            if isOver { hasTurn = false }
            if isFull, replies == .gathered { replies = .due }
        case .tookAll:
            hasCalled = true
            untaken.remove(.read)
            hasTurn = false
        case .foundNoCall:
            untaken.remove(.read)
            hasTurn = false
        case .violated:
            end = .closing
        case .told(let isFinished):
            work = isFinished ? .none : .stream(hasNews: false)
        case .wrote:
            replies = .none
        case .wroteSome:
            replies = .blocked
        case .failedToWrite(let hasUnread): return goOnWithoutReader(hasUnread, isSure: true)
        case .endedInput:
            end = .inputEnded
            hasTurn = isReady
            if isReady { untaken.insert(.unread) } else { untaken.remove(.unread) }
        }
        return next()
    }

    private mutating func readable(_ isBusy: Bool) -> Step {
        guard isReady else {
            // The session takes no call yet, but it must notice when the client leaves.
            watchForEnd()
            return .done
        }
        untaken.insert(.unread)
        if isBusy { return waitForTurn() }
        hasTurn = true
        return next()
    }

    /// The client has left. The session carries out the calls that the client sent before, but ends work that only this
    /// client needs.
    private mutating func left(_ hasUnread: Bool) -> Step {
        hasLeft = true
        switch work {
        case .none, .reply(_, isStoppable: false): return goOnWithoutReader(hasUnread, isSure: replies != .none)
        case .reply, .stream: return .close
        }
    }

    /// Carries out the remaining calls without writing replies, or closes if none is left. When `isSure` is false, the client
    /// may still read, and a failed write will tell.
    private mutating func goOnWithoutReader(_ hasUnread: Bool, isSure: Bool) -> Step {
        if hasUnread { untaken.insert(.unread) } else { untaken.remove(.unread) }
        guard !work.isStream, end != .closing, !untaken.isEmpty else { return .close }
        if isSure { replies = .unwanted }
        hasTurn = false
        watchForEnd()
        return work == .none ? standInLine() : .done
    }

    private mutating func ended(_ isNew: Bool) -> Step {
        if work.isStream {
            // A run that ended in this round has an answer that the subscriber has not received yet.
            work = .stream(hasNews: true)
            end = .closing
            return next()
        }
        if isNew, !hasCalled {
            end = .afterFirstCall
            guard isReady else { return .done }
            hasTurn = true
            untaken.insert(.unread)
            return next()
        }
        return .endInput
    }
}

// MARK: - What follows

extension SessionState {
    /// Whether the session may take calls when its turn comes.
    private var isReady: Bool { work == .none && (replies == .none || replies == .unwanted) }

    /// Whether the session closes as soon as nothing is left to write. A stream never ends by itself.
    private var closes: Bool { end == .closing || work.isStream && (end != .none || replies == .unwanted) }

    private mutating func next() -> Step {
        let takesCall = hasTurn && untaken.contains(.read) && work == .none && end != .closing
        switch replies {
        case .due: return .write
        case .gathered: if !takesCall { return .write }
        case .blocked:
            hasTurn = false
            if closes { return .close }
            interest = .writable
            return .done
        case .none: if work == .stream(hasNews: true) { return .tell }
        case .unwanted: break
        }
        if closes { return .close }
        guard work == .none else {
            hasTurn = false
            if interest == .writable { interest = .readable }
            return .done
        }
        if takesCall { return .take }
        if hasTurn, untaken.contains(.unread) {
            untaken.remove(.unread)
            return .read
        }
        hasTurn = false
        // More calls of this client must not take the turns of others.
        if !untaken.isEmpty { return waitForTurn() }
        if end == .afterFirstCall, hasCalled { return .endInput }
        interest = .readable
        return .done
    }

    private mutating func waitForTurn() -> Step {
        watchForEnd()
        return standInLine()
    }

    private mutating func standInLine() -> Step {
        if standsInLine { return .done }
        standsInLine = true
        return .standInLine
    }

    /// Watches only for the end of the connection. epoll(7) reports it again and again, so the session stops watching
    /// after the first report.
    private mutating func watchForEnd() { interest = hasLeft ? [] : .hangup }
}

extension SessionState.Work {
    var isStream: Bool { if case .stream = self { true } else { false } }
}
