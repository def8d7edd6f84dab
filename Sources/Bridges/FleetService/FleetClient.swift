// SPDX-License-Identifier: MIT
import FleetProtocol
import Glibc
import JSON
import LoopLink
import Platform
import Reactor
import Systemd
import TodayModel

/// What today-fleet does for one command, outside of the service: it asks todayd which widgets belong to the fleet, and then
/// talks to etcd.
@LoopActor
final class FleetClient {
    enum Task: Equatable {
        case status
        /// Pushes the content from standard input to a widget, named by its identifier or the end of it.
        case push(String)
    }

    private let options: FleetOptions
    private let log: StandardErrorLog
    private let keys: FleetKeys
    private let etcd: EtcdClient
    private let todayd: TodaydLink
    private var call: TodayConnection?

    init(_ options: FleetOptions, _ log: StandardErrorLog) throws {
        (self.options, self.log, keys) = (options, log, FleetKeys(prefix: options.prefix))
        etcd = try EtcdClient(options.etcd)
        todayd = try TodaydLink(options.socket.path)
    }

    func begin(_ task: Task) {
        todayd.onEvent = { [self] event in
            todayd.stop()
            todayd.onEvent = { _ in }
            switch (task, event) {
            case (.push(let word), .offers(let offers, _, _)): push(to: word, of: offers)
            case (.push, .lost(let reason)): fail("todayd: \(reason)")
            case (.status, .offers(let offers, _, _)): readRevisions(of: offers)
            // Without todayd, what etcd has is still shown.
            case (.status, .lost): showStatus([:])
            case (_, .wanted): break
            }
        }
        todayd.follow()
    }

    private func fail(_ reason: String) {
        log.write(.error, reason)
        EventLoop.exit(1)
    }

    private func failToReach(_ error: EtcdError) {
        let hint = options.isOfThisMachine ? "; --endpoint names its etcd, as OPTIONS= in fleet.conf does" : ""
        fail("the fleet is out of reach: \(error)\(hint)")
    }

    // MARK: Pushing

    private func push(to word: String, of offers: [FleetOffer]) {
        let found = offers.filter { $0.id.text == word || $0.id.text.hasSuffix(".\(word)") }
        guard let offer = found.first(where: { $0.id.text == word }) ?? (found.count == 1 ? found.first : nil) else {
            let reason =
                found.isEmpty ? "is not a widget of a fleet: its manifest has no Scope= in [Fleet]" : "is ambiguous"
            return fail("\(word) \(reason)")
        }
        guard let path = offer.path(site: options.site) else {
            return fail("\(offer.id) has Scope=site, and this today-fleet has no --site")
        }
        var push: FleetPush
        let bytes = Descriptor.readAll(STDIN_FILENO, upTo: FleetPush.longest) ?? []
        guard bytes.count <= FleetPush.longest else {
            return fail("standard input: a fleet takes pushes of \(FleetPush.longest >> 10) KiB")
        }
        do {
            push = try FleetPush(JSONField(root: try JSON.parse(bytes)))
        } catch {
            return fail("standard input: \(error)")
        }
        push.member = options.name
        guard let lifetime = push.lifetime else { return put(push, at: path, lease: nil) }
        etcd.send(.grantLease(seconds: max(1, (lifetime.microseconds + 999_999) / 1_000_000))) { [self] answer in
            switch answer {
            case .success(let reply): put(push, at: path, lease: reply.lease)
            case .failure(let error): failToReach(error)
            }
        }
    }

    private func put(_ push: FleetPush, at path: FleetPath, lease: Int64?) {
        etcd.send(.put(keys.keyOfPush(path), push.json, lease: lease), within: EtcdClient.longPatience) {
            [self] answer in
            if case .failure(let error) = answer { return failToReach(error) }
            EventLoop.exit(0)
        }
    }

    // MARK: Status

    private func readRevisions(of offers: [FleetOffer]) {
        var here: [FleetPath: Int64] = [:]
        call = try? TodayConnection(to: options.socket.path, "Status", [:]) { [self] event in
            switch event {
            case .reply(let reply):
                for widget in reply["widgets"]?.arrayValue ?? [] {
                    let offer = offers.first { $0.id.text == widget["id"]?.stringValue }
                    guard let path = offer?.path(site: options.site) else { continue }
                    here[path] = widget["fleet"]?["revision"]?.intValue
                }
            case .end, .failed:
                call?.cancel()
                showStatus(here)
            }
        }
        if call == nil { showStatus([:]) }
    }

    private func showStatus(_ here: [FleetPath: Int64]) {
        etcd.send(.range(prefix: keys.all, isStale: true)) { [self] answer in
            switch answer {
            case .failure(let error): failToReach(error)
            case .success(let reply):
                print(FleetStatus(reply.pairs, keys: keys, here: here, at: .now).text, terminator: "")
                EventLoop.exit(0)
            }
        }
    }
}
