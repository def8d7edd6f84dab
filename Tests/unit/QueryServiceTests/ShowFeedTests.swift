// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Reactor
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// `Show` with `more`: the state first, then the changes.
@Suite struct ShowFeedTests {
    init() { TestLoop.start() }

    @Test func theStateComesFirstAndThenEveryChange() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        let client = try fixture.connect()
        try client.follow("Show")
        #expect(try client.news(of: "Show").texts == ["a", "b"])
        await fixture.change(.showing("c"))
        #expect(try client.news(of: "Show").texts == ["c"])
        #expect(await fixture.backend.looks == [[.disk, .load]])
    }

    @Test func aHeartbeatComesWhereNothingElseDoes() async throws {
        let fixture = try await Fixture()
        let (client, silent) = (try fixture.connect(), try fixture.connect())
        try client.follow("Show", ["heartbeat": 1])
        try silent.follow("Show")
        _ = (try client.news(of: "Show"), try silent.news(of: "Show"))
        for _ in 0..<2 { #expect(try client.news(of: "Show", within: .seconds(4)) == ["items": [], "removed": []]) }
        // What this view does not show is no news, also for a client that has a beat behind it.
        await fixture.change(.showing("not today", .load, at: [.statusBar]))
        await fixture.change(.showing("new"))
        #expect(try client.news(of: "Show").texts == ["new"])
        #expect(try client.news(of: "Show", within: .seconds(4)).texts == [])
        #expect(try silent.news(of: "Show").texts == ["new"], "a client that asks for none gets none")
    }

    @Test(arguments: [0, 3_601, -1, "1", 1.5] as [JSON]) func aHeartbeatIsSomeSeconds(value: JSON) async throws {
        let fixture = try await Fixture()
        #expect(
            try fixture.connect().error(of: "org.todayd.Today.Show", ["heartbeat": value])
                == .invalidParameter("heartbeat"))
    }

    @Test func changesOfOneRoundComeInOneReply() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        let client = try fixture.connect()
        try client.follow("Show")
        _ = try client.news(of: "Show")
        await fixture.with {
            $0.change(.showing("1"))
            $0.change(.showing("2"))
            $0.change(.showing("3", .load))
        }
        #expect(try Set(client.news(of: "Show").texts) == ["2", "3"])
    }

    @Test func anUnchangedItemWakesNoSubscriber() async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        try client.follow("Show")
        _ = try client.news(of: "Show")
        await fixture.change(.showing("42 %"))
        await fixture.change(.showing("not today", .load, at: [.statusBar]))
        await fixture.change(.showing("different"))
        #expect(try client.news(of: "Show") == ["items": [Item.showing("different").json], "removed": []])
    }

    @Test func aWidgetThatLeavesTheViewIsNamedOnce() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        let client = try fixture.connect()
        try client.follow("Show")
        _ = try client.news(of: "Show")
        var hidden = Item.showing("a")
        hidden.state = .hidden
        await fixture.change(hidden)
        #expect(try client.news(of: "Show") == ["items": [], "removed": ["org.example.disk"]])
        // Subscribers are not told of changes outside their view.
        hidden.failure = "unseen"
        await fixture.change(hidden)
        await fixture.with {
            $0.backend.remove(.load)
            $0.service.announce(changed: [.load])
        }
        #expect(try client.news(of: "Show") == ["items": [], "removed": ["org.example.load"]])
        await fixture.change(.showing("back"))
        #expect(try client.news(of: "Show").texts == ["back"])
    }

    @Test func namedWidgetsAreFollowedInTheirOrder() async throws {
        var hidden = Item.showing("h", .numbered(1))
        hidden.state = .hidden
        let fixture = try await Fixture([.showing("a"), .showing("b", .load), hidden, .showing("x", .numbered(2))])
        let client = try fixture.connect()
        let ids: JSON = [
            "org.example.load", .string(WidgetID.numbered(1).text), "org.example.disk", "org.example.load",
        ]
        try client.follow("Show", ["ids": ids])
        #expect(try client.news(of: "Show").texts == ["b", "h", "a"])
        await fixture.change(.showing("y", .numbered(2)))
        for text in ["c", "d"] { await fixture.change(.showing(text)) }
        hidden.failure = "of no interest to a view of today"
        await fixture.change(hidden)
        var seen: [String] = []
        while !seen.contains("h") { seen += try client.news(of: "Show").texts }
        #expect(!seen.contains("y") && seen.contains("d"))
        await fixture.with {
            $0.backend.remove(.load)
            $0.service.announce(changed: [.load])
        }
        #expect(try client.news(of: "Show") == ["items": [], "removed": ["org.example.load"]])
    }

    @Test func namesThatCannotBeShownAreErrors() async throws {
        let client = try await Fixture([.showing("a")]).connect()
        #expect(try client.today("Show", ["ids": []]).texts == [])
        let most = JSON([String](repeating: "org.example.disk", count: 100))
        #expect(try client.today("Show", ["ids": most]).texts == ["a"])
        let many = JSON([String](repeating: "org.example.disk", count: 101))
        for parameters in [["ids": many], ["ids": ["org.example.disk"], "id": "org.example.disk"], ["ids": "x"]]
            as [JSONObject]
        {
            let error = try client.error(of: "org.todayd.Today.Show", parameters)
            #expect(error?.parameters == ["parameter": "ids"])
        }
        let unknown = try client.error(of: "org.todayd.Today.Show", ["ids": ["org.example.disk", "disk"]])
        #expect(unknown?.parameters["candidates"] == ["org.example.disk"])
    }

    @Test func aLockScreenHearsOfWhatIsAllowedThere() async throws {
        var item = Item.showing("a", at: [.today, .lockScreen])
        let fixture = try await Fixture([item])
        let client = try fixture.connect()
        try client.follow("Show", ["point": "lock_screen"])
        #expect(try client.news(of: "Show").texts == [])
        item.places = [.today, .lockScreen]
        await fixture.change(item)
        #expect(try client.news(of: "Show").texts == ["a"])
        item.places = [.today]
        await fixture.change(item)
        #expect(try client.news(of: "Show") == ["items": [], "removed": ["org.example.disk"]])
    }

    @Test func oneWidgetIsFollowedVisibleOrNot() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        let client = try fixture.connect()
        try client.follow("Show", ["id": "org.example.disk"])
        #expect(try client.news(of: "Show").texts == ["a"])
        await fixture.change(.showing("other", .load))
        var hidden = Item.showing("hidden")
        hidden.state = .hidden
        await fixture.change(hidden)
        #expect(try client.news(of: "Show").texts == ["hidden"])
        await fixture.with {
            $0.backend.remove(.disk)
            $0.service.announce(changed: [.disk])
        }
        #expect(try client.news(of: "Show") == ["items": [], "removed": ["org.example.disk"]])
    }

    @Test func everythingMayBeAnnouncedAtOnce() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        let client = try fixture.connect()
        try client.follow("Show")
        _ = try client.news(of: "Show")
        await fixture.with {
            $0.backend.put(.showing("c", .load))
            $0.backend.put(.showing("new", .numbered(1)))
            $0.service.announceEverything()
        }
        #expect(try Set(client.news(of: "Show").texts) == ["c", "new"])
    }

    @Test func aReaderThatFallsBehindGetsTheNewestState() async throws {
        let filler = String(repeating: "x", count: 10_000)
        let fixture = try await Fixture([
            .showing("0" + filler), .showing("kept", .load), .showing("gone", .numbered(1)),
        ])
        let slow = try fixture.connect()
        let quick = try fixture.connect()
        for client in [slow, quick] {
            try client.follow("Show")
            #expect(try client.news(of: "Show").texts.count == 3)
        }
        // Far more than a socket buffer holds; the other client sees each change before the next one.
        let changes = 200
        for number in 1...changes {
            await fixture.change(.showing("\(number)" + filler))
            #expect(try quick.news(of: "Show").texts == ["\(number)" + filler])
        }
        await fixture.with {
            $0.backend.remove(.numbered(1))
            $0.service.announce(changed: [.numbered(1)])
        }
        #expect(try quick.news(of: "Show").strings("removed") == ["org.example.w1"])
        #expect(await fixture.with { $0.service.waitingOutput } < 1 << 20)
        var replies = 0
        var newest: JSONObject = [:]
        while newest.strings("removed").isEmpty {
            newest = try slow.news(of: "Show")
            replies += 1
        }
        #expect(replies < changes)
        #expect(newest.texts == ["\(changes)" + filler])
        await fixture.change(.showing("fresh", .load))
        #expect(try slow.news(of: "Show").texts == ["fresh"])
    }

    @Test func anItemThatTurnsStaleByItselfIsNews() async throws {
        let fixture = try await Fixture()
        await fixture.with {
            $0.backend.put(.showing("fresh"), validUntil: .now + .milliseconds(1))
        }
        let client = try fixture.connect()
        try client.follow("Show")
        #expect(try client.news(of: "Show").texts == ["fresh"])
        await fixture.with { $0.backend.put(.showing("stale")) }
        #expect(try client.news(of: "Show").texts == ["stale"])
    }

    /// An item that appears while a host follows the view also expires in time.
    @Test func anItemThatCameMeanwhileTurnsStaleByItself() async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        try client.follow("Show")
        _ = try client.news(of: "Show")
        await fixture.with {
            $0.backend.put(.showing("fresh"), validUntil: .now + .milliseconds(1))
            $0.service.announce(changed: [.disk])
        }
        #expect(try client.news(of: "Show").texts == ["fresh"])
        await fixture.with { $0.backend.put(.showing("stale")) }
        #expect(try client.news(of: "Show").texts == ["stale"])
    }

    /// A host that was told of neither the removal nor the return is told only of the return.
    @Test @LoopActor func aWidgetThatLeftAndReturnedIsNotRemoved() throws {
        let backend = MemoryBackend()
        backend.put(.showing("before"))
        let itemCache = ItemCache(backend: backend, replyBytes: 12 << 20)
        let feed = ShowFeed(.point(.today), itemCache: itemCache)
        let start = feed.version
        var hidden = Item.showing("before")
        hidden.state = .hidden
        for item in [hidden, .showing("after")] {
            backend.put(item)
            itemCache.announce([.disk])
            feed.take(itemCache.takeChanges(now: .now))
        }
        let reply = String(decoding: try #require(feed.reply(since: start)), as: UTF8.self)
        #expect(reply.contains("after"))
        #expect(reply.contains(#""removed":[]"#), "\(reply)")
    }

    /// An item that expires just before the reply is left out, and reported as removed at the next look.
    @Test @LoopActor func aWidgetThatHasGoneMeanwhileIsNoNews() throws {
        let backend = MemoryBackend()
        let itemCache = ItemCache(backend: backend, replyBytes: 12 << 20)
        let feed = ShowFeed(.point(.today), itemCache: itemCache)
        let start = feed.version
        backend.put(.showing("brief"), validUntil: .now)
        itemCache.announce([.disk])
        feed.take(itemCache.takeChanges(now: .now))
        #expect(feed.version > start)
        var hidden = Item.showing("brief")
        hidden.state = .hidden
        backend.put(hidden)
        usleep(2_000)
        #expect(feed.reply(since: start) == nil)
        feed.take(itemCache.takeChanges(now: .now))
        let reply = String(decoding: try #require(feed.reply(since: start)), as: UTF8.self)
        #expect(reply.contains(#""removed":["org.example.disk"]"#), "\(reply)")
    }

    /// A change outside a view does not wake its subscribers.
    @Test @LoopActor func aChangeOutsideTheViewMakesNoNewVersion() {
        let backend = MemoryBackend()
        backend.put(.showing("a"))
        let itemCache = ItemCache(backend: backend, replyBytes: 12 << 20)
        let feeds = [ShowFeed.Subject.point(.today), .widgets([.disk])].map {
            ShowFeed($0, itemCache: itemCache)
        }
        let versions = feeds.map(\.version)
        backend.put(.showing("b", .load, at: [.statusBar]))
        itemCache.announce([.load, .disk])
        let changed = itemCache.takeChanges(now: .now)
        for feed in feeds { feed.take(changed) }
        #expect(feeds.map(\.version) == versions)
        #expect(itemCache.version > versions[0])
        backend.put(.showing("c"))
        itemCache.announce([.disk])
        let more = itemCache.takeChanges(now: .now)
        for feed in feeds { feed.take(more) }
        #expect(feeds.map(\.version) == [itemCache.version, itemCache.version])
    }

    @Test func aThousandSubscribersShareOneSerialisation() async throws {
        let fixture = try await Fixture()
        let clients = try (0..<1_000).map { _ in try fixture.connect() }
        for client in clients { try client.follow("Show") }
        for client in clients { #expect(try client.news(of: "Show").texts == ["42 %"]) }
        #expect(await fixture.service.subscriberCount == 1_000)
        let before = await fixture.service.serialisationCount
        await fixture.change(.showing("43 %"))
        for client in clients { #expect(try client.news(of: "Show").texts == ["43 %"]) }
        #expect(await fixture.service.serialisationCount == before + 1)
    }
}
