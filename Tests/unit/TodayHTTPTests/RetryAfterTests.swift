// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing
import TodayKit
import TodayModel

@testable import TodayHTTP

/// Answers with `Retry-After`, and the requests after them.
@Suite(.serialized) struct RetryAfterTests {
    let directory = TemporaryDirectory()

    private var cache: HTTPCache { HTTPCache(directory: directory.path) }

    private func busy(_ status: String, _ headers: [String]) -> LocalServer {
        LocalServer { _, peer in peer.answer(status, headers) }
    }

    private func delay(of value: String, date: String? = nil) -> Duration? {
        RetryAfter.delay(value, serverDate: date, now: 1_700_000_000)
    }

    @Test func secondsAndDatesAreRead() {
        #expect(delay(of: "120") == .seconds(120))
        #expect(delay(of: "0") == .zero)
        #expect(delay(of: "Tue, 14 Nov 2023 22:15:20 GMT") == .seconds(120))
        #expect(delay(of: "Tuesday, 14-Nov-23 22:15:20 GMT") == .seconds(120))
        #expect(delay(of: "Tue Nov 14 22:15:20 2023") == .seconds(120))
        #expect(delay(of: "Tue, 14 Nov 2023 22:00:00 GMT") == .zero)
        #expect(delay(of: "Thu, 01 Jan 1970 00:00:00 GMT") == .zero)
    }

    @Test func aDateCountsFromTheDateOfTheServer() {
        let date = "Tue, 14 Nov 2023 23:13:20 GMT"
        #expect(delay(of: "Tue, 14 Nov 2023 23:14:20 GMT", date: date) == .seconds(60))
        #expect(delay(of: "Tue, 14 Nov 2023 22:14:20 GMT", date: "nonsense") == .seconds(60))
    }

    @Test func theLongestWaitIsADay() {
        #expect(delay(of: "86401") == .seconds(86_400))
        #expect(delay(of: "99999999999999999999999") == .seconds(86_400))
        #expect(delay(of: "Tue, 14 Nov 2034 22:15:20 GMT") == .seconds(86_400))
    }

    @Test func otherTextIsIgnored() {
        for value in ["", "-5", "1.5", "soon", "12:30", "2023-11-14", String(repeating: "T", count: 1000)] {
            #expect(delay(of: value) == nil, "\(value)")
        }
    }

    @Test func aServerThatAskedToWaitIsNotAsked() async throws {
        for status in ["429 Too Many Requests", "503 Service Unavailable"] {
            let server = busy(status, ["Retry-After: 120"])
            #expect(await failure(of: server.request(cache)) == "the server answered \(status); retry after 120 s")
            let words = await failure(of: server.request(cache))
            let possible = (115...120).map {
                "the server asked to wait, and \($0) s of that are left; nothing was sent"
            }
            #expect(possible.contains(words ?? ""), "\(words ?? "no failure")")
            #expect(server.requests.count == 1)
            _ = await failure(of: server.request(cache, "/another"))
            #expect(server.requests.count == 2)
        }
    }

    @Test func theErrorHasTheTimeToWait() async {
        let server = busy("503 Service Unavailable", ["Retry-After: 120"])
        var waits: [Duration?] = []
        for _ in 0..<2 {
            do throws(HTTPError) {
                _ = try await server.request(cache).send()
            } catch {
                waits.append(error.retryAfter)
            }
        }
        #expect(waits.first == .some(.seconds(120)))
        #expect(waits.last.flatMap { $0 }.map { $0 > .seconds(100) && $0 <= .seconds(120) } == true)
    }

    @MainActor private static var wanted: HTTPRequest?

    /// A widget that handles no error of its request.
    private struct Price: TodayWidget {
        func widgetPerformUpdate() async throws -> NCUpdateResult {
            _ = try await wanted?.send()
            return .newData
        }
        var body: some TodayKit.View { Text("x") }
    }

    @MainActor @Test func anUpdateFailsWithTheTimeToWait() async {
        let server = busy("429 Too Many Requests", ["Retry-After: 960"])
        Self.wanted = server.request(cache)
        let host = WidgetHost<Price>(WidgetRequest())
        let refused = await host.perform(.performUpdate, WidgetRequest())
        #expect(
            refused
                == .failed("the server answered 429 Too Many Requests; retry after 960 s", retryAfter: .minutes(16)))
        // Before that time is over, the error has the rest of it.
        guard case .failed(_, let rest?) = await host.perform(.performUpdate, WidgetRequest()) else {
            Issue.record("the refusal does not say how long")
            return
        }
        #expect(rest > .minutes(15) && rest <= .minutes(16))
        #expect(server.requests.count == 1)
        let broken = busy("500 Internal Server Error", [])
        Self.wanted = broken.request(cache)
        #expect(
            await host.perform(.performUpdate, WidgetRequest())
                == .failed("the server answered 500 Internal Server Error"))
    }

    @Test func afterTheTimeTheServerIsAskedAgain() async throws {
        let server = LocalServer { request, peer in
            request.target == "/" ? peer.answer("503 Busy", ["Retry-After: 1"]) : peer.answer()
        }
        #expect(await failure(of: server.request(cache))?.hasSuffix("retry after 1 s") == true)
        try await eventually("second request") {
            usleep(100_000)
            return cache.entry(for: server.url(), sizeLimit: 0)?
                .remainingWait(at: RetryAfter.now) == nil
        }
        #expect(await failure(of: server.request(cache))?.hasSuffix("retry after 1 s") == true)
        #expect(server.requests.count == 2)
    }

    @Test func validatorsOutliveTheWait() async throws {
        let server = LocalServer { request, peer in
            switch request.header("If-None-Match") {
            case nil: peer.answer("200 OK", ["ETag: \"v1\""])
            case _ where request.header("X-Busy") != nil: peer.answer("304 Not Modified")
            default: peer.answer("503 Busy", ["Retry-After: 0"])
            }
        }
        _ = try await server.request(cache).send()
        #expect(await failure(of: server.request(cache))?.hasSuffix("retry after 0 s") == true)
        let kept = cache.entry(for: server.url(), sizeLimit: 0)
        #expect(kept?.etag == "\"v1\"")
    }

    @Test func withoutACacheTheWaitIsForgotten() async {
        let server = busy("503 Service Unavailable", ["Retry-After: 120"])
        for _ in 0..<2 { _ = await failure(of: server.request()) }
        #expect(server.requests.count == 2)
    }

    @Test func otherErrorsHaveNoWait() async {
        let server = busy("500 Internal Server Error", ["Retry-After: 120"])
        for _ in 0..<2 { _ = await failure(of: server.request(cache)) }
        #expect(server.requests.count == 2)
    }

    /// The cache never keeps a longer wait than a day, so the clock was set back.
    @Test func aWaitBeyondTheLongestIsIgnored() {
        var entry = CacheEntry(url: "https://example.org/")
        entry.retryAt = 1_000_000
        #expect(entry.remainingWait(at: 999_990) == .seconds(10))
        #expect(entry.remainingWait(at: 1_000_000) == nil)
        #expect(entry.remainingWait(at: 1_000_000 - 86_400) == .seconds(86_400))
        #expect(entry.remainingWait(at: 1_000_000 - 86_401) == nil)
    }
}
