// SPDX-License-Identifier: MIT
import FleetProtocol
import JSON
import LoopLink
import Platform
import Reactor
import Systemd
import TodayModel

/// Carries out what `Fleet` decides: transactions of etcd, and calls to todayd.
@LoopActor
final class FleetDriver {
    private var fleet: Fleet
    private let keys: FleetKeys
    private let client: EtcdClient
    private var session: EtcdSession?
    private let todayd: TodaydLink
    private let log: StandardErrorLog
    private var timer: TimerSource?
    private var lastWords: [String: BootTime] = [:]
    private var isReached = false
    /// What todayd has.
    private var defaults: [AppGroup: JSON] = [:]

    init(_ options: FleetOptions, _ log: StandardErrorLog) throws {
        self.log = log
        keys = FleetKeys(prefix: options.prefix)
        let instance = options.socket.kind == .system ? "system" : options.socket.path
        // The number tells this start from earlier ones, whose claims are over.
        let start = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        let me = FleetMember(id: "\(Machine.hash(for: "org.todayd.fleet:\(instance)"))-\(start)", name: options.name)
        fleet = Fleet(me, keys: keys, site: options.site, at: .now)
        client = try EtcdClient(options.etcd)
        todayd = try TodaydLink(options.socket.path)
        timer = try TimerSource(.boottime) { [weak self] in self?.handle(.tick) }
        todayd.onEvent = { [weak self] in self?.take($0) }
        session = try EtcdSession(client, keys: keys, me: me, priority: options.priority) { [weak self] event in
            self?.take(event)
        }
    }

    func start() {
        todayd.follow()
        session?.join()
    }

    func stop(then: @escaping @LoopActor () -> Void) {
        timer?.cancel()
        todayd.stop()
        session?.leave(then: then)
    }

    // MARK: Events

    private func take(_ event: TodaydLink.Event) {
        switch event {
        case .offers(let offers, let defaults, let isNew):
            self.defaults = defaults
            handle(.offers(offers, defaults: defaults, isNew: isNew))
        case .wanted(let ids): for id in ids { handle(.wanted(id)) }
        case .lost(let reason):
            say("todayd: \(reason)")
            handle(.offers([], isNew: false))
        }
    }

    private func take(_ event: EtcdSession.Event) {
        switch event {
        case .read(let pairs, let revision): handle(.read(pairs, revision: revision))
        case .joined:
            if !isReached {
                log.write(.info, "in the fleet at \(client.endpoint), with \(fleet.members.count) machines")
            }
            isReached = true
            handle(.joined)
        case .changed(let changes): handle(.changed(changes))
        case .lost(let reason):
            say("out of the fleet: \(reason)")
            isReached = false
            handle(.lost(reason))
        }
    }

    private func handle(_ event: Fleet.Event) {
        for action in fleet.handle(event, at: .now) { carryOut(action) }
        if let wake = fleet.wake {
            timer?.arm(at: wake.microseconds, slack: 50_000)
        } else {
            timer?.disarm()
        }
    }

    /// Logs the same message at most once a minute.
    private func say(_ words: String) {
        let now = BootTime.now
        if let last = lastWords[words], now - last < .minutes(1) { return }
        if lastWords.count > 100 { lastWords = [:] }
        lastWords[words] = now
        log.write(.warning, words)
    }

    // MARK: Actions

    private func carryOut(_ action: Fleet.Action) {
        switch action {
        case .claim(let path, let revision):
            guard let lease = session?.lease else { return later(.claimed(path, .unknown)) }
            let claim = EtcdRequest.claim(path, in: keys, by: fleet.me, expecting: revision, lease: lease)
            client.send(claim) { [weak self] answer in self?.handle(.claimed(path, self?.outcome(answer) ?? .unknown)) }
        case .publish(let path, let record, let revision): publish(path, record, expecting: revision)
        case .release(let path, let claim):
            client.send(.release(path, in: keys, claim: claim)) { [weak self] answer in
                self?.handle(.released(path, claim: claim, self?.outcome(answer) ?? .unknown))
            }
        case .run(let id):
            todayd.run(id) { [weak self] result in
                if case .failure(let refusal) = result { self?.say("\(id) was not run here: \(refusal)") }
                self?.handle(.ran(id, try? result.get()))
            }
        case .accept(let id, let record, let age, let revision):
            todayd.accept(TodaydLink.News(record, age: age, revision: revision), of: id)
        case .fail(let id, let reason):
            todayd.accept(TodaydLink.News(failure: reason, member: fleet.me.name), of: id)
        case .share(.put(let name, let value)):
            client.send(.put(keys.key(of: name), value, lease: nil)) { [weak self] answer in
                if case .failure(let error) = answer { self?.say("\(error)") }
            }
        case .share(.take(let name, let value)):
            if case .defaults(let group) = name {
                todayd.take(name, value, instead: defaults[group])
            } else {
                todayd.take(name, value, instead: nil)
            }
        case .push(let id, let push):
            todayd.push(push, to: id) { [weak self] refusal in self?.say("\(id): a push was not taken: \(refusal)") }
        case .log(let words): say(words)
        }
    }

    private func later(_ event: Fleet.Event) { EventLoop.shared.post { [weak self] in self?.handle(event) } }

    /// The rest begins a few seconds before the publication and ends after it.
    private func publish(_ path: FleetPath, _ record: FleetRecord, expecting revision: Int64) {
        func publish(_ rest: Int64?) {
            let request = EtcdRequest.publish(path, in: keys, record, expecting: revision, rest: rest)
            client.send(request, within: EtcdClient.longPatience) { [weak self] answer in
                self?.handle(.published(path, claim: record.claim, self?.outcome(answer) ?? .unknown))
            }
        }
        guard let wait = record.wait else { return publish(nil) }
        client.send(.grantLease(seconds: wait.microseconds / 1_000_000 + 12)) { [weak self] answer in
            switch answer {
            case .success(let reply): publish(reply.lease)
            case .failure(let error):
                self?.say("\(error)")
                self?.handle(.published(path, claim: record.claim, .unknown))
            }
        }
    }

    private func outcome(_ answer: EtcdClient.Answer) -> FleetWidget.Answer {
        switch answer {
        case .success(let reply): return reply.hasSucceeded ? .accepted(revision: reply.revision) : .refused
        case .failure(let error):
            say("\(error)")
            return .unknown
        }
    }
}
