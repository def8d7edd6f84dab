// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TodayModel

/// Orders the sessions that wait for a turn, and measures the time of turns.
@LoopActor
struct SessionTurns {
    /// When the current call arrived; it may be slightly earlier.
    var time = BootTime.now
    private let limits: QueryLimits
    private var waiting = TurnQueue<uid_t, Session.Party, Session>(favourite: 0)
    private var round: UInt64 = 0
    private var end = BootTime.now

    init(limits: QueryLimits) { self.limits = limits }

    mutating func note(_ round: UInt64, at now: BootTime) {
        time = now
        guard self.round != round else { return }
        self.round = round
        end = now + limits.timePerRound
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Whether a connection with a call has to wait: other connections wait, or the time of this round is over.
    var isBusy: Bool { !waiting.isEmpty || time > end }

    /// How long a session may answer calls. The share is smaller when more parties wait; every session answers at least
    /// one call.
    var share: TimeSpan { min(limits.timePerTurn, limits.timePerRound / Int64(max(1, waiting.partyCount))) }

    mutating func append(_ session: Session) { waiting.append(session, of: session.party, session.peer.uid) }

    mutating func next() -> Session? { waiting.next() }
}

extension QueryService {
    /// Notes the time, and that a round of the loop has begun if it has. Sessions call this before they answer calls.
    func noteRound() { turns.note(EventLoop.round, at: .now) }

    /// Lets a session continue after the other connections have had their turn.
    func append(_ session: Session) {
        turns.append(session)
        nextTurns?.schedule()
    }

    func takeTurns() {
        turns.time = .now
        let end = turns.time + limits.timePerRound
        while turns.time <= end, let session = turns.next() {
            session.handle(.turn, in: self)
            turns.time = .now
        }
        if !turns.isEmpty { nextTurns?.schedule() }
    }
}
