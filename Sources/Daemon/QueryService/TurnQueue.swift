// SPDX-License-Identifier: MIT

import Glibc
import Reactor
import TodayModel

/// Decides which connection goes next. Users take turns, the parties of one user share the user's turns, and the members of a
/// party share the party's. A user with a thousand connections or a hundred processes waits only for its own; every other user
/// waits for one of them at most. The favourite gets every other turn, so it waits for one turn, however many users there are.
struct TurnQueue<User: Hashable, Party: Hashable, Member> {
    /// Waiting users and parties are objects, so that a turn looks up a key only when it is the last of a party or of a user.
    private final class WaitingParty {
        let party: Party
        var members = Line<Member>()
        init(_ party: Party) { self.party = party }
    }
    private final class WaitingUser {
        let user: User
        var parties = Line<WaitingParty>()
        init(_ user: User) { self.user = user }
    }

    private let favourite: User?
    private var wasFavourite = false
    private var parties: [Party: WaitingParty] = [:]
    private var users: [User: WaitingUser] = [:]
    /// The favourite while it waits, and the queue of the other users.
    private var first: WaitingUser?
    private var others = Line<WaitingUser>()

    init(favourite: User? = nil) { self.favourite = favourite }

    var isEmpty: Bool { parties.isEmpty }
    var partyCount: Int { parties.count }

    /// - Parameter party: a party always belongs to the same user.
    mutating func append(_ member: Member, of party: Party, _ user: User) {
        if let waiting = parties[party] { return waiting.members.append(member) }
        let waiting = WaitingParty(party)
        waiting.members.append(member)
        parties[party] = waiting
        if let owner = users[user] { return owner.parties.append(waiting) }
        let owner = WaitingUser(user)
        owner.parties.append(waiting)
        users[user] = owner
        if user == favourite { first = owner } else { others.append(owner) }
    }

    mutating func next() -> Member? {
        guard let user = nextUser(), let party = user.parties.next(), let member = party.members.next() else {
            return nil
        }
        if party.members.isEmpty { parties[party.party] = nil } else { user.parties.append(party) }
        if user.parties.isEmpty {
            users[user.user] = nil
            if user === first { first = nil }
        } else if user !== first {
            others.append(user)
        }
        return member
    }

    private mutating func nextUser() -> WaitingUser? {
        wasFavourite = first != nil && (!wasFavourite || others.isEmpty)
        return wasFavourite ? first : others.next()
    }
}

/// A queue: first come, first served.
struct Line<Member> {
    private var members: [Member?] = []
    private var first = 0

    var isEmpty: Bool { first == members.count }
    var count: Int { members.count - first }

    mutating func append(_ member: Member) { members.append(member) }

    /// Removes the taken members once they are half of the array, so that the moves cost constant time per member.
    mutating func next() -> Member? {
        guard !isEmpty else { return nil }
        let member = members[first]
        members[first] = nil
        first += 1
        if first * 2 > members.count {
            members.removeFirst(first)
            first = 0
        }
        return member
    }
}

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
