// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Synchronization

/// Serves the API on 127.0.0.1: sends the answer that a test gives it, valid or not, to one connection after another, on its
/// own thread. Waits at most ten seconds for a client.
final class PriceServer: Sendable {
    /// The bytes to send, and whether the server then waits until the client closes the connection.
    struct Answer: Sendable {
        var bytes: [UInt8]
        var staysOpen = false

        /// A complete answer with a header for its length.
        init(_ body: String, status: String = "200 OK", headers: [String] = []) {
            let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers
            bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
        }

        /// Any bytes, which need not be an answer.
        init(raw: String, staysOpen: Bool = false) {
            bytes = Array(raw.utf8)
            self.staysOpen = staysOpen
        }
    }

    /// The environment of a client: without a proxy, and without a todayd.
    static func variables(_ own: [String: String]) -> [String: String] {
        let usual = ["no_proxy": "127.0.0.1", "TODAYD_SOCKET": "/nonexistent", "TERM": "xterm-256color"]
        return usual.merging(own) { $1 }
    }

    private struct State {
        var answer: Answer
        var requests: [[Substring]] = []
    }

    let port: UInt16
    private let listener: Int32
    private let state: Mutex<State>
    private let thread = Mutex(pthread_t())

    init(_ answer: Answer) {
        state = Mutex(State(answer: answer))
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        precondition(isListening, "cannot listen on 127.0.0.1: \(errno)")
        (listener, port) = (descriptor, UInt16(bigEndian: address.sin_port))
        start()
    }

    var url: String { "http://127.0.0.1:\(port)" }

    /// Sets the answer to the next requests.
    func answer(_ answer: Answer) { state.withLock { $0.answer = answer } }

    /// The lines of each request so far.
    var requests: [[Substring]] { state.withLock { $0.requests } }

    /// Ends the thread, which stops when it cannot accept any more connections. Call it once.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        _ = thread.withLock { pthread_join($0, nil) }
        close(listener)
    }

    private func start() {
        thread.withLock { thread in
            _ = pthread_create(
                &thread, nil,
                { context in
                    context.map { Unmanaged<PriceServer>.fromOpaque($0).takeRetainedValue().run() }
                    return nil
                }, Unmanaged.passRetained(self).toOpaque())
        }
    }

    private func run() {
        while case let peer = accept(listener, nil, nil), peer >= 0 {
            var limit = timeval(tv_sec: 10, tv_usec: 0)
            for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                setsockopt(peer, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
            }
            serve(peer)
            close(peer)
        }
    }

    private func serve(_ peer: Int32) {
        var request: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while request.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
            let count = recv(peer, &chunk, chunk.count, 0)
            guard count > 0 else { return }
            request += chunk[..<count]
        }
        let lines = String(decoding: request, as: UTF8.self).split(whereSeparator: \.isNewline)
        let answer = state.withLock { state in
            state.requests.append(lines)
            return state.answer
        }
        var rest = answer.bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
        // Wait until the client closes the connection.
        while answer.staysOpen, recv(peer, &chunk, chunk.count, 0) > 0 {}
    }
}

/// Answers in the form of the API.
enum Answers {
    /// An answer with one price per day, the last one of 2026-11-30.
    static func body(_ prices: [Double]) -> String {
        let first = 20_787 - prices.count + 1
        let points = prices.enumerated().map { index, price in
            "[\((first + index) * 86_400_000),\(price)]"
        }
        return "{\"prices\":[\(points.joined(separator: ","))],\"market_caps\":[],\"total_volumes\":[]}"
    }

    /// An answer with thirty days, from 2026-11-01 on, whose prices rise from 60,000 by 250 a day.
    static let thirty = body((0..<30).map { 60_000 + 250 * Double($0) })
    /// The last of these prices as the widget shows it.
    static let newest = "$67,250.00"
}
