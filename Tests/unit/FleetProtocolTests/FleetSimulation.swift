// SPDX-License-Identifier: MIT
import FleetProtocol
import JSON
import TestSupport
import TodayModel

/// One schedule: some members, a model of etcd with revisions, transactions and leases, and a network that delays, loses and cuts.
/// The members are those of today-fleet. All that is random follows from the seed.
struct FleetSimulation {
    /// What is wrong on purpose, to show that the checker sees it.
    enum Flaw: CaseIterable {
        /// Transactions are carried out whatever their conditions are.
        case storeIgnoresConditions
        /// A publication is not compared with the claim.
        case storeForgetsClaims
        /// A member publishes at once what it was told to run.
        case memberRunsTwice
    }

    static let interval = TimeSpan.seconds(20)
    static let lease = TimeSpan.seconds(15)
    static let path = FleetPath(scope: "fleet", id: WidgetID("org.example.ci").unsafelyUnwrapped, hash: "h")
    static let keys = FleetKeys(prefix: "/t")
    private static let faults = TimeSpan.minutes(2)
    private static let quiet = interval * 2 + lease + .seconds(40)

    private struct Member {
        var fleet: Fleet
        var me: FleetMember
        var isConnected = false
        var isJoined = false
        var position = 0
        var stalledUntil = BootTime(microseconds: 0)
        var leaseEnds = BootTime(microseconds: 0)
        var shown: Int64 = 0
        var incarnation = 0
        var wake: BootTime?
    }

    private struct Value {
        var text: String
        var revision: Int64
        var ends: BootTime?
        var owner: String?
    }

    private enum Step {
        case handle(Int, incarnation: Int, Fleet.Event)
        case apply(Int, incarnation: Int, Fleet.Action)
        case watch(Int, incarnation: Int)
        case keepAlive(Int, incarnation: Int)
        case join(Int, incarnation: Int)
        case cut(Int), stall(Int), crash(Int), tick(Int, incarnation: Int), expire
        /// A person writes over the record, and takes it away later.
        case spoil, clear
    }

    private var random: SeededNumbers
    private let flaw: Flaw?
    private var now = BootTime(microseconds: 1_000_000)
    private var queue: [(time: BootTime, order: Int, step: Step)] = []
    private var order = 0
    private var members: [Member] = []
    private var store: [String: Value] = [:]
    private var revision: Int64 = 1
    private var log: [[EtcdChange]] = []
    private(set) var accepted: [(time: BootTime, record: FleetRecord, revision: Int64)] = []
    private(set) var complaint: String?
    /// When a person took the record away.
    private var spoiled = BootTime(microseconds: 0)
    private(set) var runs = 0

    init(seed: UInt64, members count: Int, flaw: Flaw? = nil) {
        random = SeededNumbers(seed: seed)
        self.flaw = flaw
        for index in 0..<count {
            members.append(newMember(index, incarnation: 0))
            later(.zero, upTo: .seconds(2), .join(index, incarnation: 0))
        }
    }

    private func newMember(_ index: Int, incarnation: Int) -> Member {
        let me = FleetMember(id: "m\(index)-\(incarnation)", name: "m\(index)")
        var fleet = Fleet(me, keys: Self.keys, site: nil, at: now)
        let offer = FleetOffer(id: Self.path.id, hash: "h", plan: FleetWidget.Plan(interval: Self.interval))
        _ = fleet.handle(.offers([offer], isNew: true), at: moment(of: index))
        return Member(fleet: fleet, me: me, incarnation: incarnation)
    }

    /// The wall clocks of the members are an hour apart.
    private func moment(of index: Int) -> Moment {
        Moment(
            boot: now, awake: AwakeTime(microseconds: now.microseconds),
            wall: WallTime(microseconds: now.microseconds) + .hours(Int64(index)))
    }

    // MARK: The course

    /// Faults for two minutes, and then none, until all must show the same.
    mutating func run() {
        let start = now
        for index in members.indices where random.chance(70) {
            for _ in 0..<Int(random.below(3)) {
                let fault: Step = [.cut(index), .stall(index), .crash(index)][Int(random.below(3))]
                later(.zero, upTo: Self.faults, fault)
            }
        }
        if random.chance(50) { later(.zero, upTo: Self.faults - .seconds(20), .spoil) }
        step(until: start + Self.faults)
        let acceptedBefore = accepted.count
        step(until: start + Self.faults + Self.quiet)
        guard complaint == nil else { return }
        if accepted.count == acceptedBefore {
            return complaint = "nothing was accepted in \(Self.quiet.text) without faults"
        }
        // What was just published may still be on its way.
        let settled = accepted.last { $0.time < now - .seconds(1) }?.revision ?? 0
        for member in members where member.shown < settled {
            complaint = "\(member.me.id) shows revision \(member.shown), and \(settled) was accepted"
        }
    }

    private mutating func step(until end: BootTime) {
        while complaint == nil, let next = pop(before: end) {
            now = max(now, next.time)
            perform(next.step)
        }
        now = max(now, end)
    }

    private mutating func pop(before end: BootTime) -> (time: BootTime, order: Int, step: Step)? {
        guard
            let index = queue.indices.min(by: {
                (queue[$0].time.microseconds, queue[$0].order) < (queue[$1].time.microseconds, queue[$1].order)
            }), queue[index].time <= end
        else { return nil }
        let last = queue.count - 1
        queue.swapAt(index, last)
        return queue.removeLast()
    }

    private mutating func later(_ from: TimeSpan, upTo to: TimeSpan, _ step: Step) {
        let span = max(1, to.microseconds - from.microseconds)
        order += 1
        queue.append(
            (now + from + TimeSpan(microseconds: Int64(random.below(UInt64(span)))), order, step))
    }

    private mutating func perform(_ step: Step) {
        switch step {
        case .handle(let index, let incarnation, let event): handle(index, incarnation, event)
        case .apply(let index, let incarnation, let action): apply(index, incarnation, action)
        case .watch(let index, let incarnation): watch(index, incarnation)
        case .keepAlive(let index, let incarnation): keepAlive(index, incarnation)
        case .join(let index, let incarnation): join(index, incarnation)
        case .cut(let index):
            members[index].isConnected = false
            if members[index].isJoined { lose(index) }
        case .stall(let index): members[index].stalledUntil = now + .seconds(Int64(random.below(40)))
        case .crash(let index):
            let incarnation = members[index].incarnation + 1
            members[index] = newMember(index, incarnation: incarnation)
            later(.zero, upTo: .seconds(10), .join(index, incarnation: incarnation))
        case .tick(let index, let incarnation):
            members[index].wake = nil
            handle(index, incarnation, .tick)
        case .expire: expire()
        case .spoil:
            put(Self.keys.key(of: Self.path, .record), "nonsense", ends: nil, owner: nil)
            later(.zero, upTo: .seconds(20), .clear)
        case .clear:
            remove([Self.keys.key(of: Self.path, .record)])
            spoiled = now
        }
    }

    // MARK: Members

    private mutating func handle(_ index: Int, _ incarnation: Int, _ event: Fleet.Event) {
        guard members[index].incarnation == incarnation else { return }
        let member = members[index]
        if member.stalledUntil > now {
            order += 1
            return queue.append((member.stalledUntil, order, .handle(index, incarnation: incarnation, event)))
        }
        let actions = members[index].fleet.handle(event, at: moment(of: index))
        for action in actions { perform(action, of: index) }
        if let wake = members[index].fleet.wake, members[index].wake.map({ wake < $0 }) ?? true {
            members[index].wake = wake
            order += 1
            queue.append((max(wake, now), order, .tick(index, incarnation: incarnation)))
        }
    }

    private mutating func perform(_ action: Fleet.Action, of index: Int) {
        let incarnation = members[index].incarnation
        switch action {
        case .claim, .publish, .release:
            let answer = Self.answer(action, .unknown).map { Step.handle(index, incarnation: incarnation, $0) }
            if !members[index].isConnected || random.chance(4) {
                if let answer { later(.seconds(5), upTo: .seconds(6), answer) }
            } else if random.chance(4) {
                // On its way for long: it is carried out when the member has given it up.
                if let answer { later(.seconds(5), upTo: .seconds(6), answer) }
                later(.seconds(5), upTo: .seconds(40), .apply(index, incarnation: incarnation, action))
            } else {
                later(.zero, upTo: .milliseconds(200), .apply(index, incarnation: incarnation, action))
            }
        case .run:
            runs += 1
            let longest: TimeSpan = random.chance(10) ? .seconds(30) : .seconds(2)
            let result: FleetResult? =
                random.chance(5)
                ? nil
                : random.chance(20)
                    ? FleetResult(.failed, failure: "no", wait: Self.interval)
                    : FleetResult(.newData, content: .int(Int64(runs)))
            let event = Fleet.Event.ran(Self.path.id, result)
            later(.milliseconds(1), upTo: longest, .handle(index, incarnation: incarnation, event))
            if flaw == .memberRunsTwice, let result {
                let record = FleetRecord(
                    members[index].me, claim: 0, result, after: nil, interval: Self.interval,
                    at: moment(of: index).wall)
                commit(record, at: Self.keys.key(of: Self.path, .record))
            }
        case .accept(_, _, _, let revision):
            if revision < members[index].shown {
                complaint = "\(members[index].me.id) shows revision \(revision) after \(members[index].shown)"
            }
            members[index].shown = revision
        case .fail, .share, .push, .log: break
        }
    }

    private static func answer(_ action: Fleet.Action, _ answer: FleetWidget.Answer) -> Fleet.Event? {
        switch action {
        case .claim(let path, _): .claimed(path, answer)
        case .publish(let path, let record, _): .published(path, claim: record.claim, answer)
        case .release(let path, let claim): .released(path, claim: claim, answer)
        default: nil
        }
    }

    private mutating func lose(_ index: Int) {
        members[index].isJoined = false
        let incarnation = members[index].incarnation
        handle(index, incarnation, .lost("cut"))
        later(.seconds(1), upTo: .seconds(20), .join(index, incarnation: incarnation))
    }

    private mutating func join(_ index: Int, _ incarnation: Int) {
        guard members[index].incarnation == incarnation, !members[index].isJoined else { return }
        if members[index].stalledUntil > now {
            order += 1
            return queue.append((members[index].stalledUntil, order, .join(index, incarnation: incarnation)))
        }
        members[index].isConnected = true
        members[index].isJoined = true
        members[index].leaseEnds = now + Self.lease
        put(Self.keys.key(of: members[index].me), "{}", ends: members[index].leaseEnds, owner: members[index].me.id)
        let pairs = store.map { EtcdKeyValue(key: $0.key, value: $0.value.text, revision: $0.value.revision) }
        members[index].position = log.count
        handle(index, incarnation, .read(pairs, revision: revision))
        handle(index, incarnation, .joined)
        later(.seconds(4), upTo: .seconds(5), .keepAlive(index, incarnation: incarnation))
    }

    private mutating func keepAlive(_ index: Int, _ incarnation: Int) {
        guard members[index].incarnation == incarnation, members[index].isJoined else { return }
        if members[index].stalledUntil > now {
            order += 1
            return queue.append((members[index].stalledUntil, order, .keepAlive(index, incarnation: incarnation)))
        }
        expire()
        guard store[Self.keys.key(of: members[index].me)] != nil else { return lose(index) }
        members[index].leaseEnds = now + Self.lease
        for (key, value) in store where value.owner == members[index].me.id {
            store[key]?.ends = members[index].leaseEnds
        }
        later(.seconds(4), upTo: .seconds(5), .keepAlive(index, incarnation: incarnation))
        later(Self.lease, upTo: Self.lease + .seconds(1), .expire)
    }

    private mutating func watch(_ index: Int, _ incarnation: Int) {
        guard members[index].incarnation == incarnation, members[index].isConnected else { return }
        if members[index].stalledUntil > now {
            order += 1
            return queue.append((members[index].stalledUntil, order, .watch(index, incarnation: incarnation)))
        }
        let changes = log[members[index].position...].flatMap { $0 }
        members[index].position = log.count
        if !changes.isEmpty { handle(index, incarnation, .changed(changes)) }
    }

    // MARK: etcd

    private mutating func apply(_ index: Int, _ incarnation: Int, _ action: Fleet.Action) {
        expire()
        let holds: Bool
        switch action {
        case .claim(let path, let expected):
            let isFree = store[Self.keys.key(of: path, .claim)] == nil
            holds = revision(of: Self.keys.key(of: path, .record)) == expected && isFree
            let hasLease = store[Self.keys.key(of: members[index].me)] != nil
            if hasLease, holds || flaw == .storeIgnoresConditions {
                put(
                    Self.keys.key(of: path, .claim), members[index].me.json.text, ends: members[index].leaseEnds,
                    owner: members[index].me.id)
            } else {
                return reply(index, incarnation, action, .refused)
            }
        case .publish(let path, let record, let expected):
            let isHeld = revision(of: Self.keys.key(of: path, .claim)) == record.claim || flaw == .storeForgetsClaims
            holds = revision(of: Self.keys.key(of: path, .record)) == expected && isHeld
            guard holds || flaw == .storeIgnoresConditions else {
                return reply(index, incarnation, action, .refused)
            }
            commit(record, at: Self.keys.key(of: path, .record))
        case .release(let path, let claim):
            guard revision(of: Self.keys.key(of: path, .claim)) == claim else {
                return reply(index, incarnation, action, .refused)
            }
            remove([Self.keys.key(of: path, .claim)])
        default: return
        }
        reply(index, incarnation, action, .accepted(revision: revision))
    }

    private mutating func reply(
        _ index: Int, _ incarnation: Int, _ action: Fleet.Action, _ answer: FleetWidget.Answer
    ) {
        let isLost = !members[index].isConnected || random.chance(4)
        guard let event = Self.answer(action, isLost ? .unknown : answer) else { return }
        later(
            isLost ? .seconds(5) : .zero, upTo: isLost ? .seconds(6) : .milliseconds(200),
            .handle(index, incarnation: incarnation, event))
    }

    private func revision(of key: String) -> Int64 { store[key]?.revision ?? 0 }

    private mutating func commit(_ record: FleetRecord, at key: String) {
        let wait = record.wait ?? Self.interval
        // Without a record the widget is due at once.
        if let last = accepted.last, last.time > spoiled, now - last.time < Self.interval {
            complaint = "two results accepted within \((now - last.time).text)"
        }
        if store[key]?.text == "nonsense" { complaint = "a record that is not understood was replaced" }
        if revision(of: Self.keys.key(of: Self.path, .claim)) != record.claim {
            complaint = "a result was accepted without a claim"
        }
        revision += 1
        let rest = Self.keys.key(of: Self.path, .rest)
        store[key] = Value(text: record.json.text, revision: revision)
        store[rest] = Value(text: "", revision: revision, ends: now + wait + .seconds(Int64(random.below(10))))
        accepted.append((now, record, revision))
        let claim = Self.keys.key(of: Self.path, .claim)
        store[claim] = nil
        publish([
            EtcdChange(EtcdKeyValue(key: key, value: record.json.text, revision: revision)),
            EtcdChange(EtcdKeyValue(key: rest, revision: revision)),
            EtcdChange(EtcdKeyValue(key: claim, revision: revision), isRemoval: true),
        ])
        later(wait, upTo: wait + .seconds(11), .expire)
    }

    private mutating func put(_ key: String, _ text: String, ends: BootTime?, owner: String?) {
        revision += 1
        store[key] = Value(text: text, revision: revision, ends: ends, owner: owner)
        publish([EtcdChange(EtcdKeyValue(key: key, value: text, revision: revision))])
        if let ends { later(ends - now, upTo: ends - now + .seconds(1), .expire) }
    }

    private mutating func remove(_ keys: [String]) {
        revision += 1
        for key in keys { store[key] = nil }
        publish(keys.map { EtcdChange(EtcdKeyValue(key: $0, revision: revision), isRemoval: true) })
    }

    private mutating func expire() {
        let ended = store.filter { $0.value.ends.map { $0 <= now } ?? false }.map(\.key).sorted()
        if !ended.isEmpty { remove(ended) }
    }

    private mutating func publish(_ changes: [EtcdChange]) {
        log.append(changes)
        for index in members.indices where members[index].isConnected {
            later(.zero, upTo: .milliseconds(300), .watch(index, incarnation: members[index].incarnation))
        }
    }
}

extension SeededNumbers {
    fileprivate mutating func below(_ bound: UInt64) -> UInt64 { next() % max(1, bound) }

    /// In percent.
    fileprivate mutating func chance(_ percent: UInt64) -> Bool { below(100) < percent }
}
