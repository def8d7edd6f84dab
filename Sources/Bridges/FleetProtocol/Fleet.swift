// SPDX-License-Identifier: MIT
import JSON
import Platform
import TodayModel

/// A fleet as one member sees it: the widgets of its todayd, the keys in etcd, and what to do next.
///
/// It is pure: it is told what todayd and etcd say, with the time, and returns what to send to them. The keys are either read
/// as a whole or followed by a watch from the revision of that reading, so that no change is missed.
package struct Fleet: Sendable {
    package enum Event: Sendable {
        /// The widgets of todayd, each time that they change. `isNew`: this is a new connection to todayd, which has been told
        /// nothing yet.
        case offers([FleetOffer], defaults: [AppGroup: JSON] = [:], isNew: Bool)
        case wanted(WidgetID)
        case ran(WidgetID, FleetResult?)
        /// All keys, at a revision. They may come from a stored copy; then the member claims nothing until the watch has begun.
        case read([EtcdKeyValue], revision: Int64)
        case changed([EtcdChange])
        /// From now on the member may claim widgets.
        case joined
        case lost(String)
        case claimed(FleetPath, FleetWidget.Answer)
        case published(FleetPath, claim: Int64, FleetWidget.Answer)
        case released(FleetPath, claim: Int64, FleetWidget.Answer)
        case tick
    }

    package enum Action: Equatable, Sendable {
        case claim(FleetPath, expecting: Int64)
        case publish(FleetPath, FleetRecord, expecting: Int64)
        case release(FleetPath, claim: Int64)
        case run(WidgetID)
        /// - Parameter age: the age of the answer, at most.
        case accept(WidgetID, FleetRecord, age: TimeSpan, revision: Int64)
        /// Tells todayd that there is no new answer for a widget, and why.
        case fail(WidgetID, String)
        /// Changes a value in etcd, or here.
        case share(SharedValues.Step)
        /// Pushes content to this machine's widget, or takes it back.
        case push(WidgetID, FleetPush)
        case log(String)
    }

    /// How many widgets a member claims or runs at once. The others wait, or another member claims them.
    static let mostAtOnce = 4
    /// How long the fleet may be out of reach before a due widget is marked stale, or runs alone.
    static let patience = TimeSpan.seconds(30)

    private struct Known {
        var id: WidgetID
        var widget: FleetWidget
        /// A run for this member alone, while the fleet is out of reach.
        var runsAlone = false
        /// When the widget last ran alone, or was marked stale, while the fleet was out of reach.
        var alone: BootTime?
    }

    package let me: FleetMember
    private let keys: FleetKeys
    private let site: String?
    private var known: [FleetPath: Known] = [:]
    package private(set) var members: [String: Int] = [:]
    /// Widgets of which the fleet also has another manifest.
    private var strangers: [WidgetID: Set<String>] = [:]
    private var shared = SharedValues()
    private var pushes = FleetPushes()
    /// Since when the fleet has been out of reach, and why; nil while it is in reach.
    private var lost: (since: BootTime, reason: String)?
    /// The keys in etcd, for widgets that todayd adds later.
    private var stored: [FleetPath: [FleetKeys.Part: EtcdKeyValue]] = [:]

    package init(_ me: FleetMember, keys: FleetKeys, site: String?, at now: BootTime) {
        (self.me, self.keys, self.site) = (me, keys, site)
        lost = (now, "it was not reached yet")
    }

    /// When `tick` is due, if no event comes before.
    package var wake: BootTime? {
        let isFull = isFull
        return known.compactMap { path, known in
            if isFull, !isBusy(known) { return nil }
            guard let lost else { return known.widget.wake { rank(of: path, known.widget) } }
            return isBusy(known) ? nil : aloneTime(known, since: lost.since)
        }.min()
    }

    package mutating func handle(_ event: Event, at now: Moment) -> [Action] {
        switch event {
        case .offers(let offers, let defaults, let isNew):
            return take(offers, isNew: isNew, at: now) + share(offers, defaults)
        case .wanted(let id):
            return known.keys.filter { $0.id == id }.flatMap { tell($0, .wanted, at: now) } + tick(at: now)
        case .ran(let id, let result): return ran(id, result, at: now)
        case .read(let pairs, let revision): return read(pairs, revision, at: now)
        case .changed(let changes): return changes.flatMap { change($0, at: now) } + tick(at: now)
        case .joined:
            lost = nil
            for path in Array(known.keys) { known[path]?.alone = nil }
            return tick(at: now)
        case .lost(let reason):
            if lost == nil { lost = (now.boot, reason) } else { lost?.reason = reason }
            shared.lose()
            return []
        case .claimed(let path, let answer): return tell(path, .claimed(answer), at: now)
        case .published(let path, let claim, let answer):
            return tell(path, .published(claim: claim, answer), at: now)
        case .released(let path, let claim, let answer):
            return tell(path, .released(claim: claim, answer), at: now)
        case .tick: return tick(at: now)
        }
    }

    // MARK: todayd

    private mutating func take(_ offers: [FleetOffer], isNew: Bool, at now: Moment) -> [Action] {
        var actions: [Action] = []
        var paths: Set<FleetPath> = []
        for offer in offers {
            guard let path = offer.path(site: site) else {
                actions.append(.fail(offer.id, "Scope=site, and this today-fleet has no --site"))
                continue
            }
            paths.insert(path)
            if known[path] == nil {
                known[path] = Known(id: offer.id, widget: FleetWidget(offer.plan, of: me, at: now.boot))
                actions += adopt(path, at: now)
            } else {
                known[path]?.widget.plan = offer.plan
                if isNew, let widget = known[path]?.widget, let record = widget.record {
                    actions.append(accept(path, record, widget.revision, at: now))
                }
            }
        }
        for (path, entry) in known where !paths.contains(path) {
            if let claim = entry.widget.heldClaim { actions.append(.release(path, claim: claim)) }
            known[path] = nil
        }
        if isNew { pushes.forget() }
        return actions + settlePushes() + tick(at: now)
    }

    private mutating func settlePushes() -> [Action] {
        pushes.settle(known.keys).map { .push($0.id, $1) }
    }

    private mutating func share(_ offers: [FleetOffer], _ defaults: [AppGroup: JSON]) -> [Action] {
        var values: [SharedValues.Name: JSON] = [:]
        for offer in offers {
            if let path = offer.path(site: site) { values[.hasContent(path)] = .bool(offer.hasContent) }
        }
        for (group, value) in defaults { values[.defaults(group)] = value }
        return shared.isHere(values).map(Action.share)
    }

    /// Tells a widget that todayd has added what etcd already has of it.
    private mutating func adopt(_ path: FleetPath, at now: Moment) -> [Action] {
        guard let parts = stored[path] else { return [] }
        return [.record, .claim].flatMap { (part: FleetKeys.Part) in
            parts[part].map { put($0, path, part, isResting: parts[.rest] != nil, at: now) } ?? []
        }
    }

    private mutating func ran(_ id: WidgetID, _ result: FleetResult?, at now: Moment) -> [Action] {
        var actions: [Action] = []
        for (path, entry) in known where entry.id == id {
            if entry.runsAlone {
                known[path]?.runsAlone = false
                guard let result else { continue }
                let record = FleetRecord(
                    me, claim: 0, result, after: entry.widget.record, interval: entry.widget.plan.interval,
                    at: now.wall)
                actions.append(.accept(id, record, age: .zero, revision: 0))
            } else {
                actions += tell(path, .ran(result), at: now)
            }
        }
        return actions
    }

    // MARK: etcd

    private mutating func read(_ pairs: [EtcdKeyValue], _ revision: Int64, at now: Moment) -> [Action] {
        members = [:]
        stored = [:]
        var values: [SharedValues.Name: JSON] = [:]
        var pushed: [FleetPath: EtcdKeyValue] = [:]
        for pair in pairs {
            switch keys.subject(of: pair.key) {
            case .pushed(let path)?: pushed[path] = pair
            case .member(let id)?: members[id] = Self.priority(of: pair)
            case .widget(let path, let part)?: stored[path, default: [:]][part] = pair
            case .shared(let name)?: values[name] = Self.value(of: pair, for: name)
            case nil: break
            }
        }
        var actions: [Action] = []
        for path in stored.keys { actions += noteStranger(path) }
        for path in Array(known.keys) {
            actions += adopt(path, at: now)
            let parts = stored[path]
            if parts?[.record] == nil, known[path]?.widget.revision != 0 {
                actions += tell(path, .recordGone(revision: revision), at: now)
            }
            if parts?[.claim] == nil { actions += tell(path, .freed(revision: revision), at: now) }
        }
        pushes.isThere(pushed)
        return actions + settlePushes() + shared.isThere(values).map(Action.share)
    }

    /// Nil for a value that does not fit the name.
    private static func value(of pair: EtcdKeyValue, for name: SharedValues.Name) -> JSON? {
        guard let value = try? JSON.parse(pair.value, maxValues: ContentLimits.values) else { return nil }
        switch name {
        case .hasContent: return value.boolValue.map(JSON.bool)
        case .defaults: return value.objectValue.map(JSON.object)
        }
    }

    private mutating func change(_ change: EtcdChange, at now: Moment) -> [Action] {
        switch (keys.subject(of: change.pair.key), change.isRemoval) {
        case (.member(let id)?, let isRemoval):
            members[id] = isRemoval ? nil : Self.priority(of: change.pair)
            return []
        case (.widget(let path, let part)?, false):
            stored[path, default: [:]][part] = change.pair
            return noteStranger(path) + put(change.pair, path, part, isResting: nil, at: now)
        case (.widget(let path, let part)?, true):
            stored[path]?[part] = nil
            switch part {
            case .record: return tell(path, .recordGone(revision: change.pair.revision), at: now)
            case .claim: return tell(path, .freed(revision: change.pair.revision), at: now)
            case .rest: return tell(path, .rested(revision: change.pair.revision), at: now)
            }
        case (.pushed(let path)?, let isRemoval):
            pushes.changed(path, isRemoval ? nil : change.pair)
            return settlePushes()
        case (.shared(let name)?, false):
            guard let value = Self.value(of: change.pair, for: name) else { return [] }
            return shared.changedThere(name, value).map(Action.share)
        case (.shared?, true), (nil, _): return []
        }
    }

    private mutating func put(
        _ pair: EtcdKeyValue, _ path: FleetPath, _ part: FleetKeys.Part, isResting: Bool?, at now: Moment
    ) -> [Action] {
        guard known[path] != nil else {
            // A claim on a widget that no longer exists here.
            let holder = part == .claim ? Self.member(of: pair) : nil
            return holder == me ? [.release(path, claim: pair.revision)] : []
        }
        do {
            let field = JSONField(
                root: try JSON.parse(pair.value, maxValues: ContentLimits.values + 16))
            switch part {
            case .record:
                return tell(
                    path, .record(try FleetRecord(field), revision: pair.revision, isResting: isResting), at: now)
            case .claim: return tell(path, .held(try FleetMember(field), revision: pair.revision), at: now)
            case .rest: return []
            }
        } catch {
            guard part == .record else { return [] }
            let reason = "what etcd has at \(PlainText.quoting(pair.key, upTo: 200)) is not understood: \(error)"
            return tell(path, .unreadable(revision: pair.revision), at: now) + [.fail(path.id, reason), .log(reason)]
        }
    }

    private static func member(of pair: EtcdKeyValue) -> FleetMember? {
        (try? JSON.parse(pair.value, maxValues: 16)).flatMap { try? FleetMember(JSONField(root: $0)) }
    }

    private static func priority(of pair: EtcdKeyValue) -> Int {
        let json = try? JSON.parse(pair.value, maxValues: 16)
        return Int(clamping: json?["priority"]?.intValue ?? 0)
    }

    /// Says once that the fleet has another manifest of a widget.
    private mutating func noteStranger(_ path: FleetPath) -> [Action] {
        let own = known.keys.first { $0.id == path.id && $0.scope == path.scope }
        guard let own, own.hash != path.hash, strangers[path.id, default: []].insert(path.hash).inserted else {
            return []
        }
        return [
            .log("\(path.id): the fleet has another manifest of it, too (\(path.hash)); their results are not mixed")
        ]
    }

    // MARK: Widgets

    private mutating func tick(at now: Moment) -> [Action] {
        Array(known.keys).flatMap { path -> [Action] in
            if isFull, known[path].map(isBusy) != true { return [] }
            guard lost != nil else { return tell(path, .tick, at: now) }
            return goAlone(path, at: now)
        }
    }

    private var isFull: Bool { known.values.reduce(0) { $0 + (isBusy($1) ? 1 : 0) } >= Self.mostAtOnce }

    /// Out of reach, an unanswered transaction does not hold a widget back, because no answer may come for days.
    private func isBusy(_ entry: Known) -> Bool {
        entry.runsAlone || (lost == nil ? entry.widget.isBusy : entry.widget.isRunning)
    }

    private func aloneTime(_ entry: Known, since: BootTime) -> BootTime? {
        let widget = entry.widget
        guard widget.plan.runs else { return nil }
        if let alone = entry.alone {
            return widget.plan.runsAlone ? widget.plan.interval.map { alone + $0 } : nil
        }
        let due = widget.record.map { record in record.wait.flatMap { wait in widget.seen.map { $0 + wait } } }
        switch due {
        case nil: return since + Self.patience
        case .some(nil): return nil
        case .some(let due?): return max(due, since) + Self.patience
        }
    }

    private mutating func goAlone(_ path: FleetPath, at now: Moment) -> [Action] {
        guard let lost, let entry = known[path], !isBusy(entry),
            let time = aloneTime(entry, since: lost.since), time <= now.boot
        else { return [] }
        known[path]?.alone = now.boot
        guard entry.widget.plan.runsAlone else {
            return [.fail(entry.id, "the fleet is out of reach: \(lost.reason)")]
        }
        known[path]?.runsAlone = true
        return [.run(entry.id)]
    }

    private mutating func tell(_ path: FleetPath, _ event: FleetWidget.Event, at now: Moment) -> [Action] {
        guard var widget = known[path]?.widget else { return [] }
        let before = widget
        let steps = widget.handle(event, rank: { rank(of: path, before) }, at: now)
        known[path]?.widget = widget
        return steps.map { step in
            switch step {
            case .claim(let revision): .claim(path, expecting: revision)
            case .run: .run(path.id)
            case .publish(let record, let revision): .publish(path, record, expecting: revision)
            case .release(let claim): .release(path, claim: claim)
            case .accept(let record, let revision): accept(path, record, revision, at: now)
            case .discard(let reason): .log("\(path.id): \(reason)")
            }
        }
    }

    private func accept(_ path: FleetPath, _ record: FleetRecord, _ revision: Int64, at now: Moment) -> Action {
        // Only the publisher's date tells the age of a record from before this member joined. Nothing depends on it but the age
        // that people read, and it is kept within what is known of the widget's rest.
        let widget = known[path]?.widget
        let elapsed = now.boot - (widget?.seen ?? now.boot)
        let (byDate, wait) = (max(.zero, now.wall - elapsed - record.date), record.wait ?? .zero)
        let before: TimeSpan =
            switch widget?.wasResting {
            case true?: min(byDate, wait)
            case false?: max(byDate, wait)
            case nil: .zero
            }
        return .accept(path.id, record, age: before + elapsed, revision: revision)
    }

    /// The order in which members claim: by priority; among equals, another member is first each time.
    private func rank(of path: FleetPath, _ widget: FleetWidget) -> Int {
        func order(_ id: String, _ priority: Int) -> (Int, UInt64) {
            // The end of a text hardly changes the high bits of its hash, so the order would always be the same.
            let hash = StableHash("\(id)/\(path.text)/\(widget.revision)".utf8).value
            return (-priority, (hash ^ (hash >> 32)) &* 0x9e37_79b9_7f4a_7c15)
        }
        let own = order(me.id, members[me.id] ?? 0)
        return members.reduce(0) { $0 + ($1.key != me.id && order($1.key, $1.value) < own ? 1 : 0) }
    }
}
