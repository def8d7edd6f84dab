// SPDX-License-Identifier: MIT
import Reactor

/// Decides what a connection does next from what has happened to it. It has no socket.
///
/// The session passes each event and carries out the step that comes back. The step's result is the next event, until a
/// step ends the chain. The session then watches its socket for `interest`.
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
        case stream
    }

    /// What the session does with replies.
    enum Replies: Equatable {
        case none
        /// They have not been offered to the socket yet.
        case gathered
        /// The socket's buffer is full.
        case blocked
        /// The client no longer reads. The session still carries out the calls that the client sent before.
        case unwanted
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
        /// The widget's program has ended, or the service stops. The service spares a client that has just connected:
        /// the client gets a moment to send its first call.
        case ended(isSpared: Bool)
        case closed

        // The results of steps.
        case endedInput
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
        case rest
    }

    private(set) var work = Work.none
    private(set) var replies = Replies.none
    /// The events to watch the socket for. Each change is a system call, so the value stays where another would be no
    /// better.
    private(set) var interest: IOEvents = .readable
    /// Whether the client has sent a call. Connections without one are the first that make room for others.
    private(set) var hasCalled = false
    private(set) var isClosed = false
    /// The session may take calls until its turn is over.
    private(set) var hasTurn = false

    private var standsInLine = false
    /// The bytes that have been read may hold a whole call.
    private var holdsCall = false
    /// The socket has bytes to read.
    private var isUnread = false
    /// The session writes the replies before it takes the next call.
    private var writesFirst = false
    private var hasNews = false
    private var hasLeft = false
    /// The session offers the replies to the socket once and then closes the connection.
    private var isClosing = false
    private var ending = Ending.none

    private enum Ending { case none, spared, ended }

    mutating func handle(_ event: Event) -> Step {
        guard !isClosed else { return .rest }
        switch event {
        case .readable(let isBusy): return readable(isBusy)
        case .writable(let isBusy):
            guard replies == .blocked else { return .rest }
            replies = .gathered
            if isBusy { return waitForTurn() }
        case .left(let hasUnread): return left(hasUnread)
        case .turn:
            standsInLine = false
            hasTurn = true
            writesFirst = replies == .gathered
        case .news:
            hasNews = work == .stream
        case .replied:
            work = .none
            return standInLine()
        case .ended(let isSpared): return ended(isSpared)
        case .endedInput:
            ending = .ended
            hasTurn = isReady
            isUnread = isReady
        case .received:
            holdsCall = true
        case .receivedNothing:
            hasTurn = false
        case .receivedEnd: return .close
        case .took(let isOver, let isFull):
            hasCalled = true
            if isOver { hasTurn = false }
            if isFull { writesFirst = true }
        case .tookAll:
            hasCalled = true
            holdsCall = false
            hasTurn = false
        case .foundNoCall:
            holdsCall = false
            hasTurn = false
        case .violated:
            isClosing = true
        case .told(let isFinished):
            hasNews = false
            if isFinished { work = .none }
        case .wrote:
            replies = .none
            writesFirst = false
        case .wroteSome:
            replies = .blocked
        case .failedToWrite(let hasUnread): return goOnWithoutReader(hasUnread, isSure: true)
        case .closed:
            isClosed = true
            return .rest
        }
        return next()
    }

    /// Notes that the session began a call whose reply comes later, or a stream.
    mutating func begin(_ work: Work) {
        self.work = work
        hasNews = work == .stream
    }

    /// Notes that a reply is ready to be written.
    ///
    /// - Returns: whether the client may still read it.
    mutating func gather() -> Bool {
        guard replies != .unwanted, !isClosed else { return false }
        if replies == .none { replies = .gathered }
        return true
    }

    func isAwaiting(_ number: UInt64) -> Bool {
        if case .reply(number, _) = work { !isClosed } else { false }
    }
}

extension SessionState {
    /// Whether the session may take calls when its turn comes.
    private var isReady: Bool { work == .none && (replies == .none || replies == .unwanted) }

    private mutating func readable(_ isBusy: Bool) -> Step {
        guard isReady else {
            // The session takes no call yet, but it must notice when the client leaves.
            watchForEnd()
            return .rest
        }
        isUnread = true
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

    /// Carries out the remaining calls without writing replies, or closes where none is left. When `isSure` is false,
    /// the client may still read, and a failed write will tell.
    private mutating func goOnWithoutReader(_ hasUnread: Bool, isSure: Bool) -> Step {
        guard work != .stream, !isClosing, holdsCall || hasUnread else { return .close }
        if isSure { replies = .unwanted }
        isUnread = hasUnread
        hasTurn = false
        watchForEnd()
        return work == .none ? standInLine() : .rest
    }

    private mutating func ended(_ isSpared: Bool) -> Step {
        if work == .stream {
            // A run that ended in this turn has an answer that the subscriber has not got yet.
            hasNews = true
            isClosing = true
            return next()
        }
        if isSpared, !hasCalled {
            ending = .spared
            guard isReady else { return .rest }
            hasTurn = true
            isUnread = true
            return next()
        }
        return .endInput
    }

    private mutating func next() -> Step {
        let takesCall = hasTurn && holdsCall && work == .none && !isClosing
        // A stream never ends by itself.
        let closes = isClosing || (work == .stream && (ending != .none || replies == .unwanted))
        if replies == .gathered, !takesCall || writesFirst { return .write }
        if replies == .blocked {
            hasTurn = false
            if closes { return .close }
            interest = .writable
            return .rest
        }
        if hasNews, replies == .none { return .tell }
        if closes { return .close }
        guard work == .none else {
            hasTurn = false
            if interest == .writable { interest = .readable }
            return .rest
        }
        if takesCall { return .take }
        if hasTurn, isUnread {
            isUnread = false
            return .read
        }
        hasTurn = false
        // More calls of this client must not take the turns of others.
        if holdsCall || isUnread { return waitForTurn() }
        if ending == .spared, hasCalled { return .endInput }
        interest = .readable
        return .rest
    }

    private mutating func waitForTurn() -> Step {
        watchForEnd()
        return standInLine()
    }

    private mutating func standInLine() -> Step {
        if standsInLine { return .rest }
        standsInLine = true
        return .standInLine
    }

    /// Watches only for the end of the connection. epoll(7) reports it again and again, so the session stops watching
    /// after the first report.
    private mutating func watchForEnd() { interest = hasLeft ? [] : .hangup }
}
