// SPDX-License-Identifier: MIT
import CMicroHTTPD
import Glibc
import Platform
import Reactor
import WebPage

/// Requests on one listening socket, by libmicrohttpd. Its epoll descriptor is watched by the loop; it has no thread.
@LoopActor
package final class WebServer {
    package struct Limits: Sendable {
        package var connections = 512
        /// How many connections may be streams.
        package var streams = 320
        /// Seconds without a byte in either direction, where one is expected.
        package var silence = 20
        package var times = ConnectionTimes()
        /// The users of this machine whose processes may ask; nil admits all, who then show a token.
        package var users: Set<UInt32>?
        /// The users for whom places are reserved.
        package var owners: Set<UInt32> = []
        /// How many connections may belong to clients that need a token and have shown none.
        package var strangers = 64
        /// Whether other machines may ask.
        package var servesNetwork = false

        package init() {}
    }

    package typealias Handler = @LoopActor (HTTPRequest, WebExchange) -> Void

    private let places: ConnectionSlots
    private let handler: Handler
    private var daemon: OpaquePointer?
    private var source: IOSource?
    private var alarm: TimerSource?
    private var turn: EndOfRound?
    /// The clients at the other ends.
    private var clients: [Int32: Client] = [:]
    private var isRunning = false
    /// Where it listens.
    private let place: SocketAddress?
    private static let sendBuffer: Int32 = 256 << 10

    private struct Client {
        var peer = Peer.someone
        var mayAsk = false
        var own: IPAddress?
        var other: IPAddress?
        /// Whether the address of its request contains words that the library would cut or drop.
        var asksUnclearly = false
        /// What another reader could understand differently in its request, beyond what the fields show.
        var fault: String?
    }

    private var limits: Limits { places.limits }

    /// Serves until the program ends.
    ///
    /// - Parameters:
    ///   - listener: a listening socket, which the server takes over.
    ///   - places: those of all servers of the program.
    package init(_ listener: Int32, in places: ConnectionSlots, onRequest: @escaping Handler) throws(ReactorError) {
        self.places = places
        handler = onRequest
        place = SocketAddress(.own, of: listener)
        let limits = places.limits
        // MHD_run(3) reads no more than there is, and never waits for a byte.
        guard fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK) >= 0 else {
            throw ReactorError("serve on descriptor \(listener)", code: errno)
        }
        // Unsafe: this reference is the library's until the program ends.
        let context = Unmanaged.passRetained(self).toOpaque()
        var handlers = cmhd_handlers(
            accept: Self.onAccept, target: Self.onTarget, request: Self.onRequest, completed: Self.onCompleted,
            connection: Self.onConnection,
            context: context)
        var numbers = cmhd_limits(
            connections: UInt32(limits.connections), silence: UInt32(limits.silence), memory: 32 * 1_024)
        daemon = cmhd_start(listener, &handlers, &numbers)
        guard let daemon, case let descriptor = cmhd_epoll_descriptor(daemon), descriptor >= 0 else {
            throw ReactorError("serve on descriptor \(listener)", code: EINVAL, reason: "libmicrohttpd refuses it")
        }
        turn = try EndOfRound { [weak self] in self?.run() }
        alarm = try TimerSource(.monotonic) { [weak self] in self?.run() }
        source = try IOSource(descriptor: descriptor, events: .readable) { [weak self] _ in self?.run() }
    }

    /// Lets the library work soon.
    func schedule() { turn?.schedule() }

    func hasRoomForStream(of peer: Peer) -> Bool { places.hasRoomForStream(of: peer) }

    func streamBegan(_ exchange: WebExchange) { places.streamBegan(exchange.peer, on: exchange.descriptor) }

    func streamEnded(of peer: Peer) { places.streamEnded(of: peer) }

    /// A piece of a stream has to be read within the time for an answer.
    func streamWaits(on descriptor: Int32, forReader isWaiting: Bool) {
        places.note(isWaiting ? .answering : .streaming, on: descriptor)
    }

    func trust(_ descriptor: Int32) { places.trust(descriptor) }

    private func run() {
        guard let daemon, !isRunning else { return }
        isRunning = true
        MHD_run(daemon)
        isRunning = false
        var milliseconds: UInt64 = 0
        if MHD_get_timeout(daemon, &milliseconds) == cmhd_yes {
            if milliseconds == 0 { schedule() } else { alarm?.arm(after: Int64(min(milliseconds, 1 << 30)) * 1_000) }
        } else {
            alarm?.disarm()
        }
    }

    // MARK: Connections

    /// Whether a connection is accepted: from this machine only those of users who may ask, so that others hold no places by
    /// staying silent. If every request must show a token, every user may connect.
    func lets(in other: SocketAddress?) -> Bool {
        guard let users = limits.users, let place, place.address.isLoopback, let other else { return true }
        return SocketAddress.user(of: other, at: place).map(users.contains) ?? false
    }

    func connectionBegan(_ descriptor: Int32) {
        // Unread bytes wait in the kernel, which would otherwise take megabytes for each client.
        var size = Self.sendBuffer
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        let client = client(on: descriptor)
        clients[descriptor] = client
        places.began(descriptor, by: client.peer)
    }

    private func client(on descriptor: Int32) -> Client {
        guard let own = SocketAddress(.own, of: descriptor), let other = SocketAddress(.other, of: descriptor) else {
            return Client()
        }
        var client = Client(own: own.address, other: other.address)
        if other.address.isLoopback {
            client.peer = SocketAddress.user(of: other, at: own).map { .user($0) } ?? .someone
        } else {
            client.peer = .holder(other.address.holder)
        }
        client.mayAsk = client.peer.mayAsk(users: limits.users, servesNetwork: limits.servesNetwork)
        return client
    }

    func connectionEnded(_ descriptor: Int32) {
        places.ended(descriptor)
        clients[descriptor] = nil
    }

    // MARK: Requests

    /// The first line of a request has arrived; the target is unchanged.
    func arrived(_ target: UnsafePointer<CChar>, on descriptor: Int32) {
        let target = UnsafeBufferPointer(start: target, count: strlen(target))
        let clarity = RequestShape.clarity(ofTarget: target)
        // The library has no room for that many words, and would keep the connection until it ends.
        if clarity == .tooLong { shutdown(descriptor, Int32(SHUT_RDWR)) }
        let hasSpace = target.contains { $0 == 0x20 || $0 == 0x09 }
        clients[descriptor]?.fault = hasSpace ? "an address has no space" : nil
        clients[descriptor]?.asksUnclearly = clarity == .unclear
    }

    /// The headers of a request have arrived.
    func begin(
        _ connection: OpaquePointer, _ path: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
        _ version: UnsafePointer<CChar>?
    ) -> WebExchange {
        var request = HTTPRequest(method.map { String(cString: $0) } ?? "", path.map { String(cString: $0) } ?? "")
        var lines = RequestHeadCheck(method: method, version: version)
        request.headers = Self.fields(connection, cmhd_headers, &lines).map {
            HTTPField($0.name.lowercased(), $0.value)
        }
        if !lines.areClear(inHeadOf: cmhd_head_size(connection)) {
            clients[cmhd_socket(connection)]?.fault = "each line of a request ends by CR LF, and continues no other"
        }
        var others = lines
        request.query = Self.fields(connection, cmhd_query, &others)
        let client = clients[cmhd_socket(connection)] ?? Client()
        (request.own, request.peer) = (client.own, client.other)
        let exchange = WebExchange(connection, request, by: client.peer, of: self)
        places.note(.receiving, on: exchange.descriptor)
        return exchange
    }

    /// The answer to a request that is refused before its body is read.
    func refusal(of exchange: WebExchange) -> HTTPAnswer? {
        let client = clients[exchange.descriptor] ?? Client()
        guard client.mayAsk else {
            return Self.last(HTTPAnswer(403, "this page is another user's"))
        }
        if let fault = client.fault { return Self.last(HTTPAnswer(400, fault)) }
        return RequestShape.refusal(of: exchange.request, isUnclear: client.asksUnclearly)
    }

    /// The answer with which the connection ends.
    private static func last(_ answer: HTTPAnswer) -> HTTPAnswer {
        var answer = answer
        answer.endsConnection = true
        return answer
    }

    func handle(_ exchange: WebExchange) {
        places.note(.answering, on: exchange.descriptor)
        handler(exchange.request, exchange)
    }

    func completed(_ exchange: WebExchange) {
        exchange.abandon()
        places.note(.idle, on: exchange.descriptor)
    }

    private static func fields(
        _ connection: OpaquePointer, _ kind: MHD_ValueKind, _ lines: inout RequestHeadCheck
    ) -> [HTTPField] {
        var found: (fields: [HTTPField], lines: RequestHeadCheck) = ([], lines)
        withUnsafeMutablePointer(to: &found) { found in
            // Unsafe: the library calls the function before it returns, with as many bytes as it says.
            _ = MHD_get_connection_values_n(
                connection, kind,
                { context, _, name, nameSize, value, valueSize in
                    let found = context?.assumingMemoryBound(to: (fields: [HTTPField], lines: RequestHeadCheck).self)
                    found?.pointee.fields.append(
                        HTTPField(WebServer.text(name, nameSize), WebServer.text(value, valueSize)))
                    found?.pointee.lines.take(name: name, value: value, count: valueSize)
                    return cmhd_yes
                }, found)
        }
        lines = found.lines
        return found.fields
    }

    private nonisolated static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self)
    }
}
