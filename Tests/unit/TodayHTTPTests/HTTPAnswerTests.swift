// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing
import TodayHTTP

/// Requests with valid answers, and what the server receives.
@Suite(.serialized) struct HTTPAnswerTests {
    @Test func aGetIsAnswered() async throws {
        let server = LocalServer { _, peer in
            peer.answer("200 OK", ["Content-Type: text/plain", "X-Two: a", "x-two:  b "], "Hello")
        }
        let response = try await server.request("/a?b=c#d").send()
        #expect(response.status == 200)
        #expect(response.statusLine == "200 OK")
        #expect(response.body == Array("Hello".utf8))
        #expect(response.text == "Hello")
        #expect(response.headers["content-TYPE"] == "text/plain")
        #expect(response.headers.values(of: "X-Two") == ["a", "b"])
        #expect(response.headers["X-Three"] == nil)
        #expect(response.url == server.url("/a?b=c"))
        #expect(!response.isUnchanged)
        #expect(response.retryAfter == nil)
        let request = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(request.method == "GET")
        #expect(request.target == "/a?b=c")
        #expect(request.header("User-Agent") == "TodayHTTP")
        #expect(request.header("Accept-Encoding")?.contains("gzip") == true)
        #expect(request.header("If-None-Match") == nil)
    }

    @Test func aPostSendsItsContent() async throws {
        let server = LocalServer { _, peer in peer.answer("201 Created") }
        var request = server.request()
        request.method = .post([0x7b, 0x00, 0x7d], contentType: "application/json")
        request.headers["Authorization"] = "Bearer x"
        request.headers["X-Empty"] = ""
        #expect(try await request.send().statusLine == "201 Created")
        let seen = try #require(server.requests.first)
        #expect(seen.method == "POST")
        #expect(seen.body == [0x7b, 0x00, 0x7d])
        #expect(seen.header("Content-Type") == "application/json")
        #expect(seen.header("Content-Length") == "3")
        #expect(seen.header("Authorization") == "Bearer x")
        #expect(seen.header("X-Empty") == "")
    }

    @Test func aPostMayBeEmptyOrLong() async throws {
        let server = LocalServer { _, peer in peer.answer() }
        var request = server.request()
        request.method = .post([], contentType: "text/plain")
        _ = try await request.send()
        let content = [UInt8](repeating: 0x61, count: 3 << 20)
        request.method = .post(content, contentType: "text/plain")
        _ = try await request.send()
        #expect(server.requests.map(\.method) == ["POST", "POST"])
        #expect(server.requests.map { $0.body.count } == [0, content.count])
        #expect(server.requests.allSatisfy { $0.header("Expect") == nil })
    }

    @Test func headersReplaceThoseOfLibcurl() async throws {
        let server = LocalServer { _, peer in peer.answer() }
        var request = server.request()
        request.headers = ["user-agent": "me/1 (me@example.org)", "Accept": "text/csv"]
        _ = try await request.send()
        let seen = try #require(server.requests.first)
        #expect(seen.lines.filter { $0.lowercased().hasPrefix("user-agent:") }.count == 1)
        #expect(seen.header("User-Agent") == "me/1 (me@example.org)")
        #expect(seen.header("Accept") == "text/csv")
    }

    @Test func interimAnswersAndTrailersAreIgnored() async throws {
        let server = LocalServer { _, peer in
            peer.send("HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n")
            peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Late: 1\r\nTrailer: X-After\r\n\r\n")
            peer.send("3\r\nabc\r\n2\r\nde\r\n0\r\nX-After: 1\r\n\r\n")
        }
        let response = try await server.request().send()
        #expect(response.text == "abcde")
        #expect(response.headers["X-Early"] == nil)
        #expect(response.headers["X-Late"] == "1")
        #expect(response.headers["X-After"] == nil)
    }

    @Test func headersAreReadWithoutTheirFolds() async throws {
        let server = LocalServer { _, peer in
            peer.answer("200 OK", ["X-Folded: one", "\ttwo ", "X-Empty:", "X-Colons: a:b: c"], "x")
        }
        let headers = try await server.request().send().headers
        // RFC 9112 section 5.2 makes the fold spaces; libcurl keeps the first one of it.
        #expect(["one two", "one\ttwo"].contains(headers["X-Folded"]))
        #expect(headers["X-Empty"]?.isEmpty == true)
        #expect(headers["X-Colons"] == "a:b: c")
        #expect(headers.fields.map(\.name).prefix(3) == ["X-Folded", "X-Empty", "X-Colons"])
    }

    @Test func anAnswerWithoutALengthEndsWithTheConnection() async throws {
        let server = LocalServer { _, peer in peer.send("HTTP/1.0 200 OK\r\n\r\nall of it") }
        #expect(try await server.request().send().text == "all of it")
    }

    @Test func theLargestLimitsAreAccepted() async throws {
        let server = LocalServer { _, peer in peer.answer("200 OK", [], "soon") }
        var request = server.request()
        request.timeout = .seconds(Int64.max)
        request.sizeLimit = .max
        #expect(try await request.send().text == "soon")
    }

    @Test func theEnvironmentNamesTheProxy() async throws {
        let server = LocalServer { _, peer in peer.answer("200 OK", [], "by proxy") }
        ProcessEnvironment.set(["http_proxy": "http://127.0.0.1:\(server.port)"])
        defer { ProcessEnvironment.set(["http_proxy": nil]) }
        var request = HTTPRequest("http://nowhere.invalid/x")
        request.allowsPlainHTTP = true
        #expect(try await request.send().text == "by proxy")
        #expect(server.requests.map(\.target) == ["http://nowhere.invalid/x"])
    }

    @Test func anUnreachableProxyIsNamed() async throws {
        let (listener, port) = LocalServer.listen()
        close(listener)
        LocalServer.withoutProxy
        ProcessEnvironment.set(["http_proxy": "http://127.0.0.1:\(port)"])
        defer { ProcessEnvironment.set(["http_proxy": nil]) }
        var request = HTTPRequest("http://nowhere.invalid/x")
        request.allowsPlainHTTP = true
        let reason = "could not connect to nowhere.invalid:80 or to the proxy in http_proxy: Connection refused"
        #expect(await failure(of: request) == reason)
    }

    @Test func manyRequestsAtOnceAreAllAnswered() async throws {
        let server = LocalServer { request, peer in peer.answer("200 OK", [], request.target) }
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<20 {
                let request = server.request("/\(number)")
                group.addTask { try await request.send().text }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts == Set((0..<20).map { "/\($0)" }))
    }
}
