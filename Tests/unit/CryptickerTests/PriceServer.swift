// SPDX-License-Identifier: MIT
import Synchronization
import TestSupport

/// Serves the API: sends the answer that a test gives it, valid or not, to each request.
final class PriceServer {
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

    private final class Current: Sendable {
        let answer: Mutex<Answer>
        init(_ answer: Answer) { self.answer = Mutex(answer) }
    }

    private let current: Current
    private let server: LocalServer

    init(_ answer: Answer) {
        let current = Current(answer)
        self.current = current
        server = LocalServer { _, peer in
            let answer = current.answer.withLock { $0 }
            peer.send(answer.bytes)
            if answer.staysOpen { peer.waitForEnd() }
        }
    }

    var url: String { "http://127.0.0.1:\(server.port)" }

    /// Sets the answer to the next requests.
    func answer(_ answer: Answer) { current.answer.withLock { $0 = answer } }

    var requests: [LocalServer.Request] { server.requests }

    /// No connection is accepted any more.
    func stop() { server.stop() }
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
