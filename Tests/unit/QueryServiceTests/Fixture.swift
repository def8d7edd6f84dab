// SPDX-License-Identifier: MIT
import Glibc
import JSON
import QueryService
import Reactor
import TestSupport
import Testing
import TodayModel
import Varlink
import VarlinkInterface

/// A service with a backend in memory on its own socket. Tests are clients: they run off the loop, and block.
@LoopActor
final class Fixture {
    let backend: MemoryBackend
    let service: QueryService
    nonisolated let troubles = Arrivals<ClientTrouble>("trouble")
    /// Arrives each time a change begins to wait until the test completes it.
    nonisolated let held: Arrivals<Void>
    private nonisolated let directory = TemporaryDirectory()

    nonisolated static let today = InterfaceDescription(constant: Interfaces.today)

    /// This process has both ends of thousands of connections, and a shell usually allows it 1,024 descriptors.
    private nonisolated static let manyDescriptors: Bool = {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
        limit.rlim_cur = limit.rlim_max
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    }()

    init(_ items: [Item] = [.showing("42 %")], limits: QueryLimits = QueryLimits()) throws {
        try #require(Self.manyDescriptors)
        let held = Arrivals<Void>("held completion")
        self.held = held
        backend = MemoryBackend(onHeld: { held.send() })
        for item in items { backend.put(item) }
        let troubles = troubles
        service = try QueryService(
            backend: backend,
            info: ServiceInfo(
                vendor: "V", product: "P", version: "1", url: "https://example.org",
                interfaces: [InterfaceText(Interfaces.today)]),
            limits: limits, onTrouble: { troubles.send($0) })
        service.serve(backend.methods.map(\.askingThePolicy), inContexts: backend.contextMethods)
        try service.listen(at: path, mode: 0o600)
    }

    deinit {
        // The last client ended on another thread; the rest must be closed on the loop's thread.
        let (service, backend) = (service, backend)
        EventLoop.shared.post { service.stop { withExtendedLifetime(backend) {} } }
    }

    nonisolated var path: String { directory("socket") }

    nonisolated func connect(timeout: Duration = .seconds(10)) throws -> Client {
        try Client(of: self, timeout: timeout)
    }

    /// Changes items as one turn of the daemon does, and announces them.
    func change(_ items: Item...) {
        for item in items { backend.put(item) }
        service.announce(changed: Set(items.map(\.id)))
    }

    /// Waits for a condition of which no event tells.
    func eventually(_ what: String, _ condition: @LoopActor (Fixture) -> Bool) async throws {
        try await TestSupport.eventually(what) { condition(self) }
    }

    func with<Value: Sendable>(_ body: @LoopActor (Fixture) throws -> Value) rethrows -> Value { try body(self) }
}

/// A connection to a fixture's service. It keeps the fixture alive.
final class Client {
    let connection: VarlinkConnection
    private let fixture: Fixture

    init(of fixture: Fixture, timeout: Duration) throws {
        self.fixture = fixture
        connection = try VarlinkConnection(path: fixture.path, timeout: timeout)
    }

    /// Takes over one end of a connection whose other end the service has or had.
    init(of fixture: Fixture, adopting descriptor: Int32) throws {
        self.fixture = fixture
        connection = try VarlinkConnection(adopting: descriptor, name: "a pair", timeout: .seconds(10))
    }

    func send(_ call: VarlinkCall) throws { try connection.send(call) }

    func receive(within limit: Duration = .seconds(10)) throws -> VarlinkReply {
        try connection.receive(within: limit)
    }

    func call(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
        try connection.call(method, parameters)
    }

    /// Calls a method of org.todayd.Today and checks the reply against the interface.
    func today(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
        let reply = try call("org.todayd.Today.\(method)", parameters)
        expectDeclared(reply, as: method)
        return reply
    }

    /// Begins a stream; the caller receives the replies.
    func follow(_ method: String, _ parameters: JSONObject = [:]) throws {
        try send(VarlinkCall("org.todayd.Today.\(method)", parameters, more: true))
    }

    /// The next reply of a stream, which is not the last one.
    func news(of method: String, within limit: Duration = .seconds(10)) throws -> JSONObject {
        let reply = try receive(within: limit)
        #expect(reply.continues)
        let parameters = try reply.result()
        expectDeclared(parameters, as: method)
        return parameters
    }

    /// The error that a call gets.
    func error(of method: String, _ parameters: JSONObject = [:]) throws -> VarlinkError? {
        do {
            let reply = try call(method, parameters)
            Issue.record("\(method) answered \(reply)")
            return nil
        } catch let error as VarlinkError {
            return error
        }
    }

    /// Sends bytes without encoding a call.
    func sendRaw(_ text: String) throws {
        try #require(sendIfOpen(text))
    }

    /// Sends bytes without encoding a call; false when the service has closed the connection.
    func sendIfOpen(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return StreamSocket.send(bytes, to: connection.descriptor) == .bytes(bytes.count)
    }

    /// Waits until the service has closed this connection, and ignores its replies.
    func awaitClosing() throws {
        do {
            while true { _ = try receive(within: .seconds(10)) }
        } catch VarlinkConnectionError.closedByService {
            return
        }
    }

    private func expectDeclared(_ reply: JSONObject, as method: String) {
        let mismatch = Fixture.today.check(reply, against: .output(of: method))
        #expect(mismatch == nil, "\(method): \(reply)")
    }
}

extension JSONObject {
    /// The texts of the items in a reply of Show.
    var texts: [String] {
        (self["items"]?.arrayValue ?? []).compactMap { $0["content"]?["text"]?.stringValue }
    }

    func strings(_ key: String) -> [String] { (self[key]?.arrayValue ?? []).compactMap(\.stringValue) }
}
