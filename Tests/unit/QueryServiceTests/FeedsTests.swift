// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// Several subscribers: each gets its own changes, whichever others come and leave.
@Suite struct FeedsTests {
    init() { TestLoop.start() }

    private static func hidden(_ text: String, _ id: WidgetID = .disk) -> Item {
        var item = Item.showing(text, id)
        item.state = .hidden
        return item
    }

    private func followers(_ count: Int, _ fixture: Fixture, _ method: String, _ parameters: JSONObject = [:]) throws
        -> [Client]
    {
        try (0..<count).map { _ in
            let client = try fixture.connect()
            try client.follow(method, parameters)
            _ = try client.news(of: method)
            return client
        }
    }

    private func leave(_ client: Client, _ fixture: Fixture) async throws {
        let before = await fixture.service.connectionCount
        client.connection.close()
        try await fixture.eventually("the end of one") { $0.service.connectionCount == before - 1 }
    }

    @Test func everySubscriberCountsOnce() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        await fixture.with { $0.backend.groups = ["group.a": [:], "group.b": [:]] }
        let clients = [
            try followers(2, fixture, "Show"), try followers(1, fixture, "Show", ["id": "org.example.disk"]),
            try followers(2, fixture, "GetDefaults", ["group": "group.a"]),
            try followers(1, fixture, "GetDefaults", ["group": "group.b"]), try followers(3, fixture, "Monitor"),
        ].flatMap { $0 }
        #expect(await fixture.service.subscriberCount == 9)
        let asking = try fixture.connect()
        let daemon = try asking.today("Status")["daemon"]
        #expect(daemon?["subscribers"] == 9)
        #expect(daemon?["connections"] == 10)
        for (client, left) in zip(clients, stride(from: 8, through: 0, by: -1)) {
            try await leave(client, fixture)
            #expect(await fixture.service.subscriberCount == left)
        }
    }

    @Test func aSubscriberIsToldAfterAnotherHasLeft() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        await fixture.with { $0.backend.groups = ["group.a": [:]] }
        let shows = try followers(2, fixture, "Show")
        let ones = try followers(1, fixture, "Show", ["id": "org.example.disk"])
        let defaults = try followers(2, fixture, "GetDefaults", ["group": "group.a"])
        let monitors = try followers(2, fixture, "Monitor")
        for client in [shows[0], defaults[0], monitors[0], ones[0]] { try await leave(client, fixture) }
        #expect(await fixture.service.isMonitored)
        await fixture.with {
            $0.change(.showing("c"))
            $0.backend.groups["group.a"] = ["n": 1]
            $0.service.announce(defaultsOf: "group.a")
            $0.service.announce(Event(time: WallTime(microseconds: 1), kind: .started, text: "e"))
        }
        #expect(try shows[1].news(of: "Show").texts == ["c"])
        #expect(try defaults[1].news(of: "GetDefaults") == ["values": ["n": ["value": 1]]])
        #expect(try monitors[1].news(of: "Monitor")["events"]?.arrayValue?.count == 1)
    }

    @Test func afterTheLastSubscriberNothingIsKept() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.groups = ["group.a": [:]] }
        for method in ["Show", "GetDefaults", "Monitor"] {
            let client = try followers(1, fixture, method, method == "GetDefaults" ? ["group": "group.a"] : [:])[0]
            await fixture.with {
                $0.change(.showing(method))
                $0.backend.groups["group.a"] = ["n": .string(method)]
                $0.service.announce(defaultsOf: "group.a")
                $0.service.announce(Event(time: WallTime(microseconds: 1), kind: .started, text: "e"))
            }
            _ = try client.news(of: method)
            try await leave(client, fixture)
        }
        try await fixture.passRound()
        let asked = await fixture.backend.groupQuestions
        await fixture.with {
            $0.change(.showing("b"))
            $0.service.announce(defaultsOf: "group.a")
            $0.service.announce(Event(time: WallTime(microseconds: 1), kind: .started, text: "e"))
        }
        try await fixture.passRound()
        #expect(await fixture.backend.groupQuestions == asked)
        #expect(await fixture.with { $0.service.waitingOutput } == 0)
    }

    /// An empty view is sent as well.
    @Test func anEmptyViewIsTold() async throws {
        let client = try await Fixture([]).connect()
        try client.follow("Show")
        #expect(try client.news(of: "Show") == ["items": [], "removed": []])
    }

    /// A new subscriber gets the newest state, and the other subscribers get it at the same time.
    @Test func newsForALateSubscriberIsNewsForAll() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.groups = ["group.a": ["n": 1]] }
        let first = try followers(1, fixture, "GetDefaults", ["group": "group.a"])[0]
        await fixture.with { $0.backend.groups["group.a"] = ["n": 2] }
        let second = try fixture.connect()
        try second.follow("GetDefaults", ["group": "group.a"])
        for client in [second, first] {
            #expect(try client.news(of: "GetDefaults") == ["values": ["n": ["value": 2]]])
        }
    }

    @Test func unchangedValuesAreNoNews() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.groups = ["group.a": ["n": 1]] }
        let client = try followers(1, fixture, "GetDefaults", ["group": "group.a"])[0]
        await fixture.with { $0.service.announce(defaultsOf: "group.a") }
        try await fixture.passRound()
        await fixture.with {
            $0.backend.groups["group.a"] = nil
            $0.service.announce(defaultsOf: "group.a")
        }
        // A group that has gone has no values.
        #expect(try client.news(of: "GetDefaults") == ["values": [:]])
    }

    /// A new time of confirmation wakes no subscriber, but a new subscriber gets it.
    @Test func aNewSubscriberIsToldTheLatestConfirmation() async throws {
        var item = Item.showing("a")
        item.confirmed = WallTime(microseconds: 1)
        let fixture = try await Fixture([item])
        let first = try followers(1, fixture, "Show")[0]
        item.confirmed = WallTime(microseconds: 2)
        let confirmed = item
        await fixture.change(confirmed)
        try await fixture.passRound()
        let second = try fixture.connect()
        try second.follow("Show")
        #expect(try second.news(of: "Show")["items"]?.arrayValue?.first?["confirmed"] == 2)
        await fixture.change(.showing("b"))
        #expect(try first.news(of: "Show").texts == ["b"])
    }

    /// A stream may begin directly after another reply.
    @Test func aStreamBeginsAfterOtherCallsOfOneRead() async throws {
        let client = try await Fixture().connect()
        let calls = [VarlinkCall("org.todayd.Today.List"), VarlinkCall("org.todayd.Today.Show", more: true)]
        try client.sendRaw(calls.map { String(decoding: $0.encoded(), as: UTF8.self) }.joined())
        #expect(try client.receive().result()["widgets"] != nil)
        #expect(try client.news(of: "Show").texts == ["42 %"])
    }

    @Test func aWidgetThatReturnsUnchangedIsNews() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        let client = try followers(1, fixture, "Show")[0]
        await fixture.with {
            $0.backend.remove(.disk)
            $0.service.announceEverything()
        }
        #expect(try client.news(of: "Show") == ["items": [], "removed": ["org.example.disk"]])
        await fixture.change(.showing("a"))
        #expect(try client.news(of: "Show") == ["items": [Item.showing("a").json], "removed": []])
    }

    @Test func aSlowReaderHearsOfAllThatLeave() async throws {
        let widgets = (0..<300).map { WidgetID.numbered($0) }
        let fixture = try await Fixture(widgets.map { .showing("x", $0) } + [.showing("a")])
        let (slow, quick) = (try followers(1, fixture, "Show")[0], try followers(1, fixture, "Show")[0])
        await fixture.change(.showing(String(repeating: "y", count: 900_000)))
        _ = try quick.news(of: "Show")
        for widget in widgets {
            await fixture.with {
                $0.backend.remove(widget)
                $0.service.announce(changed: [widget])
            }
            #expect(try quick.news(of: "Show").strings("removed") == [widget.text])
        }
        // One of them has returned, and one that came meanwhile has left again.
        await fixture.with {
            $0.change(.showing("back", widgets[7]))
            $0.change(.showing("brief", .load))
        }
        _ = try quick.news(of: "Show")
        await fixture.change(Self.hidden("brief", .load))
        #expect(try quick.news(of: "Show").strings("removed") == [WidgetID.load.text])
        #expect(try slow.news(of: "Show").strings("removed").isEmpty)
        let news = try slow.news(of: "Show")
        #expect(news.texts == ["back"])
        let left = widgets.filter { $0 != widgets[7] } + [.load]
        #expect(Set(news.strings("removed")) == Set(left.map(\.text)))
        await fixture.change(.showing("last"))
        #expect(try slow.news(of: "Show") == ["items": [Item.showing("last").json], "removed": []])
    }

    /// What waits counts for each connection, and is gone when it is read.
    @Test func repliesThatManyDoNotReadAreCounted() async throws {
        let fixture = try await Fixture()
        let deaf = try followers(5, fixture, "Show")
        await fixture.change(.showing(String(repeating: "y", count: 900_000)))
        try await fixture.eventually("what waits") { $0.service.waitingOutput > 2_000_000 }
        for client in deaf { #expect(try client.news(of: "Show").texts.first?.utf8.count == 900_000) }
        try await fixture.eventually("what was read") { $0.service.waitingOutput == 0 }
    }

    @Test func theViewFollowsTheUsersOrder() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        let client = try fixture.connect()
        #expect(try client.today("Show").texts == ["a", "b"])
        await fixture.with {
            $0.backend.order.reverse()
            $0.service.announce(changed: [.disk, .load])
        }
        #expect(try client.today("Show").texts == ["b", "a"])
    }

    private static func confirmed(_ text: String, at confirmed: Int64) -> Item {
        var item = Item.showing(text)
        item.confirmed = WallTime(microseconds: confirmed)
        return item
    }

    @Test func aConfirmationIsInRepliesButWakesNoSubscriber() async throws {
        let fixture = try await Fixture([Self.confirmed("a", at: 1)])
        let host = try fixture.connect()
        try host.follow("Show")
        #expect(try host.news(of: "Show").texts == ["a"])
        await fixture.with { $0.change(Self.confirmed("a", at: 2)) }
        let asked = try fixture.connect().today("Show")
        #expect(asked["items"]?.arrayValue?.first?["confirmed"] == 2)
        // The next reply is the next content: no other reply came before it.
        await fixture.with { $0.change(Self.confirmed("b", at: 3)) }
        #expect(try host.news(of: "Show").texts == ["b"])
    }

    // MARK: What the backend is told

    @Test func theBackendIsToldOfTheFirstAndTheLastHost() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        let first = try fixture.connect()
        try first.follow("Show")
        _ = try first.news(of: "Show")
        try await fixture.eventually("the first host") { $0.backend.followed == [.disk, .load] }
        do {
            let second = try fixture.connect()
            try second.follow("Show", ["id": "org.example.disk"])
            _ = try second.news(of: "Show")
            #expect(await fixture.backend.lookChanges == 1)
            withExtendedLifetime(first) {}
        }
        try await fixture.eventually("only one subscriber") { $0.service.subscriberCount == 1 }
        #expect(await fixture.backend.followed == [.disk, .load])
    }

    @Test func theBackendIsToldWhenAHostLeaves() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        do {
            let client = try fixture.connect()
            try client.follow("Show", ["id": "org.example.disk"])
            _ = try client.news(of: "Show")
            try await fixture.eventually("the host") { $0.backend.followed == [.disk] }
        }
        try await fixture.eventually("no host") { $0.backend.followed.isEmpty }
        #expect(await fixture.backend.lookChanges == 2)
    }

    @Test func aWidgetThatLeavesTheViewIsNotFollowed() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        let client = try fixture.connect()
        try client.follow("Show")
        _ = try client.news(of: "Show")
        try await fixture.eventually("the host") { $0.backend.followed == [.disk, .load] }
        var hidden = Item.showing("a")
        hidden.state = .hidden
        await fixture.change(hidden)
        _ = try client.news(of: "Show")
        try await fixture.eventually("one widget less") { $0.backend.followed == [.load] }
        await fixture.change(.showing("a"))
        _ = try client.news(of: "Show")
        try await fixture.eventually("both again") { $0.backend.followed == [.disk, .load] }
        await fixture.change(hidden)
        _ = try client.news(of: "Show")
        try await fixture.eventually("one less once more") { $0.backend.followed == [.load] }
    }

    /// Bars that poll must not make widgets appear and disappear all the time.
    @Test func aHostThatAsksOnceFollowsNothing() async throws {
        let fixture = try await Fixture()
        _ = try fixture.connect().connection.call("org.todayd.Today.Show")
        try await fixture.eventually("the look") { $0.backend.looks == [[.disk]] }
        #expect(await fixture.backend.lookChanges == 0)
    }
}
