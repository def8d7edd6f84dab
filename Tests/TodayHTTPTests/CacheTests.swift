// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing
import TodayHTTP

/// What is kept between requests, against a server that knows its content's validators.
@Suite(.serialized) struct CacheTests {
    let directory = TemporaryDirectory()
    private var cache: HTTPCache { HTTPCache(directory: directory("http")) }
    private var cacheWithBodies: HTTPCache { HTTPCache(directory: directory("http"), keepsBodies: true) }

    private static let date = "Sat, 01 Nov 2025 10:00:00 GMT"

    /// A server whose content never changes.
    private func steady(_ headers: [String]) -> LocalServer {
        LocalServer { request, peer in
            let isKnown =
                request.header("If-None-Match") == "\"v1\"" || request.header("If-Modified-Since") == Self.date
            if isKnown { peer.answer("304 Not Modified") } else { peer.answer("200 OK", headers, "content") }
        }
    }

    private func request(_ server: LocalServer, _ cache: HTTPCache, _ path: String = "/") -> HTTPRequest {
        var request = server.request(path)
        request.cache = cache
        return request
    }

    private func files() throws -> [String] { try directory.names(in: "http") }

    @Test func anETagMakesTheNextAnswerUnchanged() async throws {
        let server = steady(["ETag: \"v1\""])
        let first = try await request(server, cache).send()
        #expect(first.status == 200)
        #expect(!first.isUnchanged)
        #expect(first.text == "content")
        let second = try await request(server, cache).send()
        #expect(second.status == 304)
        #expect(second.isUnchanged)
        #expect(second.body.isEmpty)
        #expect(server.requests.map { $0.header("If-None-Match") } == [nil, "\"v1\""])
        #expect(server.requests.map { $0.header("If-Modified-Since") } == [nil, nil])
    }

    @Test func lastModifiedMakesTheNextAnswerUnchanged() async throws {
        let server = steady(["Last-Modified: \(Self.date)"])
        #expect(try await !request(server, cache).send().isUnchanged)
        #expect(try await request(server, cache).send().isUnchanged)
        #expect(server.requests.map { $0.header("If-Modified-Since") } == [nil, Self.date])
    }

    /// Up to 16 MiB, which the next request has from the file.
    @Test(arguments: [(16 << 20, true), ((16 << 20) + 1, false)])
    func longContentIsKept(size: Int, isKept: Bool) async throws {
        let content = [UInt8](repeating: 0x61, count: size)
        let server = LocalServer { request, peer in
            if request.header("If-None-Match") != nil { return peer.answer("304 Not Modified") }
            peer.send("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(size)\r\nConnection: close\r\n\r\n")
            peer.send(content)
        }
        for isUnchanged in [false, isKept] {
            var request = request(server, cacheWithBodies)
            request.sizeLimit = 32 << 20
            let response = try await request.send()
            #expect(response.isUnchanged == isUnchanged && response.body == content)
        }
    }

    /// The content that is kept is not that of which the caller asks whether it has changed.
    @Test func aConditionOfTheCallersOwnBringsNoContent() async throws {
        let server = steady(["ETag: \"v1\""])
        _ = try await request(server, cacheWithBodies).send()
        var own = request(server, cacheWithBodies)
        own.headers["If-None-Match"] = "\"v1\""
        let response = try await own.send()
        #expect(response.isUnchanged && response.body.isEmpty)
    }

    @Test(arguments: [nil, "", "/container"]) func aWidgetsCacheIsInItsContainer(container: String?) {
        if let container { setenv("TODAY_STATE_DIRECTORY", container, 1) } else { unsetenv("TODAY_STATE_DIRECTORY") }
        defer { unsetenv("TODAY_STATE_DIRECTORY") }
        let directory = container?.isEmpty == false ? "/container/http" : nil
        #expect(HTTPCache.ofWidget?.directory == directory && HTTPCache.ofWidgetWithBodies?.directory == directory)
        #expect(HTTPCache.ofWidgetWithBodies?.keepsBodies != false && HTTPCache.ofWidget?.keepsBodies != true)
    }

    @Test func contentIsKeptWhenAskedFor() async throws {
        let server = steady(["ETag: \"v1\""])
        _ = try await request(server, cacheWithBodies).send()
        let second = try await request(server, cacheWithBodies).send()
        #expect(second.isUnchanged)
        #expect(second.text == "content")
    }

    /// Without the content, "unchanged" would be no answer to somebody who wants it.
    @Test func contentThatWasNotKeptIsAskedForAgain() async throws {
        let server = steady(["ETag: \"v1\""])
        _ = try await request(server, cache).send()
        let second = try await request(server, cacheWithBodies).send()
        #expect(second.status == 200)
        #expect(second.text == "content")
        var third = request(server, cacheWithBodies)
        third.sizeLimit = 6
        #expect(await failure(of: third)?.hasPrefix("the answer has more than 6 bytes") == true)
    }

    @Test func withoutACacheNothingIsRemembered() async throws {
        let server = steady(["ETag: \"v1\""])
        _ = try await server.request().send()
        #expect(try await server.request().send().status == 200)
    }

    @Test func otherContentReplacesWhatWasKept() async throws {
        let server = LocalServer { request, peer in
            peer.answer("200 OK", ["ETag: \"after \(request.header("If-None-Match")?.utf8.count ?? 0)\""])
        }
        for _ in 0..<3 { _ = try await request(server, cache).send() }
        #expect(server.requests.map { $0.header("If-None-Match") } == [nil, "\"after 0\"", "\"after 9\""])
        #expect(try files().count == 1)
    }

    @Test func nothingIsKeptOfAnswersThatForbidIt() async throws {
        let server = steady(["ETag: \"v1\"", "Cache-Control: private, No-Store"])
        _ = try await request(server, cache).send()
        #expect(!directory.exists("http"))
        #expect(try await request(server, cache).send().status == 200)
    }

    @Test func onlyRequestsWithTheSameHeadersShareAnAnswer() async throws {
        let server = steady(["ETag: \"v1\""])
        _ = try await request(server, cache).send()
        var other = request(server, cache)
        other.headers["Accept"] = "text/csv"
        #expect(try await other.send().status == 200)
        #expect(try await other.send().status == 304)
    }

    @Test func aPostHasNoConditions() async throws {
        let server = steady(["ETag: \"v1\""])
        _ = try await request(server, cache).send()
        var post = request(server, cache)
        post.method = .post([], contentType: "text/plain")
        #expect(try await post.send().status == 200)
        #expect(try await request(server, cache).send().status == 304)
    }

    @Test func conditionsOfTheCallerComeFirst() async throws {
        let server = steady(["ETag: \"v2\""])
        _ = try await request(server, cache).send()
        var own = request(server, cache)
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
        #expect(try await request(server, cache).send().status == 200)
        #expect(try await request(server, cache).send().isUnchanged)
    }

    /// The name of a file is a hash of its URL: two URLs may have one, and the file says whose it is.
    @Test func whatIsKeptOfAnotherURLIsNoAnswer() async throws {
        let server = steady(["ETag: \"v1\""])
        _ = try await request(server, cacheWithBodies, "/one").send()
        let one = try #require(try files().first)
        _ = try await request(server, cacheWithBodies, "/two").send()
        let two = try #require(try files().first { $0 != one })
        try directory.write(directory.bytes(of: "http/\(one)"), to: "http/\(two)", mode: 0o600)
        let answer = try await request(server, cacheWithBodies, "/two").send()
        #expect(answer.status == 200 && !answer.isUnchanged)
        #expect(server.requests.last?.header("If-None-Match") == nil)
    }

    @Test func forgettingMakesTheNextAnswerComplete() async throws {
        let server = steady(["ETag: \"v1\""])
        _ = try await request(server, cacheWithBodies).send()
        cache.forget(server.url())
        #expect(try files().isEmpty)
        #expect(try await request(server, cache).send().status == 200)
    }

    @Test func damagedFilesCountAsNone() async throws {
        let server = steady(["ETag: \"v1\""])
        _ = try await request(server, cache).send()
        let name = "http/\(try #require(try files().first))"
        let sound = try directory.bytes(of: name)
        var flipped = sound
        flipped[sound.count - 4] ^= 1
        let longer = sound + [0x0a]
        let damages: [[UInt8]] = [
            [], Array(sound.dropLast()), longer, flipped, [0xff, 0x0a], [UInt8](repeating: 0, count: 100_000),
        ]
        for damage in damages {
            try directory.write(damage, to: name)
            #expect(try await request(server, cache).send().status == 200)
            #expect(try await request(server, cache).send().status == 304, "the damage was not repaired")
        }
        try directory.delete(name)
        try directory.makeDirectory(name)
        #expect(try await request(server, cache).send().status == 200)
        try directory.delete(name)
        try directory.makePipe(name)
        #expect(try await request(server, cache).send().status == 200)
    }

    @Test func aDirectoryThatCannotBeMadeIsNoCache() async throws {
        let server = steady(["ETag: \"v1\""])
        let nowhere = HTTPCache(directory: directory("no/such/directory"))
        #expect(try await request(server, nowhere).send().status == 200)
        #expect(try await request(server, nowhere).send().status == 200)
    }

    @Test func filesAreFewPrivateAndWhole() async throws {
        let server = steady(["ETag: \"v1\""])
        let small = HTTPCache(directory: directory("http"), fileLimit: 3)
        try directory.write("not ours", to: "http/readme")
        try directory.write("left by a killed writer", to: "http/0123456789abcdef.http.0123456789abcdef")
        for number in 0..<5 {
            _ = try await request(server, small, "/\(number)").send()
            // The first is used again and again, and stays.
            #expect(try await request(server, small, "/0").send().isUnchanged)
        }
        #expect(try files().count == 4)
        #expect(try files().contains("readme"))
        #expect(try files().allSatisfy { $0 == "readme" || $0.hasSuffix(".http") })
        #expect(try await request(server, small, "/4").send().isUnchanged)
        #expect(try await !request(server, small, "/1").send().isUnchanged)
        var status = stat()
        for name in try files() where name != "readme" {
            #expect(stat(directory("http/\(name)"), &status) == 0 && status.st_mode & 0o777 == 0o600, "\(name)")
        }
    }

    @Test func theContainerIsTheWidgets() throws {
        ProcessEnvironment.set(["TODAY_STATE_DIRECTORY": nil])
        #expect(HTTPCache.ofWidget == nil)
        ProcessEnvironment.set(["TODAY_STATE_DIRECTORY": "/some/where"])
        defer { ProcessEnvironment.set(["TODAY_STATE_DIRECTORY": nil]) }
        #expect(HTTPCache.ofWidget?.directory == "/some/where/http")
        #expect(HTTPCache.ofWidget?.keepsBodies == false)
        #expect(HTTPCache.ofWidgetWithBodies?.directory == "/some/where/http")
        #expect(HTTPCache.ofWidgetWithBodies?.keepsBodies == true)
    }
}
