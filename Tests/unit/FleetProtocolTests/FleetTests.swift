// SPDX-License-Identifier: MIT
import FleetProtocol
import JSON
import TestSupport
import Testing
import TodayModel

/// A member: the widgets of its todayd beside what etcd has, and what it does alone.
@Suite struct FleetTests {
    private static let me = FleetMember(id: "me", name: "here")
    private static let other = FleetMember(id: "other", name: "there")
    private static let keys = FleetKeys(prefix: "/t")
    private static let id = WidgetID("org.example.ci").unsafelyUnwrapped
    private static let path = FleetPath(scope: "fleet", id: id, hash: "h")

    private var fleet = Fleet(me, keys: keys, site: nil, at: BootTime(microseconds: 0))
    private var now = BootTime(microseconds: 0)

    private mutating func tell(_ event: Fleet.Event, after span: TimeSpan = .zero) -> [Fleet.Action] {
        now = now + span
        let wall = WallTime(microseconds: 1_000_000_000 + now.microseconds)
        return fleet.handle(
            event, at: Moment(boot: now, awake: AwakeTime(microseconds: now.microseconds), wall: wall))
    }

    private func offer(
        _ hash: String = "h", runsAlone: Bool = false, ofSite: Bool = false
    ) -> Fleet.Event {
        let plan = FleetWidget.Plan(interval: .minutes(1), runsAlone: runsAlone)
        return .offers([FleetOffer(id: Self.id, hash: hash, isOfSite: ofSite, plan: plan)], isNew: true)
    }

    private func record(age: TimeSpan = .zero, wait: TimeSpan? = .minutes(1)) -> FleetRecord {
        FleetRecord(
            Self.other, claim: 2, FleetResult(.newData, content: "x"), after: nil, interval: wait,
            at: WallTime(microseconds: 1_000_000_000) - age)
    }

    private func pair(_ part: FleetKeys.Part, _ value: String = "", revision: Int64 = 3) -> EtcdKeyValue {
        EtcdKeyValue(key: Self.keys.key(of: Self.path, part), value: value, revision: revision)
    }

    private func member(_ member: FleetMember, priority: Int = 0) -> EtcdKeyValue {
        EtcdKeyValue(key: Self.keys.key(of: member), value: #"{"priority":\#(priority)}"#, revision: 1)
    }

    @Test mutating func aDueWidgetIsClaimedOnceItHasJoined() {
        #expect(tell(offer()).isEmpty)
        #expect(tell(.read([], revision: 5)).isEmpty)
        #expect(tell(.joined) == [.claim(Self.path, expecting: 0)])
        #expect(tell(.claimed(Self.path, .accepted(revision: 6))) == [.run(Self.id)])
        let published = tell(.ran(Self.id, FleetResult(.noData)))
        guard case .publish(Self.path, let record, expecting: 0)? = published.first else {
            Issue.record("\(published)")
            return
        }
        let accepted = tell(.published(Self.path, claim: 6, .accepted(revision: 7)))
        #expect(accepted == [.accept(Self.id, record, age: .zero, revision: 7)])
        #expect(fleet.wake == now + .minutes(1))
    }

    /// What is there before the widget, and what is there before the member.
    @Test(arguments: [true, false]) mutating func whatEtcdHasIsShown(isReadFirst: Bool) {
        let events: [Fleet.Event] = [.read([pair(.record, record().json.text), pair(.rest)], revision: 5), offer()]
        var actions: [Fleet.Action] = []
        for event in isReadFirst ? events : events.reversed() { actions += tell(event) }
        #expect(actions == [.accept(Self.id, record(), age: .zero, revision: 3)])
        #expect(tell(.joined).isEmpty)
        #expect(fleet.wake == now + .minutes(1))
    }

    /// How old it is says the publisher's date, within what is known of its rest.
    @Test(
        arguments: [
            (20, true, 20), (90, true, 60), (-90, true, 0), (20, false, 60), (90, false, 90), (-90, false, 60),
        ] as [(Int64, Bool, Int64)])
    mutating func theAgeIsThatOfTheDateWithinItsRest(date: Int64, rests: Bool, age: Int64) {
        let record = record(age: .seconds(date))
        _ = tell(offer())
        let pairs = [pair(.record, record.json.text)] + (rests ? [pair(.rest)] : [])
        #expect(
            tell(.read(pairs, revision: 5)) == [.accept(Self.id, record, age: .seconds(age), revision: 3)])
        // todayd has started again meanwhile.
        #expect(
            tell(offer(), after: .seconds(5)) == [.accept(Self.id, record, age: .seconds(age + 5), revision: 3)])
    }

    @Test mutating func changesAreFollowed() {
        _ = tell(offer())
        _ = tell(.read([], revision: 1))
        _ = tell(.changed([EtcdChange(pair(.claim, Self.other.json.text, revision: 2))]))
        #expect(tell(.joined).isEmpty)
        let changes = [
            EtcdChange(pair(.record, record().json.text)), EtcdChange(pair(.rest)),
            EtcdChange(pair(.claim), isRemoval: true),
        ]
        #expect(tell(.changed(changes)) == [.accept(Self.id, record(), age: .zero, revision: 3)])
        #expect(fleet.wake == now + .minutes(1))
        #expect(
            tell(.changed([EtcdChange(pair(.rest, revision: 4), isRemoval: true)]))
                == [.claim(Self.path, expecting: 3)])
        _ = tell(.claimed(Self.path, .refused))
        _ = tell(.changed([EtcdChange(pair(.record, revision: 5), isRemoval: true)]))
        #expect(tell(.tick, after: .seconds(1)) == [.claim(Self.path, expecting: 0)])
    }

    @Test mutating func aReadingTellsWhatHasGone() {
        _ = tell(offer())
        let claim = pair(.claim, Self.other.json.text)
        _ = tell(.read([pair(.record, record().json.text), claim, member(Self.other)], revision: 5))
        _ = tell(.joined)
        #expect(fleet.members.keys.sorted() == [Self.other.id])
        _ = tell(.lost("x"))
        _ = tell(.read([], revision: 9))
        #expect(fleet.members.isEmpty)
        #expect(tell(.joined) == [.claim(Self.path, expecting: 0)])
    }

    @Test mutating func membersAreRankedByPriority() {
        _ = tell(offer())
        _ = tell(.read([member(Self.me, priority: 1), member(Self.other, priority: 2)], revision: 5))
        #expect(tell(.joined).isEmpty)
        #expect(fleet.wake == now + .seconds(1))
        _ = tell(.changed([EtcdChange(member(Self.other), isRemoval: true)]))
        #expect(fleet.members.count == 1 && fleet.wake == nil)
    }

    /// Of a thousand members one is first, and each time another one.
    @Test func ofEqualsOneIsFirst() {
        var firsts: [Int: Int] = [:]
        var members: Set<Int> = []
        for revision in 1...20 {
            for index in 0..<50 {
                let me = FleetMember(id: "m\(index)", name: "x")
                var fleet = Fleet(me, keys: Self.keys, site: nil, at: now)
                let moment = Moment(
                    boot: now, awake: AwakeTime(microseconds: 0), wall: WallTime(microseconds: 1_000_000_000))
                _ = fleet.handle(offer(), at: moment)
                let others = (0..<50).map { member(FleetMember(id: "m\($0)", name: "x")) }
                let record = pair(.record, record().json.text, revision: Int64(revision))
                _ = fleet.handle(.read(others + [record], revision: 30), at: moment)
                if !fleet.handle(.joined, at: moment).isEmpty {
                    firsts[revision, default: 0] += 1
                    members.insert(index)
                }
            }
        }
        #expect(firsts.count == 20 && firsts.values.allSatisfy { $0 == 1 })
        #expect(members.count > 10)
    }

    /// A machine that runs four widgets leaves the others to the next one.
    @Test(arguments: [true, false]) mutating func fourAreRunAtOnce(isAlone: Bool) {
        let plan = FleetWidget.Plan(interval: .minutes(1), runsAlone: true)
        let offers = (0..<6).compactMap { number in
            WidgetID("org.example.n\(number)").map { FleetOffer(id: $0, hash: "h", plan: plan) }
        }
        _ = tell(.offers(offers, isNew: true))
        var begun = isAlone ? tell(.tick, after: .seconds(30)) : tell(.read([], revision: 1)) + tell(.joined)
        #expect(begun.count == 4 && fleet.wake == nil)
        #expect(tell(.tick, after: .seconds(30)).isEmpty)
        switch begun.removeFirst() {
        case .claim(let path, _): _ = tell(.claimed(path, .refused))
        case .run(let id): _ = tell(.ran(id, nil))
        default: Issue.record("\(begun)")
        }
        #expect(fleet.wake.map { $0 <= now } == true)
        #expect(tell(.tick).count == 1)
    }

    @Test mutating func aWishIsClaimed() {
        _ = tell(offer())
        _ = tell(.read([pair(.record, record().json.text), pair(.rest)], revision: 5))
        _ = tell(.joined)
        #expect(tell(.wanted(Self.id)) == [.claim(Self.path, expecting: 3)])
    }

    @Test mutating func outOfReachItSaysSoOnceItIsDue() {
        _ = tell(offer())
        _ = tell(.read([pair(.record, record().json.text), pair(.rest)], revision: 5))
        _ = tell(.joined)
        _ = tell(.lost("no leader"))
        #expect(fleet.wake == now + .seconds(90))
        #expect(tell(.tick, after: .seconds(89)).isEmpty)
        #expect(
            tell(.tick, after: .seconds(1)) == [.fail(Self.id, "the fleet is out of reach: no leader")])
        #expect(fleet.wake == nil && tell(.tick, after: .hours(1)).isEmpty)
        // The next loss is said again.
        #expect(tell(.joined).count == 1)
        _ = tell(.claimed(Self.path, .unknown))
        _ = tell(.lost("gone"))
        _ = tell(.lost("still gone"))
        #expect(tell(.tick, after: .seconds(30)) == [.fail(Self.id, "the fleet is out of reach: still gone")])
    }

    @Test mutating func aloneItRunsWhereTheManifestSaysSo() {
        _ = tell(offer(runsAlone: true))
        #expect(fleet.wake == now + .seconds(30))
        #expect(tell(.tick, after: .seconds(30)) == [.run(Self.id)])
        #expect(tell(.tick, after: .hours(1)).isEmpty)
        let actions = tell(.ran(Self.id, FleetResult(.newData, content: "y")))
        guard case .accept(Self.id, let record, age: .zero, revision: 0)? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(record.member == Self.me && record.content == "y")
        now = BootTime(microseconds: 30_000_000)
        #expect(tell(.tick, after: .seconds(59)).isEmpty)
        #expect(tell(.tick, after: .seconds(1)) == [.run(Self.id)])
        #expect(tell(.ran(Self.id, nil)).isEmpty)
    }

    /// What etcd has not answered yet keeps it from neither; only a run that goes on does.
    @Test(arguments: [true, false]) mutating func anAnswerThatDoesNotComeIsNotWaitedFor(runsAlone: Bool) {
        _ = tell(offer(runsAlone: runsAlone))
        _ = tell(.read([], revision: 5))
        _ = tell(.joined)
        #expect(tell(.claimed(Self.path, .accepted(revision: 6))) == [.run(Self.id)])
        _ = tell(.lost("cut"))
        #expect(tell(.tick, after: .minutes(1)).isEmpty && fleet.wake == nil)
        #expect(tell(.ran(Self.id, FleetResult(.noData))).count == 1)
        _ = tell(.published(Self.path, claim: 6, .unknown))
        let actions = tell(.tick)
        #expect(actions == [runsAlone ? .run(Self.id) : .fail(Self.id, "the fleet is out of reach: cut")])
        #expect(fleet.wake == nil)
    }

    @Test mutating func aWidgetThatGoesGivesItsClaimBack() {
        _ = tell(offer())
        _ = tell(.read([], revision: 1))
        _ = tell(.joined)
        _ = tell(.claimed(Self.path, .accepted(revision: 6)))
        #expect(tell(.offers([], isNew: false)) == [.release(Self.path, claim: 6)])
        #expect(tell(.released(Self.path, claim: 6, .accepted(revision: 7))).isEmpty)
        // The release was lost.
        let claim = EtcdChange(pair(.claim, Self.me.json.text, revision: 9))
        #expect(tell(.changed([claim])) == [.release(Self.path, claim: 9)])
        #expect(tell(.changed([EtcdChange(pair(.claim, Self.other.json.text, revision: 10))])).isEmpty)
    }

    @Test mutating func aSiteNeedsAName() {
        #expect(tell(offer(ofSite: true)) == [.fail(Self.id, "Scope=site, and this today-fleet has no --site")])
        var fleet = Fleet(Self.me, keys: Self.keys, site: "b", at: now)
        let moment = Moment(boot: now, awake: AwakeTime(microseconds: 0), wall: WallTime(microseconds: 0))
        _ = fleet.handle(offer(ofSite: true), at: moment)
        let path = FleetPath(scope: "site:b", id: Self.id, hash: "h")
        #expect(fleet.handle(.joined, at: moment) == [.claim(path, expecting: 0)])
    }

    @Test mutating func anotherManifestIsSaidOnce() {
        _ = tell(offer("mine"))
        let said = tell(.changed([EtcdChange(pair(.record, record().json.text))]))
        #expect(
            said == [.log("org.example.ci: the fleet has another manifest of it, too (h); their results are not mixed")]
        )
        #expect(tell(.changed([EtcdChange(pair(.record, record().json.text, revision: 4))])).isEmpty)
    }

    @Test(arguments: ["nonsense", "{}", #"{"format":2}"#]) mutating func aForeignValueIsSaid(value: String) {
        _ = tell(offer())
        let actions = tell(.read([pair(.record, value)], revision: 5))
        guard case .fail(Self.id, let reason)? = actions.first, actions.count == 2 else {
            Issue.record("\(actions)")
            return
        }
        #expect(reason.hasPrefix("what etcd has at /t/w/fleet/org.example.ci/h/record is not understood: "))
        #expect(tell(.joined).isEmpty)
        // Other values say nothing.
        #expect(tell(.changed([EtcdChange(pair(.claim, "nonsense", revision: 6))])).isEmpty)
    }

    @Test mutating func sharedValuesGoBothWays() {
        let plan = FleetWidget.Plan(interval: nil, runs: false)
        func offers(_ hasContent: Bool, _ value: JSON) -> Fleet.Event {
            .offers(
                [FleetOffer(id: Self.id, hash: "h", hasContent: hasContent, plan: plan)],
                defaults: [Self.group: value], isNew: false)
        }
        let (flag, defaults) = (SharedValues.Name.hasContent(Self.path), SharedValues.Name.defaults(Self.group))
        func there(_ name: SharedValues.Name, _ value: String) -> EtcdKeyValue {
            EtcdKeyValue(key: Self.keys.key(of: name), value: value, revision: 9)
        }
        #expect(tell(offers(true, ["a": 1])).isEmpty)
        // A machine that comes in takes what the fleet has.
        #expect(
            tell(.read([there(flag, "false"), there(defaults, "nonsense")], revision: 9)) == [
                .share(.put(defaults, ["a": 1])), .share(.take(flag, false)),
            ])
        #expect(tell(offers(false, ["a": 1])).isEmpty)
        #expect(tell(offers(true, ["a": 1])) == [.share(.put(flag, true))])
        #expect(tell(.changed([EtcdChange(there(flag, "true"))])).isEmpty)
        #expect(
            tell(.changed([EtcdChange(there(defaults, #"{"a":2}"#))])) == [.share(.take(defaults, ["a": 2]))])
        #expect(tell(.changed([EtcdChange(there(flag, "3")), EtcdChange(there(defaults, "[]"))])).isEmpty)
        #expect(tell(.changed([EtcdChange(there(flag, ""), isRemoval: true)])).isEmpty)
        // What changes while the fleet is out of reach goes there later; what has changed on both sides is the fleet's.
        _ = tell(.lost("x"))
        #expect(tell(offers(false, ["a": 3])).isEmpty)
        #expect(
            tell(.read([there(flag, "true"), there(defaults, #"{"a":4}"#)], revision: 12)) == [
                .share(.take(defaults, ["a": 4])), .share(.put(flag, false)),
            ])
    }

    private static let group: AppGroup = "group.org.example"

    /// etcd alone decides what is pushed.
    @Test mutating func pushesFollowEtcd() {
        func push(_ text: String, revision: Int64) -> EtcdKeyValue {
            EtcdKeyValue(key: Self.keys.keyOfPush(Self.path), value: text, revision: revision)
        }
        let first = FleetPush(content: ["text": "red"], lifetime: .seconds(9), member: "there")
        #expect(tell(.read([push(first.json.text, revision: 4)], revision: 5)).isEmpty)
        // A claim is due, too, once the member has joined.
        #expect(tell(offer()) == [.push(Self.id, first)])
        #expect(tell(.read([push(first.json.text, revision: 4)], revision: 6)).isEmpty)
        let second = FleetPush(content: ["text": "green"])
        #expect(tell(.changed([EtcdChange(push(second.json.text, revision: 7))])) == [.push(Self.id, second)])
        #expect(tell(.changed([EtcdChange(push("nonsense", revision: 8))])).isEmpty)
        #expect(
            tell(.changed([EtcdChange(push("", revision: 9), isRemoval: true)])) == [.push(Self.id, FleetPush())])
        #expect(tell(.read([push(second.json.text, revision: 10)], revision: 10)) == [.push(Self.id, second)])
        // It has ended while the fleet was out of reach.
        #expect(tell(.read([], revision: 12)) == [.push(Self.id, FleetPush())])
        #expect(tell(.read([], revision: 13)).isEmpty)
    }

    /// todayd begins again, or has the widget again.
    @Test mutating func aTodaydThatBeginsIsToldOfPushes() {
        let push = FleetPush(content: "x")
        let pair = EtcdKeyValue(key: Self.keys.keyOfPush(Self.path), value: push.json.text, revision: 4)
        #expect(tell(offer("other")).isEmpty)
        #expect(tell(.read([pair], revision: 5)).isEmpty)
        #expect(tell(offer()) == [.push(Self.id, push)])
        #expect(tell(offer()) == [.push(Self.id, push)])
        #expect(tell(.offers([], isNew: false)).isEmpty)
        let plan = FleetWidget.Plan(interval: .minutes(1))
        let again = Fleet.Event.offers([FleetOffer(id: Self.id, hash: "h", plan: plan)], isNew: false)
        #expect(tell(again) == [.push(Self.id, push)])
        #expect(tell(again).isEmpty)
    }

    @Test(arguments: ["1", #"{"ttl":0}"#, #"{"ttl":"1s"}"#, #"{"name":1}"#]) func aWrongPushIsNone(text: String) throws
    {
        let json = try JSON.parse(text)
        #expect(throws: JSONMismatch.self) { _ = try FleetPush(JSONField(root: json)) }
    }

    @Test mutating func longValuesStayHere() {
        let long = JSON.string(String(repeating: "x", count: 70_000))
        _ = tell(.offers([], defaults: [Self.group: ["a": long]], isNew: true))
        #expect(tell(.read([], revision: 2)).isEmpty)
    }

    @Test(arguments: [
        #"{"id":"a b","hash":"h","ofSite":false,"hasContent":true,"runsAlone":false,"runs":true}"#,
        #"{"id":"a.b","ofSite":false,"hasContent":true,"runsAlone":false,"runs":true}"#,
        #"{"id":"a.b","hash":"h","ofSite":false,"hasContent":true,"runsAlone":false,"runs":true,"interval":0}"#,
    ]) func aWrongOfferIsRefused(text: String) throws {
        let field = JSONField(root: try JSON.parse(text))
        #expect(throws: JSONMismatch.self) { try FleetOffer(field) }
    }

    @Test func anOfferIsRead() throws {
        let text =
            #"{"id":"a.b","hash":"h","ofSite":true,"hasContent":false,"runsAlone":true,"runs":false,"interval":5000000}"#
        let offer = try FleetOffer(JSONField(root: try JSON.parse(text)))
        let plan = FleetWidget.Plan(interval: .seconds(5), runsAlone: true, runs: false)
        let id = try #require(WidgetID("a.b"))
        #expect(offer == FleetOffer(id: id, hash: "h", isOfSite: true, hasContent: false, plan: plan))
    }
}
