// SPDX-License-Identifier: MIT
import TodayModel

/// One widget of a fleet, as one member sees it: whether it is due, who runs it, and what was accepted last.
///
/// docs/fleet.md describes the protocol. A member claims the widget by a transaction, runs it, and publishes the result by
/// another one, which etcd accepts only while the claim is still this member's. All waits are durations of the member's own
/// clock.
package struct FleetWidget: Sendable {
    package struct Plan: Hashable, Sendable {
        /// Nil is once.
        package var interval: TimeSpan?
        /// What it does while the fleet is out of reach.
        package var runsAlone: Bool
        /// Whether this member may run it: it is neither hidden nor disabled here.
        package var runs: Bool

        package init(interval: TimeSpan?, runsAlone: Bool = false, runs: Bool = true) {
            (self.interval, self.runsAlone, self.runs) = (interval, runsAlone, runs)
        }
    }

    /// What became of a transaction.
    package enum Answer: Hashable, Sendable {
        case accepted(revision: Int64)
        case refused
        /// No answer came: the transaction may have been accepted.
        case unknown
    }

    package enum Event: Sendable {
        /// `isResting`: for a record that is read at the start, whether its rest still lasts; nil if the member saw its
        /// publication.
        case record(FleetRecord, revision: Int64, isResting: Bool? = nil)
        /// The value is not one that this version understands.
        case unreadable(revision: Int64)
        case recordGone(revision: Int64)
        case held(FleetMember, revision: Int64)
        case freed(revision: Int64)
        /// The rest after a publication is over by etcd's clock.
        case rested(revision: Int64)
        /// A user asks for an update.
        case wanted
        case claimed(Answer)
        /// Nil: it could not run here.
        case ran(FleetResult?)
        case published(claim: Int64, Answer)
        case released(claim: Int64, Answer)
        case tick
    }

    package enum Action: Equatable, Sendable {
        case claim(expecting: Int64)
        case run
        case publish(FleetRecord, expecting: Int64)
        case release(claim: Int64)
        /// All members show this now.
        case accept(FleetRecord, revision: Int64)
        /// A result of this member came too late.
        case discard(String)
    }

    private enum Phase: Sendable {
        case resting
        case claiming
        /// `isLost`: the claim ended while the widget ran.
        case running(claim: Int64, isLost: Bool)
        case publishing(FleetRecord, retry: BootTime?)
        case releasing(claim: Int64, retry: BootTime?)
    }

    /// How long a member waits after a refusal, and how long if it cannot run the widget.
    static let pause = (least: TimeSpan.seconds(1), most: TimeSpan.seconds(30))
    static let inability = TimeSpan.seconds(30)
    /// Members of a higher rank wait as long as the last of these.
    static let mostRanks: Int64 = 8

    package var plan: Plan
    private let me: FleetMember
    private var phase = Phase.resting
    package private(set) var record: FleetRecord?
    /// Whether its rest still lasted when the record was read; nil if the member saw its publication.
    package private(set) var wasResting: Bool?
    /// When it was seen.
    package private(set) var seen: BootTime?
    /// The revision of the record's key, which a claim compares; 0 if there is no record.
    package private(set) var revision: Int64 = 0
    package private(set) var holder: (member: FleetMember, revision: Int64)?
    /// Nil is never.
    private var due: BootTime?
    private var notBefore: BootTime
    private var isWanted = false
    private var isUnreadable = false
    /// The last claim that this member has used: the watch may report it after it is over.
    private var lastClaim: Int64 = 0
    /// How many transactions in a row got no answer.
    private var failures = 0

    package init(_ plan: Plan, of me: FleetMember, at now: BootTime) {
        (self.plan, self.me, due, notBefore) = (plan, me, now, now)
    }

    /// Whether this member runs it, or publishes.
    package var isBusy: Bool { if case .resting = phase { false } else { true } }
    package var isRunning: Bool { if case .running = phase { true } else { false } }

    /// When a claim is due for the member with this rank; nil while only an event can change that.
    package func wake(rank: () -> Int) -> BootTime? {
        switch phase {
        case .claiming, .running: return nil
        case .publishing(_, let retry), .releasing(_, let retry): return retry
        case .resting: break
        }
        guard plan.runs, holder == nil, !isUnreadable else { return nil }
        if isWanted { return notBefore }
        return due.map { max($0 + delay(rank()), notBefore) }
    }

    /// The first in rank claims at once, the others only if it does not.
    private func delay(_ rank: Int) -> TimeSpan {
        let step = min(.seconds(1), max(.milliseconds(100), (plan.interval ?? .seconds(10)) / 10))
        let rank = Int64(rank)
        return step * (rank < Self.mostRanks ? rank : Self.mostRanks + rank % Self.mostRanks)
    }

    package mutating func handle(_ event: Event, rank: () -> Int, at now: Moment) -> [Action] {
        switch event {
        case .record(let record, let revision, let isResting):
            return take(record, revision, isResting, at: now.boot)
        case .unreadable(let revision):
            guard revision > self.revision else { return [] }
            (self.revision, isUnreadable) = (revision, true)
            if case .running(let claim, _) = phase { phase = .running(claim: claim, isLost: true) }
            if case .publishing(let own, _) = phase { return lose(own.claim, "its claim has ended") }
        case .recordGone(let revision):
            guard revision > self.revision else { return [] }
            (self.revision, record, seen, isUnreadable) = (0, nil, nil, false)
            due = now.boot
            if case .publishing(let own, _) = phase { phase = .publishing(own, retry: now.boot) }
        case .held(let member, let revision): return hold(member, revision)
        case .freed(let revision): return free(revision, at: now.boot)
        case .rested(let revision):
            // The answer to a publication may come before the watch reports earlier events.
            if let due, revision > self.revision { self.due = min(due, now.boot) }
        case .wanted: isWanted = true
        case .claimed(let answer): return claimed(answer, at: now.boot)
        case .ran(let result): return ran(result, at: now)
        case .published(let claim, let answer): return published(claim, answer, at: now.boot)
        case .released(let claim, let answer): released(claim, answer, at: now.boot)
        case .tick: return tick(rank, at: now.boot)
        }
        return []
    }

    private mutating func tick(_ rank: () -> Int, at now: BootTime) -> [Action] {
        guard (due ?? now) <= now || isWanted || isBusy, let wake = wake(rank: rank), wake <= now else { return [] }
        switch phase {
        case .publishing(let record, _):
            phase = .publishing(record, retry: nil)
            return [.publish(record, expecting: revision)]
        case .releasing(let claim, _):
            phase = .releasing(claim: claim, retry: nil)
            return [.release(claim: claim)]
        case .resting, .claiming, .running:
            phase = .claiming
            return [.claim(expecting: revision)]
        }
    }

    // MARK: What the watch tells

    private mutating func take(
        _ record: FleetRecord, _ revision: Int64, _ isResting: Bool?, at now: BootTime
    ) -> [Action] {
        guard revision > self.revision else { return [] }
        var actions: [Action] = []
        switch phase {
        case .resting, .claiming, .releasing: break
        case .running(let claim, _): phase = .running(claim: claim, isLost: true)
        case .publishing(let own, _) where own == record: phase = .resting
        case .publishing(let own, _): actions = lose(own.claim, "\(record.member.name) has published another one")
        }
        (self.record, self.revision, seen, isWanted, isUnreadable) = (record, revision, now, false, false)
        due = record.wait.map { isResting == false ? now : now + $0 }
        wasResting = isResting
        return actions + [.accept(record, revision: revision)]
    }

    private mutating func hold(_ member: FleetMember, _ revision: Int64) -> [Action] {
        guard revision > holder?.revision ?? 0 else { return [] }
        holder = (member, revision)
        switch phase {
        case .resting where member == me && revision > lastClaim: return adopt(revision)
        case .running(let claim, _) where revision > claim: phase = .running(claim: claim, isLost: true)
        case .publishing(let own, _) where revision > own.claim: return lose(own.claim, "its claim has ended")
        default: break
        }
        return []
    }

    private mutating func free(_ revision: Int64, at now: BootTime) -> [Action] {
        guard revision > holder?.revision ?? 0 else { return [] }
        holder = nil
        switch phase {
        case .running(let claim, _) where revision > claim: phase = .running(claim: claim, isLost: true)
        case .publishing(let own, _) where revision > own.claim: return lose(own.claim, "its claim has ended")
        case .releasing(let claim, _) where revision > claim: phase = .resting
        default: break
        }
        return []
    }

    /// Runs the widget, unless the record was changed under the claim.
    private mutating func adopt(_ claim: Int64) -> [Action] {
        lastClaim = claim
        guard claim > revision else { return release(claim) }
        phase = .running(claim: claim, isLost: false)
        return [.run]
    }

    /// The claim may still exist: if a person has changed the record, no other member has claimed the widget.
    private mutating func lose(_ claim: Int64, _ reason: String) -> [Action] {
        [.discard("a result of this machine came too late: \(reason)")] + release(claim)
    }

    /// A claim that stays would keep all members from running the widget as long as this member lives.
    private mutating func release(_ claim: Int64) -> [Action] {
        phase = .releasing(claim: claim, retry: nil)
        return [.release(claim: claim)]
    }

    // MARK: What this member did

    private mutating func count(_ answer: Answer) { failures = answer == .unknown ? min(failures + 1, 10) : 0 }

    /// The pause before the next transaction, which grows while etcd does not answer.
    private var pause: TimeSpan { min(Self.pause.most, Self.pause.least * (1 << Int64(max(0, failures - 1)))) }

    /// The claim that this member holds, or may hold.
    package var heldClaim: Int64? {
        switch phase {
        case .running(let claim, _), .releasing(let claim, _): claim
        case .publishing(let own, _): own.claim
        case .resting, .claiming: holder.flatMap { $0.member == me ? $0.revision : nil }
        }
    }

    private mutating func claimed(_ answer: Answer, at now: BootTime) -> [Action] {
        guard case .claiming = phase else { return [] }
        count(answer)
        if case .accepted(let revision) = answer { return adopt(revision) }
        phase = .resting
        if let holder, holder.member == me, holder.revision > lastClaim { return adopt(holder.revision) }
        notBefore = now + pause
        return []
    }

    private mutating func ran(_ result: FleetResult?, at now: Moment) -> [Action] {
        guard case .running(let claim, let isLost) = phase else { return [] }
        if isLost { return lose(claim, "its claim has ended") }
        guard var result else {
            (notBefore, isWanted) = (now.boot + Self.inability, false)
            return release(claim)
        }
        if let bytes = result.content?.bytes, bytes > FleetRecord.longest {
            let limit = "a fleet takes \(FleetRecord.longest >> 10) KiB"
            result = FleetResult(.failed, failure: "its content has \(bytes) bytes, and \(limit)", wait: result.wait)
        }
        let new = FleetRecord(me, claim: claim, result, after: record, interval: plan.interval, at: now.wall)
        phase = .publishing(new, retry: nil)
        return [.publish(new, expecting: revision)]
    }

    private mutating func published(_ claim: Int64, _ answer: Answer, at now: BootTime) -> [Action] {
        guard case .publishing(let own, _) = phase, own.claim == claim else { return [] }
        count(answer)
        switch answer {
        case .accepted(let revision): return take(own, revision, nil, at: now)
        // An earlier attempt without an answer may have been accepted; the watch will tell.
        case .refused: phase = .publishing(own, retry: nil)
        case .unknown: phase = .publishing(own, retry: now + pause)
        }
        return []
    }

    private mutating func released(_ claim: Int64, _ answer: Answer, at now: BootTime) {
        guard case .releasing(claim, _) = phase else { return }
        count(answer)
        phase = answer == .unknown ? .releasing(claim: claim, retry: now + pause) : .resting
    }
}
