// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Reactor
import TestSupport
import Testing
import TodayModel
import Varlink
import WebPage

@testable import PageService

/// What tabs are told while todayd answers, is silent about a widget, and is gone.
@Suite struct PageFeedTests {
    private let directory = TemporaryDirectory()
    private var socket: String { directory("today.sock") }

    init() { TestLoop.start() }

    private static func item(_ text: String) -> JSON {
        [
            "id": "org.a.b", "name": "b", "points": ["today"], "position": 0, "visible": true, "state": "ready",
            "mode": "compact", "largestMode": "compact", "places": ["today"], "content": ["text": .string(text)],
            "taken": 0, "stale": false,
        ]
    }

    private static func reply(_ items: JSON...) -> VarlinkReply {
        VarlinkReply(["items": .array(items), "removed": []], continues: true)
    }

    private static let missing = VarlinkReply(
        VarlinkError(name: "org.todayd.Today.NoSuchWidget", parameters: ["id": "org.a.b", "candidates": []]))

    /// Serves one connection after the other with its replies. The last one stays open.
    private func serve(_ connections: [[VarlinkReply]]) -> ScriptedService {
        let number = Counter()
        return ScriptedService(at: socket, connections: connections.count) { peer in
            let place = number.next()
            guard peer.receive() != nil else { return }
            for reply in connections[place] { peer.send(reply) }
            if place == connections.count - 1 { _ = peer.receive() }
        }
    }

    @LoopActor private func feed() throws -> PageFeed {
        let widget = try #require(WidgetID("org.a.b"))
        return try PageFeed(of: .widget(widget), from: socket, hasChanges: false, pauseWhileMissing: .milliseconds(20))
    }

    @LoopActor private func told(_ reader: FeedReader) -> String { String(decoding: reader.next(), as: UTF8.self) }

    @Test @LoopActor func aWidgetThatAppearsIsShown() async throws {
        let service = serve([[Self.missing], [Self.missing], [Self.reply(Self.item("here"))]])
        let feed = try feed()
        let reader = FeedReader(feed) { _ in }
        feed.add(reader)
        var all = ""
        try await eventually("its card") {
            all += told(reader)
            return all.contains("here")
        }
        #expect(!all.contains("event: lost"), "todayd answered all the time")
        #expect(all.number(of: "\"whole\":true") == 1, "the page itself says what is missing")
        feed.close()
        withExtendedLifetime(service) {}
    }

    /// A tab that was told of cards hears that they are gone, and a change comes without the others.
    @Test @LoopActor func lossesChangesAndReturnsAreTold() async throws {
        let first = [Self.reply(Self.item("one")), Self.reply(), Self.reply(Self.item("two"))]
        let service = serve([first, [Self.missing], [Self.reply(Self.item("three"))]])
        let feed = try feed()
        let reader = FeedReader(feed) { _ in }
        feed.add(reader)
        var all = ""
        try await eventually("the third card") {
            all += told(reader)
            return all.contains("three")
        }
        #expect(all.contains("event: lost"))
        #expect(feed.items?.count == 1)
        feed.close()
        withExtendedLifetime(service) {}
    }

    /// The card of the connection before is not that of the next one.
    @Test @LoopActor func aReturnOfTodaydMakesCardsAnew() async throws {
        let number = Counter()
        var wait: [Int32] = [-1, -1]
        try #require(pipe(&wait) == 0)
        let (seen, see) = (wait[0], wait[1])
        defer { for end in [seen, see] { close(end) } }
        let service = ScriptedService(at: socket, connections: 2) { peer in
            let isLast = number.next() == 1
            guard peer.receive() != nil else { return }
            peer.send(Self.reply(Self.item(isLast ? "new" : "old")))
            var byte: UInt8 = 0
            if isLast { _ = peer.receive() } else { read(seen, &byte, 1) }
        }
        let feed = try feed()
        let (reader, late) = (FeedReader(feed) { _ in }, FeedReader(feed) { _ in })
        feed.add(reader)
        var all = ""
        try await eventually("the old card") {
            all += told(reader)
            return all.contains("old")
        }
        write(see, "x", 1)
        try await eventually("the new item") { feed.items?.first?.content?.text == "new" }
        feed.add(late)
        #expect(told(late).contains("new"))
        feed.close()
        withExtendedLifetime(service) {}
    }

    @Test @LoopActor func aTabIsToldThatItsWidgetIsMissingNow() async throws {
        let service = serve([[Self.reply(Self.item("one"))], [Self.missing]])
        let feed = try feed()
        let reader = FeedReader(feed) { _ in }
        feed.add(reader)
        var all = ""
        try await eventually("no cards") {
            all += told(reader)
            return all.hasSuffix("\n\n") && feed.items == []
        }
        all += told(reader)
        #expect(all.number(of: "\"whole\":true") == (all.contains("one") ? 2 : 1), "\(all)")
        feed.close()
        withExtendedLifetime(service) {}
    }

    @Test @LoopActor func aTodaydThatStartsLaterIsFound() async throws {
        let feed = try feed()
        let reader = FeedReader(feed) { _ in }
        feed.add(reader)
        feed.pulse()
        let service = serve([[Self.reply(Self.item("late"))]])
        var all = ""
        try await eventually("its card") {
            all += told(reader)
            return all.contains("late")
        }
        feed.close()
        withExtendedLifetime(service) {}
    }

    @Test @LoopActor func aReplyThatIsNotUnderstoodIsALoss() async throws {
        let service = serve([
            [Self.reply(Self.item("one"))], [VarlinkReply(["items": 1], continues: true)],
            [Self.reply(Self.item("two"))],
        ])
        let feed = try feed()
        let (reader, other) = (FeedReader(feed) { _ in }, FeedReader(feed) { _ in })
        feed.add(reader)
        feed.add(other)
        var all = ""
        try await eventually("the next card") {
            all += told(reader)
            return all.contains("two")
        }
        #expect(all.contains("event: lost") && feed.items?.first?.content?.text == "two")
        let opening = String(decoding: EventStream.opening, as: UTF8.self)
        #expect(all.hasPrefix(opening) && !all.dropFirst(opening.count).contains(opening))
        // A tab that leaves takes nothing from the others.
        feed.remove(reader)
        #expect(feed.hasReaders && told(other).contains("two"))
        feed.remove(other)
        #expect(!feed.hasReaders)
        feed.close()
        withExtendedLifetime(service) {}
    }

    /// A tab that is up to date is told of the change alone, and another one of all.
    @Test @LoopActor func aChangeIsToldToTheTabsThatLook() async throws {
        let isTold = Counter()
        let service = ScriptedService(at: socket, connections: 1) { peer in
            guard peer.receive() != nil else { return }
            peer.send(Self.reply(Self.item("one")))
            while isTold.value == 0 { usleep(1_000) }
            peer.send(Self.reply(Self.item("two")))
            _ = peer.receive()
        }
        let feed = try feed()
        let reader = FeedReader(feed) { _ in }
        feed.add(reader)
        try await eventually("the first card") { told(reader).contains("one") }
        _ = isTold.next()
        var news = ""
        try await eventually("the change") {
            news += told(reader)
            return news.contains("two")
        }
        #expect(news.contains("\"whole\":false") && !news.contains("one"))
        let late = FeedReader(feed) { _ in }
        feed.add(late)
        let all = told(late)
        #expect(all.contains("\"whole\":true") && all.contains("two"))
        feed.close()
        withExtendedLifetime(service) {}
    }

    @Test @LoopActor func aHeartbeatIsNoNews() async throws {
        let service = serve([[Self.reply(Self.item("one")), Self.reply(), Self.reply(), Self.reply(Self.item("two"))]])
        let feed = try feed()
        let (reader, other) = (FeedReader(feed) { _ in }, FeedReader(feed) { _ in })
        feed.add(reader)
        var pieces: [String] = []
        try await eventually("the second card") {
            let piece = told(reader)
            if !piece.isEmpty { pieces.append(piece) }
            return piece.contains("two")
        }
        #expect(pieces.count <= 3, "the opening, one, and two: \(pieces)")
        #expect(told(reader) == "")
        reader.pulse()
        let (pulse, silence) = (told(reader), told(reader))
        #expect(pulse == String(decoding: EventStream.pulse, as: UTF8.self) && silence == "")
        feed.add(other)
        #expect(told(other).contains("two"), "a tab that comes later gets all")
        #expect(feed.event(.whole) == feed.event(.whole) && feed.event(.nothing).isEmpty)
        feed.close()
        withExtendedLifetime(service) {}
    }

    /// A tab on a missing widget gets no card, and one without a todayd hears nothing. Nothing is left of a feed that is closed.
    @Test @LoopActor func whatIsMissingIsNoCardAndAClosedFeedHasNoConnection() async throws {
        let ends = Counter()
        let service = ScriptedService(at: socket, connections: 2) { peer in
            guard peer.receive() != nil else { return }
            if ends.next() == 0 { return peer.send(Self.missing) }
            peer.send(Self.reply(Self.item("here")))
            _ = peer.receive()
            _ = ends.next()
        }
        let feed = try feed()
        #expect(feed.items == nil)
        try await eventually("its absence") { feed.items == [] }
        try await eventually("its card") { feed.items?.count == 1 }
        feed.close()
        // The service has seen the end of the second connection.
        try await eventually("the end") { ends.value == 3 }
        withExtendedLifetime(service) {}
    }
}

extension String {
    /// How often a text stands in it.
    fileprivate func number(of text: String) -> Int { ranges(of: text).count }
}
