// SPDX-License-Identifier: MIT
import FleetProtocol
import JSON
import Reactor
import TodayModel

/// A member's place in the fleet: a lease that is kept, all keys read, and a watch from that reading on. Any failure ends the
/// session, and it begins again after a wait.
@LoopActor
final class EtcdSession {
    enum Event {
        case read([EtcdKeyValue], revision: Int64)
        case joined
        case changed([EtcdChange])
        case lost(String)
    }

    static let leaseSeconds: Int64 = 15
    /// A session that has lasted this long counts as working.
    private static let steady = TimeSpan.minutes(1)
    private static let longestWait = TimeSpan.seconds(30)

    /// Nil until the member has joined.
    private(set) var lease: Int64?
    private let client: EtcdClient
    private let keys: FleetKeys
    private let me: FleetMember
    private let priority: Int
    private let onEvent: @LoopActor (Event) -> Void
    private var isJoined = false
    private var hasRead = false
    private var watch: EtcdWatch?
    private var timer: TimerSource?
    private var began = BootTime.now
    private var wait = TimeSpan.seconds(1)
    private var missed = 0
    /// Answers to earlier attempts are ignored.
    private var attempt = 0

    init(
        _ client: EtcdClient, keys: FleetKeys, me: FleetMember, priority: Int,
        onEvent: @escaping @LoopActor (Event) -> Void
    ) throws {
        (self.client, self.keys, self.me, self.priority, self.onEvent) = (client, keys, me, priority, onEvent)
        timer = try TimerSource(.boottime) { [weak self] in self?.wakeUp() }
    }

    func join() {
        attempt += 1
        began = .now
        guard let lease else { return grantLease() }
        // The member's claims continue, and so do their runs.
        step(.keepAlive(lease)) { [self] reply in
            if reply.leaseSeconds == nil { grantLease() } else { enter(lease) }
        }
    }

    private func grantLease() {
        lease = nil
        step(.grantLease(seconds: Self.leaseSeconds)) { [self] reply in
            guard let lease = reply.lease else { return lose("etcd grants no lease") }
            self.lease = lease
            enter(lease)
        }
    }

    private func enter(_ lease: Int64) {
        var value = me.json.objectValue ?? [:]
        value["priority"] = JSON(priority)
        value["version"] = .string(Version.text)
        step(.put(keys.key(of: me), .object(value), lease: lease)) { [self] _ in read() }
    }

    private func read() {
        step(.range(prefix: keys.all, isStale: false)) { [self] reply in
            hasRead = true
            onEvent(.read(reply.pairs, revision: reply.revision))
            let attempt = attempt
            watch = client.watch(
                prefix: keys.all, from: reply.revision + 1,
                onReply: { [weak self] reply in
                    guard let self, self.attempt == attempt else { return }
                    take(reply)
                },
                onEnd: { [weak self] error in
                    guard let self, self.attempt == attempt else { return }
                    lose("\(error)")
                })
            arm()
        }
    }

    /// Every few minutes etcd reports that nothing has changed, by an empty reply.
    private func take(_ reply: EtcdReply) {
        if reply.isCancelled { return lose(reply.cancelReason) }
        if reply.isCreated, !isJoined {
            isJoined = true
            onEvent(.joined)
        }
        let changes = reply.changes
        if !changes.isEmpty { onEvent(.changed(changes)) }
    }

    private func step(_ request: EtcdRequest, then: @escaping @LoopActor (EtcdReply) -> Void) {
        let attempt = attempt
        client.send(request, within: EtcdClient.longPatience) { [self] answer in
            guard self.attempt == attempt else { return }
            switch answer {
            case .success(let reply): then(reply)
            case .failure(let error): lose("\(error)")
            }
        }
    }

    // MARK: The lease

    private func arm() {
        let pause = TimeSpan.seconds(Self.leaseSeconds) / 3
        timer?.arm(after: pause.microseconds, slack: 500_000)
    }

    private func wakeUp() {
        guard watch != nil, let lease else { return join() }
        arm()
        let attempt = attempt
        client.send(.keepAlive(lease)) { [self] answer in
            guard self.attempt == attempt else { return }
            switch answer {
            // For a lease that has ended, etcd also answers, but without a time.
            case .success(let reply) where reply.leaseSeconds == nil:
                lose("its lease has ended")
            case .success: missed = 0
            case .failure(let error):
                missed += 1
                if missed >= 2 { lose("\(error)") }
            }
        }
    }

    private func lose(_ reason: String) {
        attempt += 1
        missed = 0
        if let watch { client.cancel(watch) }
        watch = nil
        isJoined = false
        onEvent(.lost(reason))
        if !hasRead { readStale() }
        if .now - began >= Self.steady { wait = .seconds(1) }
        let jitter = TimeSpan(microseconds: Int64.random(in: 0...(wait.microseconds / 2)))
        timer?.arm(after: (wait + jitter).microseconds)
        wait = min(wait * 2, Self.longestWait)
    }

    /// Without a quorum, an etcd still returns what it has stored.
    private func readStale() {
        client.send(.range(prefix: keys.all, isStale: true)) { [self] answer in
            guard case .success(let reply) = answer, !hasRead else { return }
            hasRead = true
            onEvent(.read(reply.pairs, revision: reply.revision))
        }
    }

    /// Leaves the fleet at once, so that the others need not wait for the lease to end.
    func leave(then: @escaping @LoopActor () -> Void) {
        attempt += 1
        timer?.cancel()
        if let watch { client.cancel(watch) }
        guard let lease else { return then() }
        client.send(.revoke(lease), within: .seconds(2)) { _ in then() }
    }
}
