// SPDX-License-Identifier: MIT
import Rendering
import Testing
import TodayModel

@testable import WebPage

@Suite struct EntityTagTests {
    private let answer = HTTPAnswer(200, "text")

    private func applied(_ known: String?) -> HTTPAnswer {
        let headers = known.map { [HTTPField("if-none-match", $0)] } ?? []
        return EntityTag.applied(to: answer, of: HTTPRequest("GET", "/", headers: headers))
    }

    @Test func aKnownAnswerHasNoBody() throws {
        let first = applied(nil)
        let tag = try #require(first.headers.first { $0.name == "ETag" }?.value)
        #expect(first.status == 200 && first.body == answer.body)
        for known in [tag, "\"x\", \(tag)", String(tag.dropFirst(2)), "*"] {
            let second = applied(known)
            #expect(second.status == 304 && second.body.isEmpty, "\(known)")
        }
        for unknown in ["\"x\"", "W/\"x\"", "", "W/", String(tag.dropLast())] {
            #expect(applied(unknown).status == 200, "\(unknown)")
        }
    }

    @Test func anErrorHasNoTag() {
        let error = EntityTag.applied(to: HTTPAnswer(404, "no"), of: HTTPRequest("GET", "/"))
        #expect(!error.headers.contains { $0.name == "ETag" })
    }

    @Test func anotherBodyHasAnotherTag() {
        #expect(EntityTag.text(of: [1]) != EntityTag.text(of: [2]))
        #expect(EntityTag.text(of: []).utf8.count == 20)
    }
}

@Suite struct EventStreamTests {
    private static let rows: [(data: String, bytes: String)] = [
        ("x", "event: e\ndata: x\n\n"), ("", "event: e\ndata: \n\n"), ("a\nb", "event: e\ndata: a\ndata: b\n\n"),
        ("a\r\nb", "event: e\ndata: a\ndata: b\n\n"), ("a\rb", "event: e\ndata: a\ndata: b\n\n"),
        ("a\n\nevent: x", "event: e\ndata: a\ndata: \ndata: event: x\n\n"), ("é", "event: e\ndata: é\n\n"),
    ]

    @Test(arguments: rows.indices) func noTextEndsAnEvent(_ index: Int) {
        let row = Self.rows[index]
        #expect(String(decoding: EventStream.event("e", row.data), as: UTF8.self) == row.bytes)
    }
}

@Suite struct FeedNewsTests {
    private static func id(_ name: String) throws -> WidgetID { try #require(WidgetID("a.\(name)")) }

    @Test func changesAddUpByWidget() throws {
        let (b, c) = (try Self.id("b"), try Self.id("c"))
        var news = FeedNews()
        for _ in 0..<1_000 { news.note([b], removed: []) }
        news.note([c], removed: [])
        #expect(news.take() == .some(changed: [b, c], removed: []))
        #expect(news.take() == .nothing)
    }

    @Test func theLastWordCounts() throws {
        let (b, c) = (try Self.id("b"), try Self.id("c"))
        var news = FeedNews()
        news.note([b], removed: [c])
        news.note([c], removed: [b])
        #expect(news.take() == .some(changed: [c], removed: [b]))
    }

    @Test func aWidgetThatLeavesAndComesIsShown() throws {
        let b = try Self.id("b")
        var news = FeedNews()
        news.note([b], removed: [b])
        #expect(news.take() == .some(changed: [b], removed: []))
    }

    @Test func allCardsIncludeTheChanges() throws {
        let b = try Self.id("b")
        var news = FeedNews()
        news.restart()
        news.note([b], removed: [])
        #expect(news.take() == .whole)
        news.note([b], removed: [])
        news.lose()
        #expect(news.take() == .lost)
        news.lose()
        news.restart()
        #expect(news.take() == .whole)
    }
}

@Suite struct ConnectionLedgerTests {
    private func ledger(_ most: Int = 3) -> ConnectionLedger {
        var times = ConnectionTimes()
        times.request = 10
        times.answer = 100
        return ConnectionLedger(times, mostConnections: most)
    }

    @Test func aSlowRequestEnds() {
        var ledger = ledger()
        _ = ledger.began(5, by: .user(1), at: 0)
        ledger.note(.receiving, on: 5, at: 4)
        #expect(ledger.nextDeadline == 14)
        var late = ledger.overdue(at: 13)
        #expect(late == [])
        late = ledger.overdue(at: 14)
        #expect(late == [5])
        late = ledger.overdue(at: 15)
        #expect(late == [])
        #expect(ledger.count == 0)
    }

    /// Clients that may have to show a token and have not.
    @Test func strangersAreFewAndShort() {
        var times = ConnectionTimes()
        (times.request, times.stranger) = (10, 4)
        var ledger = ConnectionLedger(times, mostConnections: 10, mostStrangers: 2)
        let (one, other) = (Peer.user(1), Peer.user(2))
        // The oldest of all would make room, but its client is known.
        var gone = [(4, one, true), (5, one, false), (6, one, false)].map { descriptor, peer, isKnown in
            ledger.began(Int32(descriptor), by: peer, isKnown: isKnown, at: Int64(descriptor) - 4)
        }
        #expect(gone == [nil, nil, nil] && ledger.nextDeadline == 5)
        gone = [ledger.began(7, by: other, isKnown: false, at: 3)]
        #expect(gone == [5])
        ledger.trust(7)
        gone = [ledger.began(8, by: other, isKnown: false, at: 3)]
        #expect(gone == [nil], "one that has shown the token is no stranger")
        let late = ledger.overdue(at: 9)
        #expect(late == [6, 8] && ledger.nextDeadline == 10)
        ledger.note(.receiving, on: 7, at: 9)
        #expect(ledger.nextDeadline == 10)
        ledger.ended(4)
        #expect(ledger.nextDeadline == 19, "it stays known")
    }

    @Test func anAnswerHasLongerAndAStreamHasNoEnd() {
        var ledger = ledger()
        _ = ledger.began(5, by: .user(1), at: 0)
        _ = ledger.began(6, by: .user(1), at: 0)
        ledger.note(.answering, on: 5, at: 1)
        ledger.note(.streaming, on: 6, at: 1)
        #expect(ledger.nextDeadline == 101)
        let late = ledger.overdue(at: 1_000)
        #expect(late == [5])
        #expect(ledger.nextDeadline == nil)
    }

    @Test func theLongestIdleMakesRoom() {
        var ledger = ledger()
        for descriptor in Int32(1)...3 { _ = ledger.began(descriptor, by: .user(1), at: Int64(descriptor)) }
        ledger.note(.streaming, on: 1, at: 4)
        ledger.note(.receiving, on: 2, at: 4)
        let idle = ledger.began(4, by: .user(1), at: 5)
        #expect(idle == 3)
        ledger.note(.streaming, on: 4, at: 6)
        let receiving = ledger.began(5, by: .user(1), at: 7)
        #expect(receiving == 2)
        ledger.note(.answering, on: 5, at: 8)
        let none = ledger.began(6, by: .user(1), at: 9)
        #expect(none == nil)
    }

    @Test func whoHasTheMostMakesRoom() {
        var ledger = ledger(4)
        _ = ledger.began(1, by: .user(1), at: 1)
        for descriptor in Int32(2)...4 { _ = ledger.began(descriptor, by: .user(2), at: Int64(descriptor)) }
        ledger.note(.streaming, on: 2, at: 5)
        let idle = ledger.began(5, by: .user(3), at: 6)
        #expect(idle == 3)
    }

    @Test func whatIsUnknownStaysUnknown() {
        var ledger = ledger()
        ledger.note(.receiving, on: 9, at: 1)
        #expect(ledger.count == 0)
        _ = ledger.began(9, by: .user(1), at: 1)
        ledger.ended(9)
        #expect(ledger.count == 0)
    }
}
