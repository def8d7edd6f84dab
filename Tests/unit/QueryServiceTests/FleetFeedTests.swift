// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// What today-fleet is told.
@Suite struct FleetFeedTests {
    init() { TestLoop.start() }

    @LoopActor private func told(_ feed: FleetFeed, since version: UInt64) throws -> JSONObject {
        let bytes = try #require(feed.reply(since: version))
        return try VarlinkReply(parsing: Array(bytes.dropLast())).result()
    }

    @Test @LoopActor func onlyWhatDiffersIsOfferedAgain() throws {
        let feed = FleetFeed()
        // Also if there is nothing: today-fleet learns that.
        #expect(feed.offer([], defaults: [:]) && !feed.offer([], defaults: [:]))
        #expect(feed.offer(["a"], defaults: [:]) && !feed.offer(["a"], defaults: [:]))
        #expect(feed.offer(["a"], defaults: ["g": 1]) && !feed.offer(["a"], defaults: ["g": 1]))
        #expect(feed.offer(["b"], defaults: ["g": 1]))
    }

    @Test @LoopActor func aWishIsToldUntilItHasComeTrue() throws {
        let feed = FleetFeed()
        let (one, other) = (try #require(WidgetID("a.one")), try #require(WidgetID("a.other")))
        _ = feed.offer(["a"], defaults: ["g": 1])
        let first = feed.version
        #expect(
            try told(feed, since: Feed.nothingSeen) == ["wanted": [], "widgets": ["a"], "defaults": ["g": 1]])
        feed.want(other)
        feed.want(one)
        #expect(try told(feed, since: first) == ["wanted": ["a.one", "a.other"]])
        let second = feed.version
        #expect(try told(feed, since: second) == ["wanted": []])
        feed.got(one)
        #expect(try told(feed, since: first) == ["wanted": ["a.other"]])
        feed.want(one)
        #expect(try told(feed, since: second) == ["wanted": ["a.one"]])
        // A client that begins gets all.
        #expect(
            try told(feed, since: Feed.nothingSeen) == [
                "wanted": ["a.one", "a.other"], "widgets": ["a"], "defaults": ["g": 1],
            ])
    }
}
