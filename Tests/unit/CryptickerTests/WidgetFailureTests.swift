// SPDX-License-Identifier: MIT
import TestSupport
import Testing
import TodayModel

/// What the real btc-widget shows and reports when a real server fails, or none answers.
@Suite(.serialized) struct WidgetFailureTests {
    private let state = TemporaryDirectory()

    @Test func wrongSettingsAreReportedWithoutARequest() throws {
        let server = PriceServer(.init(Answers.thirty))
        defer { server.stop() }
        let group = GroupService()
        group.set("currency", "dollar")
        let widget = try WidgetRun(state, server, group)
        #expect(try widget.update().reason?.contains("'currency'") == true)
        #expect(widget.end())
        #expect(server.requests.isEmpty)
    }

    @Test func aMissingServerIsReported() throws {
        let server = PriceServer(.init(""))
        server.stop()
        let widget = try WidgetRun(state, server)
        #expect(try widget.update().reason?.hasPrefix("could not connect to 127.0.0.1") == true)
        #expect(widget.end())
    }

    /// An answer of the server, and a part of the reason that the widget reports.
    struct Bad: Sendable, CustomTestStringConvertible {
        let name: String
        let answer: PriceServer.Answer
        let reason: String
        var testDescription: String { name }
    }

    static let bad: [Bad] = [
        Bad(name: "500", answer: .init("oops", status: "500 Oops"), reason: "answered 500 Internal Server Error"),
        Bad(
            name: "truncated", answer: .init(raw: "HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{\"prices\":[["),
            reason: "the answer"),
        Bad(name: "HTML", answer: .init("<html>\u{1B}[31m"), reason: "is not JSON: line 1, column 1"),
        Bad(name: "another shape", answer: .init("{\"price\":5}"), reason: "a list is missing"),
        Bad(name: "no prices", answer: .init("{\"prices\":[]}"), reason: "has no prices"),
        Bad(
            name: "negative", answer: .init(Answers.body([1, -1])), reason: "a point without a time or without a price"),
        Bad(name: "10 MB", answer: .init(String(repeating: " ", count: 10 << 20)), reason: "more than 1 MiB"),
        Bad(
            name: "elsewhere", answer: .init("", status: "302 Found", headers: ["Location: http://192.0.2.1/"]),
            reason: "the server redirects"),
    ]

    @Test(arguments: bad) func aFailureHasItsReasonAndKeepsThePrices(bad: Bad) throws {
        let server = PriceServer(.init(Answers.thirty))
        defer { server.stop() }
        let widget = try WidgetRun(state, server)
        #expect(try widget.update().content != nil)
        server.answer(bad.answer)
        let outcome = try widget.update()
        let reason = try #require(outcome.reason)
        #expect(reason.contains(bad.reason), "\(reason)")
        #expect(reason.utf8.allSatisfy { $0 >= 0x20 })
        #expect(try widget.choose("expanded").compact.texts.first == Answers.newest)
        server.answer(.init(Answers.body([60_000, 61_000])))
        #expect(try widget.update().content?.short == "$61,000.00")
        #expect(widget.end())
    }

    @Test func anUnusableAnswerIsFetchedAgain() throws {
        let server = PriceServer(.init("{}", headers: ["ETag: \"bad\""]))
        defer { server.stop() }
        let widget = try WidgetRun(state, server)
        #expect(try widget.update().reason != nil)
        #expect(try widget.update().reason != nil)
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.header("If-None-Match") == nil })
        #expect(widget.end())
    }

    @Test func afterAFailedUpdateANewProcessDrawsTheSavedPrices() throws {
        let server = PriceServer(.init(Answers.thirty))
        let widget = try WidgetRun(state, server)
        #expect(try widget.update().content != nil)
        #expect(widget.end())
        server.stop()
        let next = try WidgetRun(state, server)
        #expect(try next.update().reason != nil)
        #expect(try next.choose("expanded").compact.texts.first == Answers.newest)
        #expect(next.end())
    }
}
