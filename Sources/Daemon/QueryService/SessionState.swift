// SPDX-License-Identifier: MIT
import Reactor

/// What a connection does next, decided from what has happened to it, without a socket.
///
/// Each event is answered with one step, and what comes of the step is the next event, until a step ends the chain. The
/// session then watches its socket for `interest`.
///
/// The next call is taken when the reply before is on its way: while a change is being made, while a stream runs and
/// while the client does not read, nothing more is read from it. So a connection never holds more than the rest of one
/// call and what one turn answered, whatever the client does.
struct SessionState: Equatable {
    /// What keeps the connection from taking the next call.
    enum Work: Equatable {
        case none
        /// A reply that comes later. The number tells it from replies for which the client does not wait any more.
        case reply(UInt64, isStoppable: Bool)
        case stream
    }

    /// What becomes of replies.
    enum Replies: Equatable {
        case none
        /// They have not been offered to the socket yet.
        case gathered
        /// The socket takes no more for now.
        case blocked
        /// The client does not read any more. Calls that it made before are carried out all the same.
        case unwanted
    }

    enum Event: Equatable {
        /// The socket has something to read, or its end. While the service is busy, the session waits for its turn.
        case readable(isBusy: Bool)
        case writable(isBusy: Bool)
        /// The client has closed both halves of the connection. It may have said something before.
        case left(hasUnread: Bool)
        /// The turn for which the session stood in line has come.
        case turn
        /// The feed has something new.
        case news
        /// A reply that was awaited has come.
        case replied
        /// The program that could say more has ended, or the service stops. A client that has only just connected is
        /// spared: it is given a moment to say what it wants.
        case ended(isSpared: Bool)
        case closed

        // What came of a step.
        case endedInput
        case received
        case receivedNothing
        case receivedEnd
        /// One call was answered or begun, and there may be more. The turn may be over, or there may be so many replies
        /// that they are written first.
        case took(isOver: Bool, isFull: Bool)
        /// The same, and there are no more.
        case tookAll
        case foundNoCall
        /// The client has said what no client may say.
        case violated
        case told(isFinished: Bool)
        case wrote
        case wroteSome
        case failedToWrite(hasUnread: Bool)
    }

    enum Step: Equatable {
        case read
        /// Take one call from what has been read.
        case take
        /// Tell a subscriber what is new.
        case tell
        case write
        /// Take no more from the client: what has arrived is read to its end.
        case endInput
        // These end the chain.
        case close
        case standInLine
        case rest
    }

    private(set) var work = Work.none
    private(set) var replies = Replies.none
    /// What to watch the socket for. Changing it is a system call, so it is left as it is where another value is no better.
    private(set) var interest: IOEvents = .readable
    /// Whether a call has ever come. A connection that has not called makes room for others first.
    private(set) var hasCalled = false
    private(set) var isClosed = false
    /// Calls may be taken: until the turn is over.
    private(set) var hasTurn = false

    private var standsInLine = false
    /// What has been read may hold a whole call.
    private var holdsCall = false
    /// The socket has something to read.
    private var isUnread = false
    /// Replies are written before the next call is taken.
    private var writesFirst = false
    private var hasNews = false
    private var hasLeft = false
    /// The connection is closed when its replies have been offered to the socket once.
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

    /// A call was begun whose reply comes later, or never ends.
    mutating func begin(_ work: Work) {
        self.work = work
        hasNews = work == .stream
    }

    /// A reply is there to be written.
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
    /// Whether calls may be taken when the turn comes.
    private var isReady: Bool { work == .none && (replies == .none || replies == .unwanted) }

    private mutating func readable(_ isBusy: Bool) -> Step {
        guard isReady else {
            // Too early for more; but that the client leaves is always news.
            watchForEnd()
            return .rest
        }
        isUnread = true
        if isBusy { return waitForTurn() }
        hasTurn = true
        return next()
    }

    /// What the client said before it left is done, but nothing that is made for it alone.
    private mutating func left(_ hasUnread: Bool) -> Step {
        hasLeft = true
        switch work {
        case .none, .reply(_, isStoppable: false): return goOnWithoutReader(hasUnread, isSure: replies != .none)
        case .reply, .stream: return .close
        }
    }

    /// The client does not read its replies any more; or that is still to be seen, where there are none.
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
            // The answer of a run that was ended in this turn has not been told yet.
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
        // What a client follows has no end of itself.
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
        // More from this client must not take the turns of others.
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

    /// Watches only for the client's leaving; epoll(7) reports that over and over, so once is enough.
    private mutating func watchForEnd() { interest = hasLeft ? [] : .hangup }
}
