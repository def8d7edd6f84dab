// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Reactor
import Testing
import TodayModel
import Varlink
import VarlinkInterface

@testable import QueryService
@testable import TodayDaemon

/// The daemon has not answered although nothing follows from the call any more.
struct NoReply: Error {}

/// A client of a simulated machine's daemon, on its loop. It never waits, but takes the replies that have arrived.
@LoopActor
final class DaemonClient {
    private let machine: SimulatedMachine
    private let connection: VarlinkConnection
    private let interface: InterfaceDescription

    init(of machine: SimulatedMachine) async throws {
        self.machine = machine
        interface = InterfaceDescription(constant: Interfaces.today)
        let paths = machine.daemon.instance.paths
        if machine.daemon.service.listeners.isEmpty {
            try machine.daemon.listen()
        }
        connection = try VarlinkConnection(path: paths.socket, timeout: .seconds(1))
    }

    /// The program of a widget, on its extension context.
    init(of machine: SimulatedMachine, as widget: WidgetID) throws {
        self.machine = machine
        interface = InterfaceDescription(constant: Interfaces.extensionContext)
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        _ = machine.daemon.serve(OwnedDescriptor(adopting: ends[0]), contextOf: widget)
        connection = try VarlinkConnection(adopting: ends[1], name: "descriptor 4", timeout: .seconds(1))
    }

    deinit {
        // The connection closes on the loop, before the daemon ends.
        let machine = machine
        EventLoop.shared.post { machine.daemon.service.stop { withExtendedLifetime(machine) {} } }
    }

    /// Sends a call, and returns its reply when the daemon has given it.
    func call(_ method: String, _ parameters: JSONObject = [:]) async throws -> JSONObject {
        try send(method, parameters)
        for _ in 0..<50 {
            await machine.settle()
            guard let reply = try connection.receiveAvailable() else { continue }
            let result = try reply.result()
            #expect(interface.check(result, against: .output(of: method)) == nil, "\(method): \(result)")
            return result
        }
        throw NoReply()
    }

    func send(_ method: String, _ parameters: JSONObject = [:]) throws {
        try connection.send(VarlinkCall("\(interface.name).\(method)", parameters))
    }

    /// The error that a call gets; nil where it gets none.
    func error(of method: String, _ parameters: JSONObject = [:]) async throws -> VarlinkError? {
        do {
            _ = try await call(method, parameters)
            return nil
        } catch let error as VarlinkError {
            return error
        }
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
