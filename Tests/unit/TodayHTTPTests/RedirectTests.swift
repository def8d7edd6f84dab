// SPDX-License-Identifier: MIT
import TestSupport
import Testing
import TodayHTTP

/// Where a redirect may lead, and what the next request carries.
@Suite(.serialized) struct RedirectTests {
    /// A server that redirects from `/3` to `/2`, to `/1`, to `/0`, which answers.
    private func chain(_ status: String = "302 Found") -> LocalServer {
        LocalServer { request, peer in
            let left = Int(request.target.dropFirst()) ?? 0
            if left == 0 {
                peer.answer("200 OK", [], "end")
            } else {
                peer.answer(status, ["Location: \(left - 1)"], "moved")
            }
        }
    }

    private func failure(location: String) async -> String? {
        let server = LocalServer { _, peer in peer.answer("302 Found", ["Location: \(location)"]) }
        return await TodayHTTPTests.failure(of: server.request())
    }

    @Test func redirectsAreFollowedUpToTheLimit() async throws {
        let server = chain()
        let response = try await server.request("/5").send()
        #expect(response.text == "end")
        #expect(response.url == server.url("/0"))
        #expect(await TodayHTTPTests.failure(of: server.request("/6")) == "more than 5 redirects")
        var request = server.request("/1")
        request.redirectLimit = 0
        #expect(await TodayHTTPTests.failure(of: request) == "the server redirects, and the request allows no redirect")
    }

    @Test func aLoopEndsAtTheLimit() async {
        let server = LocalServer { _, peer in peer.answer("301 Moved Permanently", ["Location: /"]) }
        #expect(await TodayHTTPTests.failure(of: server.request()) == "more than 5 redirects")
        #expect(server.requests.count == 6)
    }

    @Test func onlyHTTPIsFollowed() async {
        #expect(
            await failure(location: "file:///etc/passwd")
                == "the server redirects to file:///etc/passwd, but only https and http are supported, not 'file'")
        #expect(
            await failure(location: "ftp://127.0.0.1/x?secret")
                == "the server redirects to ftp://127.0.0.1/x, but only https and http are supported, not 'ftp'")
        #expect(
            await failure(location: "gopher://127.0.0.1:1/_x")
                == "the server redirects to gopher://127.0.0.1:1/_x, but only https and http are supported, not 'gopher'"
        )
    }

    @Test func userNamesAreNotFollowed() async {
        #expect(
            await failure(location: "http://user:password@127.0.0.1/")
                == "the server redirects to http://127.0.0.1/, but user names and passwords are not allowed in URLs; use an Authorization header"
        )
    }

    @Test func aLongLocationIsShortenedInTheError() async throws {
        let words = try #require(await failure(location: "file:///\(String(repeating: "x", count: 50_000))"))
        #expect(words.utf8.count < 300)
        #expect(words.utf8.allSatisfy { $0 >= 0x20 })
    }

    @Test func onlyStatuses307And308KeepAPost() async throws {
        let statuses = ["301 Moved Permanently", "302 Found", "303 See Other", "307 Temporary Redirect"]
        var methods: [String] = []
        var bodies: [String] = []
        for status in statuses + ["308 Permanent Redirect"] {
            let server = chain(status)
            var request = server.request("/1")
            request.method = .post(Array("content".utf8), contentType: "text/plain")
            _ = try await request.send()
            methods.append(try #require(server.requests.last).method)
            bodies.append(String(decoding: try #require(server.requests.last).body, as: UTF8.self))
            #expect(server.requests.first?.method == "POST")
        }
        #expect(methods == ["GET", "GET", "GET", "POST", "POST"])
        #expect(bodies == ["", "", "", "content", "content"])
    }

    @Test func secretsStayWithTheFirstHost() async throws {
        let other = LocalServer { _, peer in peer.answer("200 OK", [], "elsewhere") }
        let place = other.url("/there")
        let server = LocalServer { request, peer in
            peer.answer("302 Found", ["Location: \(request.target == "/" ? "/again" : place)"])
        }
        var request = server.request()
        request.headers = [
            "Authorization": "Bearer x", "Cookie": "a=b", "X-API-Key": "k", "Accept": "text/csv", "User-Agent": "me",
        ]
        #expect(try await request.send().text == "elsewhere")
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer x", "Bearer x"])
        #expect(server.requests.map { $0.header("X-API-Key") } == ["k", "k"])
        let seen = try #require(other.requests.first)
        #expect(seen.header("Authorization") == nil)
        #expect(seen.header("Cookie") == nil)
        #expect(seen.header("X-API-Key") == nil)
        #expect(seen.header("Accept") == "text/csv")
        #expect(seen.header("User-Agent") == "me")
    }
}
