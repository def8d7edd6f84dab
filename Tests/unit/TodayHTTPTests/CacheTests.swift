// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing
import TodayHTTP

/// What the cache keeps between requests, with a server that knows the validators of its content.
@Suite(.serialized) struct CacheTests {
    let directory = TemporaryDirectory()
    private var cache: HTTPCache { HTTPCache(directory: directory("http")) }
    private var cacheWithBodies: HTTPCache { HTTPCache(directory: directory("http"), keepsBodies: true) }

    private func files() throws -> [String] { try directory.names(in: "http") }

    @Test func anETagMakesTheNextAnswerUnchanged() async throws {
        let server = LocalServer.steady(["ETag: \"v1\""])
        let first = try await server.request(cache).send()
        #expect(first.status == 200)
        #expect(!first.isUnchanged)
        #expect(first.text == "content")
        let second = try await server.request(cache).send()
        #expect(second.status == 304)
        #expect(second.isUnchanged)
        #expect(second.body.isEmpty)
        #expect(server.requests.map { $0.header("If-None-Match") } == [nil, "\"v1\""])
        #expect(server.requests.map { $0.header("If-Modified-Since") } == [nil, nil])
    }

    @Test func lastModifiedMakesTheNextAnswerUnchanged() async throws {
        let server = LocalServer.steady(["Last-Modified: \(LocalServer.lastModified)"])
        #expect(try await !server.request(cache).send().isUnchanged)
        #expect(try await server.request(cache).send().isUnchanged)
        #expect(server.requests.map { $0.header("If-Modified-Since") } == [nil, LocalServer.lastModified])
    }

    @Test(arguments: [(16 << 20, true), ((16 << 20) + 1, false)])
    func contentUpTo16MiBIsKept(size: Int, isKept: Bool) async throws {
        let content = [UInt8](repeating: 0x61, count: size)
        let server = LocalServer { request, peer in
            if request.header("If-None-Match") != nil { return peer.answer("304 Not Modified") }
            peer.send("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(size)\r\nConnection: close\r\n\r\n")
            peer.send(content)
        }
        for isUnchanged in [false, isKept] {
            var request = server.request(cacheWithBodies)
            request.sizeLimit = 32 << 20
            let response = try await request.send()
            #expect(response.isUnchanged == isUnchanged && response.body == content)
        }
    }

    /// The caller's condition may be about other content than that in the cache.
    @Test func anAnswerToTheCallersConditionHasNoContent() async throws {
        let server = LocalServer.steady(["ETag: \"v1\""])
        _ = try await server.request(cacheWithBodies).send()
        var own = server.request(cacheWithBodies)
        own.headers["If-None-Match"] = "\"v1\""
        let response = try await own.send()
        #expect(response.isUnchanged && response.body.isEmpty)
    }

    @Test func contentIsKeptWhenAskedFor() async throws {
        let server = LocalServer.steady(["ETag: \"v1\""])
        _ = try await server.request(cacheWithBodies).send()
        let second = try await server.request(cacheWithBodies).send()
        #expect(second.isUnchanged)
        #expect(second.text == "content")
    }

    /// Without the content, an unchanged answer has none for a caller who wants it.
    @Test func contentThatWasNotKeptIsFetchedAgain() async throws {
        let server = LocalServer.steady(["ETag: \"v1\""])
        _ = try await server.request(cache).send()
        let second = try await server.request(cacheWithBodies).send()
        #expect(second.status == 200)
        #expect(second.text == "content")
        var third = server.request(cacheWithBodies)
        third.sizeLimit = 6
        #expect(await failure(of: third)?.hasPrefix("the answer has more than 6 bytes") == true)
    }

    @Test func withoutACacheNothingIsRemembered() async throws {
        let server = LocalServer.steady(["ETag: \"v1\""])
        _ = try await server.request().send()
        #expect(try await server.request().send().status == 200)
    }

    @Test func otherContentReplacesWhatWasKept() async throws {
        let server = LocalServer { request, peer in
            peer.answer("200 OK", ["ETag: \"after \(request.header("If-None-Match")?.utf8.count ?? 0)\""])
        }
        for _ in 0..<3 { _ = try await server.request(cache).send() }
        #expect(server.requests.map { $0.header("If-None-Match") } == [nil, "\"after 0\"", "\"after 9\""])
        #expect(try files().count == 1)
    }

    @Test func nothingIsKeptOfAnswersThatForbidIt() async throws {
        let server = LocalServer.steady(["ETag: \"v1\"", "Cache-Control: private, No-Store"])
        _ = try await server.request(cache).send()
        #expect(!directory.exists("http"))
        #expect(try await server.request(cache).send().status == 200)
    }

    @Test func onlyRequestsWithTheSameHeadersShareAnAnswer() async throws {
        let server = LocalServer.steady(["ETag: \"v1\""])
        _ = try await server.request(cache).send()
        var other = server.request(cache)
        other.headers["Accept"] = "text/csv"
        #expect(try await other.send().status == 200)
        #expect(try await other.send().status == 304)
    }

    @Test func aPostHasNoConditions() async throws {
        let server = LocalServer.steady(["ETag: \"v1\""])
        _ = try await server.request(cache).send()
        var post = server.request(cache)
        post.method = .post([], contentType: "text/plain")
        #expect(try await post.send().status == 200)
        #expect(try await server.request(cache).send().status == 304)
    }

    @Test func conditionsOfTheCallerReplaceTheCaches() async throws {
        let server = LocalServer.steady(["ETag: \"v2\""])
        _ = try await server.request(cache).send()
        var own = server.request(cache)
        own.headers["If-None-Match"] = "\"v1\""
        #expect(try await own.send().isUnchanged)
        #expect(server.requests.last?.lines.filter { $0.hasPrefix("If-None-Match") } == ["If-None-Match: \"v1\""])
    }

    @Test func validatorsAreForTheURLThatAnswered() async throws {
        let server = LocalServer { request, peer in
            switch (request.target, request.header("If-None-Match")) {
            case ("/", nil): peer.answer("302 Found", ["Location: /real"])
            case ("/real", nil): peer.answer("200 OK", ["ETag: \"v1\""], "content")
            case ("/real", "\"v1\""): peer.answer("304 Not Modified")
            default: peer.answer("400 Bad Request")
            }
        }
        #expect(try await server.request(cache).send().status == 200)
        #expect(try await server.request(cache).send().isUnchanged)
    }

    @Test func forgettingMakesTheNextAnswerComplete() async throws {
        let server = LocalServer.steady(["ETag: \"v1\""])
        _ = try await server.request(cacheWithBodies).send()
        cache.forget(server.url())
        #expect(try files().isEmpty)
        #expect(try await server.request(cache).send().status == 200)
    }
}

// MARK: - Helpers of all suites about the cache

extension LocalServer {
    static let lastModified = "Sat, 01 Nov 2025 10:00:00 GMT"

    /// A server whose content never changes: it answers "not modified" to the validators `"v1"` and `lastModified`.
    static func steady(_ headers: [String]) -> LocalServer {
        LocalServer { request, peer in
            let isKnown =
                request.header("If-None-Match") == "\"v1\"" || request.header("If-Modified-Since") == lastModified
            if isKnown { peer.answer("304 Not Modified") } else { peer.answer("200 OK", headers, "content") }
        }
    }

    func request(_ cache: HTTPCache, _ path: String = "/") -> HTTPRequest {
        var request = request(path)
        request.cache = cache
        return request
    }
}
