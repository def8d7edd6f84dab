// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing
import TodayHTTP

/// Failures of the connection and of the server, and their text.
@Suite(.serialized) struct FailureTests {
    /// The error of a request to a server with this behaviour.
    private func failure(
        _ change: (inout HTTPRequest) -> Void = { _ in }, _ serve: @escaping LocalServer.Service
    ) async -> String? {
        let server = LocalServer(serve)
        var request = server.request()
        change(&request)
        return await TodayHTTPTests.failure(of: request)
    }

    private func status(_ line: String, _ headers: [String] = []) async -> String? {
        await failure { _, peer in peer.answer(line, headers, "why") }
    }

    @Test func statusesOtherThanSuccessAreErrors() async {
        #expect(await status("404 Not Here") == "the server answered 404 Not Found")
        #expect(await status("500 Oops") == "the server answered 500 Internal Server Error")
        #expect(await status("299 Fine") == nil)
        #expect(await status("599 Words\u{1b}[31m") == "the server answered 599")
        #expect(await status("302 Found") == "the server answered 302 Found")
        #expect(await status("304 Not Modified") == "the server answered 304 Not Modified")
        let words = "the server answered 503 Service Unavailable; retry after 120 s"
        #expect(await status("503 Busy", ["Retry-After: 120"]) == words)
    }

    @Test func anErrorHasTheAnswer() async {
        let server = LocalServer { _, peer in peer.answer("403 Forbidden", ["X-Why: quota"], "no more today") }
        do {
            _ = try await server.request().send()
            Issue.record("403 is no success")
        } catch .status(let response) {
            #expect(response.status == 403)
            #expect(response.text == "no more today")
            #expect(response.headers["X-Why"] == "quota")
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func aSilentServerTimesOut() async {
        let start = ContinuousClock.now
        let words = await failure({ $0.timeout = .milliseconds(300) }, { _, peer in peer.waitForEnd() })
        #expect(words == "no answer within 300 ms")
        let taken = ContinuousClock.now - start
        #expect(taken >= .milliseconds(300) && taken < .seconds(5))
    }

    @Test func anIncompleteAnswerTimesOut() async {
        let words = await failure({ $0.timeout = .milliseconds(300) }) { _, peer in
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n12345")
            peer.waitForEnd()
        }
        #expect(words == "the answer was not complete within 300 ms, after 5 bytes")
    }

    @Test func theTimeoutIsForAllRedirectsTogether() async {
        let words = await failure({
            $0.timeout = .milliseconds(500)
            $0.redirectLimit = 1000
        }) { _, peer in
            usleep(50_000)
            peer.answer("302 Found", ["Location: /"])
        }
        #expect(words == "no answer within 500 ms")
    }

    @Test func slowHeadersTimeOut() async {
        let words = await failure({ $0.timeout = .milliseconds(300) }) { _, peer in
            peer.send("HTTP/1.1 200 OK\r\n")
            while peer.send("X: y\r\n") { usleep(20_000) }
        }
        #expect(words == "the answer was not complete within 300 ms, after 0 bytes")
    }

    @Test func aClosedPortIsReported() async {
        let (listener, port) = LocalServer.listen()
        close(listener)
        LocalServer.withoutProxy
        var request = HTTPRequest("http://127.0.0.1:\(port)/")
        request.allowsPlainHTTP = true
        let words = "could not connect to 127.0.0.1:\(port): Connection refused"
        #expect(await TodayHTTPTests.failure(of: request) == words)
    }

    /// A label of a name has at most 63 bytes (RFC 1035), so libcurl asks no name server.
    @Test func anUnknownHostIsReported() async {
        LocalServer.withoutProxy
        let host = String(repeating: "a", count: 64)
        let words = await TodayHTTPTests.failure(of: HTTPRequest("https://\(host)/"))
        #expect(words == "could not resolve host '\(host)'")
    }

    @Test func aResetConnectionIsReported() async {
        let words = await failure { _, peer in
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n12345")
            usleep(50_000)
            // With this option, close(2) sends RST: SO_LINGER, socket(7).
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(peer.descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        }
        #expect(words?.hasPrefix("the connection was lost: ") == true, "\(words ?? "no failure")")
    }

    private static let partial = "the connection ended before the answer was complete, after 5 bytes"
    private static let notHTTP = "the answer is not HTTP"

    /// What the server sends before it closes the connection, and the error.
    static let broken: [(sent: [UInt8], error: String)] = [
        ([], "the server closed the connection without an answer"),
        (Array("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n12345".utf8), partial),
        (Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n12345".utf8), partial),
        (Array("SSH-2.0-OpenSSH_9.2\r\n".utf8), notHTTP),
        ([0xff, 0x00, 0x0a, 0x0a, 0x80], notHTTP),
        (Array("HTTP/9.9 200 OK\r\n\r\n".utf8), notHTTP),
        (Array("HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 1\r\n\r\nx".utf8), notHTTP),
    ]

    @Test(arguments: FailureTests.broken.indices) func aBrokenAnswerIsReported(row: Int) async {
        let (sent, error) = Self.broken[row]
        let failure = await failure { _, peer in peer.send(sent) }
        #expect(failure == error)
    }

    @Test func cancellingEndsTheTransferAtOnce() async throws {
        let hasEnded = Arrivals<Void>("end of the connection")
        let hasBegun = Arrivals<Void>("request")
        let server = LocalServer { _, peer in
            hasBegun.send()
            peer.waitForEnd()
            hasEnded.send()
        }
        let request = server.request()
        let task = Task { await TodayHTTPTests.failure(of: request) }
        try await hasBegun.next()
        let start = ContinuousClock.now
        task.cancel()
        #expect(await task.value == "the request was cancelled")
        try await hasEnded.next(within: .seconds(3))
        #expect(ContinuousClock.now - start < .seconds(3))
    }

    @Test func aCancelledTaskSendsNothing() async {
        let server = LocalServer { _, peer in peer.answer() }
        let request = server.request()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await TodayHTTPTests.failure(of: request)
        }
        task.cancel()
        #expect(await task.value == "the request was cancelled")
        #expect(server.requests.isEmpty)
    }
}
