// SPDX-License-Identifier: MIT
import JSON
import Reactor
import Testing
import TodayModel
import Varlink

@testable import QueryService
@testable import TodayDaemon

/// A client of a simulated machine's daemon, on its loop. It never waits, but takes the replies that have arrived.
@LoopActor
final class DaemonClient {
    private let machine: SimulatedMachine
    private let connection: VarlinkConnection

    init(of machine: SimulatedMachine) async throws {
        self.machine = machine
        let paths = machine.daemon.instance.paths
        if machine.daemon.service.listeners.isEmpty {
            try machine.daemon.service.listen(at: paths.socket, mode: 0o600)
        }
        connection = try VarlinkConnection(path: paths.socket, timeout: .seconds(1))
    }

    deinit {
        // The connection closes on the loop, before the daemon ends.
        let machine = machine
        EventLoop.shared.post { machine.daemon.service.stop { withExtendedLifetime(machine) {} } }
    }

    /// Begins a stream, and takes the first reply.
    @discardableResult
    func follow(_ method: String, _ parameters: JSONObject = [:]) async throws -> JSONObject {
        try connection.send(VarlinkCall("org.todayd.Today.\(method)", parameters, more: true))
        return try #require(try await news().first)
    }

    /// The replies that have arrived since the last call.
    func news() async throws -> [JSONObject] {
        // The daemon needs some turns of the loop to pass its news from one socket to the other.
        for _ in 0..<3 { await machine.settle() }
        var replies: [JSONObject] = []
        while let reply = try connection.receiveAvailable() { replies.append(try reply.result()) }
        return replies
    }

    /// The events since the last call, as `kind id text`.
    func events() async throws -> [String] {
        try await news().flatMap { $0["events"]?.arrayValue ?? [] }.map { event in
            ["kind", "id", "text"].compactMap { event[$0]?.stringValue }.joined(separator: " ")
        }
    }

    /// The changed widgets since the last call, by identifier.
    func items() async throws -> [String: JSON] {
        let items = try await news().flatMap { $0["items"]?.arrayValue ?? [] }
        return Dictionary(items.map { ($0["id"]?.stringValue ?? "", $0) }) { $1 }
    }
}
