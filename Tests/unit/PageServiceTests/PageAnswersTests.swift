// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Platform
import Reactor
import Synchronization
import TestSupport
import Testing
import TodayModel
import Varlink
import WebPage

@testable import PageService

/// What todayd is asked for a request, and which answer a browser gets for its reply.
@Suite struct PageAnswersTests {
    private let directory = TemporaryDirectory()
    private var socket: String { directory("today.sock") }

    init() { TestLoop.start() }

    /// The calls that todayd got, as text.
    private final class Calls: Sendable {
        private let texts = Mutex<[String]>([])

        func note(_ call: VarlinkCall) {
            let text = "\(call.memberName) \(JSON.object(call.parameters).text)"
            texts.withLock { $0.append(text) }
        }

        var all: [String] { texts.withLock { $0 } }
    }

    /// Gives one reply to each call.
    private func serve(_ calls: Calls, _ reply: VarlinkReply?) -> ScriptedService {
        ScriptedService(at: socket, connections: 10) { peer in
            guard let call = peer.receive() else { return }
            calls.note(call)
            if let reply { peer.send(reply) }
        }
    }

    private static let widgets: JSON = [
        [
            "id": "org.a.b", "name": "Bee", "points": ["today"], "position": 0, "visible": true, "state": "ready",
            "mode": "compact", "largestMode": "compact", "places": ["today"], "content": ["text": "honey"],
            "taken": 0, "stale": false,
        ]
    ]
    private static let all = VarlinkReply([
        "widgets": widgets, "items": widgets, "removed": [], "png": "iVBORw0KGgo=",
    ])

    @Test(arguments: [
        ("GET /page.css", "text/css; charset=utf-8", "", "{"),
        ("GET /page.js", "text/javascript; charset=utf-8", "", "fetch("),
        ("GET /icon.svg", "image/svg+xml", "", "<svg"),
        ("GET /", "text/html; charset=utf-8", #"Show {"point":"today"}"#, "honey"),
        ("GET /?kiosk", "text/html; charset=utf-8", #"Show {"point":"today"}"#, "honey"),
        ("GET /?widget=org.a.b", "text/html; charset=utf-8", #"Show {"id":"org.a.b"}"#, "honey"),
        ("GET /api/show?point=lock-screen", "application/json", #"Show {"point":"lock_screen"}"#, #""text":"honey""#),
        ("GET /api/list", "application/json", "List {}", #""name":"Bee""#),
        ("GET /api/settings?widget=org.a.b", "application/json", #"Settings {"id":"org.a.b"}"#, #""items":"#),
        ("GET /metrics", "text/plain; version=0.0.4; charset=utf-8", "List {}", "org.a.b"),
        (
            "GET /api/picture?widget=org.a.b&image=0123456789abcdef", "image/png",
            #"Picture {"id":"org.a.b","image":"0123456789abcdef"}"#, "PNG\r\n\u{1A}\n"
        ),
        (
            "POST /api/change/mode", "application/json", #"SetDisplayMode {"id":"org.a.b","mode":"expanded"}"#,
            #""removed":[]"#
        ),
    ])
    func aRequestIsACall(request: String, type: String, call: String, part: String) async throws {
        let calls = Calls()
        let service = serve(calls, Self.all)
        let place = try await PagePlace(socket, token: Secret("secret"))
        let answer = try place.answer(to: request, body: #"{"id":"org.a.b","mode":"expanded"}"#)
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect(answer.contains("\r\nContent-Type: \(type)\r\n"))
        #expect(answer.contains(part), "\(answer)")
        let isAlone = type.hasPrefix("text/html") && !request.contains("widget=")
        #expect(answer.contains(isAlone ? "frame-ancestors 'none'" : "frame-ancestors 'self'"))
        #expect(answer.contains("\r\nETag: ") == request.hasPrefix("GET"))
        #expect(calls.all == (call.isEmpty ? [] : [call]))
        withExtendedLifetime(service) {}
    }

    @Test func anAnswerThatAClientHasIsNotSentAgain() async throws {
        let service = serve(Calls(), Self.all)
        let place = try await PagePlace(socket, token: nil)
        let first = try place.answer(to: "GET /api/list")
        let tag = try #require(first.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }).dropFirst(6)
        let second = try place.answer(to: "GET /api/list", headers: "If-None-Match: \(tag)\r\n")
        #expect(second.hasPrefix("HTTP/1.1 304 ") && !second.contains("Bee"), "\(second)")
        withExtendedLifetime(service) {}
    }

    /// A page and a program get the same status, with the reason in words.
    @Test(arguments: [
        ("org.todayd.Today.NoSuchWidget", 404, "there is no such widget"),
        ("org.todayd.Today.Refused", 409, "the reason"), ("org.todayd.Today.NotStored", 500, "the reason"),
        ("org.todayd.Today.LimitReached", 503, "the reason"),
        ("org.todayd.Today.InteractiveAuthenticationRequired", 403, "todayd does not let this page change that"),
        ("org.varlink.service.PermissionDenied", 403, "todayd does not let this page change that"),
        ("org.varlink.service.InvalidParameter", 400, "todayd does not understand the request"),
        ("org.a.Other", 502, "todayd says: org.a.Other"),
    ])
    func anErrorIsAStatusWithItsReason(name: String, status: Int, words: String) async throws {
        let error = VarlinkError(name: name, parameters: ["reason": "the reason"])
        try await check(VarlinkReply(error), status, words)
    }

    @Test(
        arguments: [
            (nil, 503, " closed the connection"),
            (VarlinkReply(["items": 1]), 502, "todayd's reply is not understood: "),
        ] as [(VarlinkReply?, Int, String)])
    func aWrongReplyIsNamed(reply: VarlinkReply?, status: Int, words: String) async throws {
        try await check(reply, status, words, program: reply == nil ? "/api/list" : "/metrics")
    }

    @Test(arguments: [[:], ["png": "no base 64"]] as [JSONObject]) func aPictureThatIsNoneIsNamed(
        reply: JSONObject
    ) async throws {
        let service = serve(Calls(), VarlinkReply(reply))
        let place = try await PagePlace(socket, token: nil)
        let answer = try place.answer(to: "GET /api/picture?widget=org.a.b&image=0123456789abcdef")
        #expect(answer.hasPrefix("HTTP/1.1 502 ") && answer.contains("todayd's picture is not understood"))
        withExtendedLifetime(service) {}
    }

    private func check(
        _ reply: VarlinkReply?, _ status: Int, _ words: String, program: String = "/api/list"
    ) async throws {
        let service = serve(Calls(), reply)
        let place = try await PagePlace(socket, token: nil)
        let answers = try [place.answer(to: "GET /"), place.answer(to: "GET \(program)")]
        for answer in answers {
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(40))")
            let isTold = answer.contains(words) || answer.contains(words.replacing("'", with: "&#39;"))
            #expect(isTold, "\(answer)")
        }
        withExtendedLifetime(service) {}
    }

    @Test(arguments: ["GET /", "GET /api/list"]) func withoutTodaydTheReasonIsTold(request: String) async throws {
        let answer = try await PagePlace(socket, token: nil).answer(to: request)
        #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("todayd does not answer: "), "\(answer)")
    }

    /// Only a page that no other page shows in a frame gets what a change needs.
    @Test(arguments: [("document", true), ("iframe", false)]) func thePageThatMayChangeHasTheToken(
        place dest: String, has: Bool
    ) async throws {
        let service = serve(Calls(), Self.all)
        let place = try await PagePlace(socket, token: Secret("the-token-of-the-page"))
        let answer = try place.answer(to: "GET /", headers: "Sec-Fetch-Dest: \(dest)\r\n")
        #expect(answer.contains("the-token-of-the-page") == has)
        #expect(answer.contains("frame-ancestors 'none'") == has)
        withExtendedLifetime(service) {}
    }

    /// Without its token a change is refused, and todayd gets no call.
    @Test(arguments: [nil, Secret("other")]) func aChangeNeedsTheToken(token: Secret?) async throws {
        let calls = Calls()
        let service = serve(calls, Self.all)
        let place = try await PagePlace(socket, token: token)
        let answer = try place.answer(to: "POST /api/change/update", body: #"{"id":"org.a.b"}"#)
        #expect(answer.hasPrefix("HTTP/1.1 403 ") && calls.all.isEmpty)
        withExtendedLifetime(service) {}
    }

    /// A client of another machine shows the secret of --token-file first.
    @Test func whereAccessHasATokenEachRequestShowsIt() async throws {
        let calls = Calls()
        let service = serve(calls, Self.all)
        let place = try await PagePlace(socket, token: nil, access: Secret("0123456789abcdef"))
        let strange = try place.answer(to: "GET /api/list")
        #expect(strange.hasPrefix("HTTP/1.1 401 ") && calls.all.isEmpty)
        let known = try place.answer(to: "GET /api/list", headers: "Authorization: Bearer 0123456789abcdef\r\n")
        #expect(known.hasPrefix("HTTP/1.1 200 ") && calls.all == ["List {}"])
        withExtendedLifetime(service) {}
    }
}
