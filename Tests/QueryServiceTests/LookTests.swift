// SPDX-License-Identifier: MIT
import TestSupport
import Testing
import TodayModel

@testable import QueryService

/// When the backend hears that hosts look: the first host that follows a widget, and the last one that leaves.
@Suite struct LookTests {
    init() { TestLoop.start() }

    @Test func theFirstHostAndTheLastAreTold() async throws {
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

    @Test func aHostThatLeavesLooksAway() async throws {
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

    @Test func whatLeavesTheViewIsNotLookedAt() async throws {
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
    @Test func oneLookIsNoFollowing() async throws {
        let fixture = try await Fixture()
        _ = try fixture.connect().connection.call("org.todayd.Today.Show")
        try await fixture.eventually("the look") { $0.backend.looks == [[.disk]] }
        #expect(await fixture.backend.lookChanges == 0)
    }
}
