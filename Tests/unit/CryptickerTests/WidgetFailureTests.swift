// SPDX-License-Identifier: MIT
import TestSupport
import Testing
import TodayModel

/// What the real btc-widget shows and reports when a real server fails, or none answers.
@Suite(.serialized) struct WidgetFailureTests {
    private let state = TemporaryDirectory()

    @Test func wrongSettingsAreReportedWithoutARequest() throws {
        let server = PriceServer(.init(Prices.thirty))
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
        #expect(try widget.update().reason?.hasPrefix("no prices: could not connect to 127.0.0.1") == true)
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
        Bad(name: "404", answer: .init("{}", status: "404 Not Found"), reason: "perhaps it does not know the currency"),
        Bad(
            name: "slow", answer: .init(raw: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", staysOpen: true),
            reason: "was not complete within 3 s"),
        Bad(name: "silent", answer: .init(raw: "", staysOpen: true), reason: "no answer within 3 s"),
        Bad(
            name: "truncated", answer: .init(raw: "HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{\"prices\":[["),
            reason: "no prices: "),
        Bad(
            name: "truncated without length", answer: .init(raw: "HTTP/1.1 200 OK\r\n\r\n{\"prices\":[["),
            reason: "it is not JSON"),
        Bad(name: "empty", answer: .init(""), reason: "it is not JSON"),
        Bad(name: "HTML", answer: .init("<html>\u{1B}[31m"), reason: "it is not JSON: line 1, column 1"),
        Bad(name: "another shape", answer: .init("{\"price\":5}"), reason: "prices: is missing"),
        Bad(name: "no prices", answer: .init("{\"prices\":[]}"), reason: "there are no prices in it"),
        Bad(name: "negative", answer: .init(Prices.body([1, -1])), reason: "prices[1][1]: expected a price above 0"),
        Bad(name: "infinite", answer: .init("{\"prices\":[[1793491200000,1e999]]}"), reason: "number out of range"),
        Bad(name: "huge", answer: .init(Prices.body([1e300])), reason: "prices[0][1]: expected a price above 0"),
        Bad(
            name: "deep", answer: .init(String(repeating: "[", count: 500_000)),
            reason: "nested more than 16 levels deep"),
        Bad(name: "10 MB", answer: .init(String(repeating: " ", count: 10 << 20)), reason: "more than 1 MiB"),
        Bad(
            name: "elsewhere", answer: .init("", status: "302 Found", headers: ["Location: http://192.0.2.1/"]),
            reason: "no prices: the server redirects"),
    ]

    @Test(arguments: bad) func aFailureHasItsReasonAndKeepsThePrices(bad: Bad) throws {
        let server = PriceServer(.init(Prices.thirty))
        defer { server.stop() }
        let widget = try WidgetRun(state, server)
        #expect(try widget.update().content != nil)
        server.answer(bad.answer)
        let outcome = try widget.update()
        let reason = try #require(outcome.reason)
        #expect(reason.contains(bad.reason), "\(reason)")
        #expect(reason.utf8.allSatisfy { $0 >= 0x20 })
        #expect(try widget.choose("expanded").compact.texts.first == Prices.newest)
        server.answer(.init(Prices.body([60_000, 61_000])))
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
        #expect(!server.requests.joined().contains { $0.hasPrefix("If-None-Match") })
        #expect(widget.end())
    }

    @Test func afterAFailedUpdateANewProcessDrawsTheSavedPrices() throws {
        let server = PriceServer(.init(Prices.thirty))
        let widget = try WidgetRun(state, server)
        #expect(try widget.update().content != nil)
        #expect(widget.end())
        server.stop()
        let next = try WidgetRun(state, server)
        #expect(try next.update().reason != nil)
        #expect(try next.choose("expanded").compact.texts.first == Prices.newest)
        #expect(next.end())
    }

    // MARK: Sample prices

    private func sample() throws -> [String: String] {
        try state.write(Prices.body([50_000, 51_000]), to: "sample.json")
        return ["CRYPTICKER_SAMPLE": state("sample.json")]
    }

    @Test func withoutAServerLabelledSamplePricesAreShown() throws {
        let server = PriceServer(.init(Prices.thirty))
        server.stop()
        let widget = try WidgetRun(state, server, environment: try sample())
        let content = try #require(try widget.update().content)
        #expect(content.short == "$51,000.00")
        #expect(content.compact?.texts == ["sample prices until 2026-11-30", "$51,000.00", "+1,000.00 (+2.00%)"])
        #expect(content.tooltip?.hasPrefix("sample prices until 2026-11-30\n") == true)
        #expect(widget.end())
        // A new process shows them, too, when the user chooses another mode.
        let next = try WidgetRun(state, nil, environment: try sample())
        #expect(try next.choose("expanded").compact.texts.first == "sample prices until 2026-11-30")
        #expect(next.end())
    }

    @Test func samplePricesReplaceNoAnswerAndNoRealPrices() throws {
        let server = PriceServer(.init("", status: "500 Oops"))
        let widget = try WidgetRun(state, server, environment: try sample())
        #expect(try widget.update().reason?.contains("500") == true, "the server has said something")
        server.answer(.init(Prices.thirty))
        #expect(try widget.update().compact.texts == [Prices.newest, "+250.00 (+0.37%)"])
        server.stop()
        #expect(try widget.update().reason?.contains("could not connect") == true, "what is shown is better")
        #expect(widget.end())
    }

    @Test func anUnreadableSampleFileIsReported() throws {
        let server = PriceServer(.init(""))
        server.stop()
        let widget = try WidgetRun(state, server, environment: ["CRYPTICKER_SAMPLE": state("missing.json")])
        #expect(try widget.update().reason?.contains("cannot be read; name a file, or unset it") == true)
        #expect(widget.end())
    }
}
