// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// The other streams: defaults, events, and the progress of an update.
@Suite struct FeedTests {
    init() { TestLoop.start() }

    @Test func defaultsAreFollowed() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.groups = ["group.a": ["n": 1], "group.b": [:]] }
        let client = try fixture.connect()
        try client.follow("GetDefaults", ["group": "group.a"])
        #expect(try client.news(of: "GetDefaults") == ["values": ["n": ["value": 1]]])
        await fixture.with {
            $0.backend.groups["group.b"] = ["x": 1]
            $0.service.announce(defaultsOf: "group.b")
            $0.service.announce(defaultsOf: "group.a")
        }
        await fixture.with {
            $0.backend.groups["group.a"] = ["n": 2]
            $0.service.announce(defaultsOf: "group.a")
        }
        #expect(try client.news(of: "GetDefaults") == ["values": ["n": ["value": 2]]])
    }

    @Test func eventsAreMonitored() async throws {
        let fixture = try await Fixture()
        #expect(await fixture.service.isMonitored == false)
        let client = try fixture.connect()
        try client.follow("Monitor")
        #expect(try client.news(of: "Monitor") == ["events": [], "lost": 0])
        #expect(await fixture.service.isMonitored)
        await fixture.with { fixture in
            for number in 1...3 { fixture.service.announce(.numbered(number)) }
        }
        let reply = try client.news(of: "Monitor")
        #expect(reply["events"]?.arrayValue?.compactMap { $0["text"]?.stringValue } == ["1", "2", "3"])
        client.connection.close()
        try await fixture.eventually("the end of monitoring") { !$0.service.isMonitored }
    }

    @Test func aMonitorThatFallsBehindIsToldHowMuchItLost() async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        try client.follow("Monitor")
        _ = try client.news(of: "Monitor")
        await fixture.with { fixture in
            for number in 0..<MonitorFeed.capacity + 10 { fixture.service.announce(.numbered(number)) }
        }
        let reply = try client.news(of: "Monitor")
        #expect(reply["lost"] == 10)
        let events = try #require(reply["events"]?.arrayValue)
        #expect(events.count == MonitorFeed.capacity)
        #expect(events.first?["text"] == "10")
        #expect(events.last?["text"] == .string("\(MonitorFeed.capacity + 9)"))
        await fixture.with { fixture in for number in 0..<3 { fixture.service.announce(.numbered(number)) } }
        let next = try client.news(of: "Monitor")
        #expect(next["lost"] == 0)
        #expect(next["events"]?.arrayValue?.compactMap { $0["text"]?.stringValue } == ["0", "1", "2"])
        // docs/protocol.md names this number.
        #expect(MonitorFeed.capacity == 512)
    }

    @Test func anUpdateWithMoreTellsEachAnswerAsItComes() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        await fixture.with { $0.backend.updateAnswers[.load] = .refused }
        let client = try fixture.connect()
        try client.follow("Update")
        #expect(try client.news(of: "Update").answers == ["org.example.disk started", "org.example.load refused"])
        await fixture.progress(.disk, .joined)
        #expect(try client.news(of: "Update").answers == ["org.example.disk joined"])
        // A repeated answer is not sent again.
        await fixture.progress(.disk, .joined)
        await fixture.progress(.disk, .newData)
        let last = try client.receive()
        #expect(!last.continues)
        #expect(try last.result().answers == ["org.example.disk newData"])
        // The connection is free for the next call.
        #expect(try client.today("Show").texts == ["a", "b"])
    }

    @Test func anUpdateThatIsOverAtOnceHasOneReply() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.updateAnswers[.disk] = .refused }
        let client = try fixture.connect()
        for more in [false, true] {
            try client.send(VarlinkCall("org.todayd.Today.Update", more: more))
            let reply = try client.receive()
            #expect(!reply.continues)
            #expect(try reply.result().answers == ["org.example.disk refused"])
        }
    }

    @Test func anUpdateWithoutMoreWaitsForTheResults() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        let client = try fixture.connect()
        try client.send(VarlinkCall("org.todayd.Today.Update"))
        try await fixture.eventually("the update") { $0.backend.listener != nil }
        await fixture.progress(.load, .failed)
        await fixture.progress(.disk, .noData)
        #expect(try client.receive().result().answers == ["org.example.disk noData", "org.example.load failed"])
    }

    @Test func anUpdateIsAnsweredBeforeClientsGiveUp() async throws {
        var limits = QueryLimits()
        limits.updatePatience = .milliseconds(20)
        let fixture = try await Fixture(limits: limits)
        let client = try fixture.connect()
        #expect(try client.today("Update").answers == ["org.example.disk started"])
        let action = try client.today("PerformAction", ["id": "org.example.disk", "action": "a"])
        #expect(action["answer"]?["answer"] == "started")
        // An answer after the end goes to no client.
        await fixture.progress(.disk, .newData)
        #expect(try client.today("Show").texts == ["42 %"])
    }

    @Test func anActionIsAnsweredWithItsResult() async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        try client.send(VarlinkCall("org.todayd.Today.PerformAction", ["id": "org.example.disk", "action": "go"]))
        try await fixture.eventually("the action") { $0.backend.listener != nil }
        await fixture.progress(.disk, .newData)
        #expect(try client.receive().result()["answer"]?["answer"] == "newData")
        #expect(await fixture.backend.interactions == [.action("go")])
    }
}

extension Fixture {
    fileprivate func progress(_ id: WidgetID, _ answer: UpdateAnswer.Answer) {
        backend.listener?.receive(UpdateAnswer(id: id, answer: answer))
    }
}

extension Event {
    fileprivate static func numbered(_ number: Int) -> Event {
        Event(time: WallTime(microseconds: 1), kind: .started, text: "\(number)")
    }
}

extension JSONObject {
    /// The answers in a reply of Update, as `id answer`.
    fileprivate var answers: [String] {
        (self["answers"]?.arrayValue ?? []).map {
            "\($0["id"]?.stringValue ?? "?") \($0["answer"]?.stringValue ?? "?")"
        }
    }
}
