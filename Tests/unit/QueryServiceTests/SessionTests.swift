// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// How calls come in and replies go out, in pieces of any size.
@Suite struct SessionTests {
    init() { TestLoop.start() }

    private static let show = #"{"method":"org.todayd.Today.Show"}"# + "\0"
    private static let disk: JSONObject = ["id": "org.example.disk"]

    /// The replies fill the socket, and more calls wait when the client leaves.
    @Test(arguments: [1, 2, 64]) func aClientThatLeavesBeforeItsRepliesIsForgotten(callsPerTurn: Int) async throws {
        var limits = QueryLimits()
        limits.callsPerTurn = callsPerTurn
        let text = String(repeating: "x", count: 100_000)
        let fixture = try await Fixture((0..<5).map { .showing(text, .numbered($0)) }, limits: limits)
        let client = try await fixture.admit()
        try client.sendRaw(String(repeating: #"{"method":"org.todayd.Today.Show"}"# + "\0", count: 20))
        try await fixture.passRound()
        client.connection.close()
        try await fixture.eventually("its end") { $0.service.connectionCount == 0 }
    }

    @Test func aCallMayComeByteByByte() async throws {
        let client = try await Fixture().connect()
        for _ in 0..<2 {
            for byte in Self.show { try client.sendRaw(String(byte)) }
            #expect(try client.receive().result().texts == ["42 %"])
        }
    }

    @Test func oneReadMayHoldCallsAndPartsOfCalls() async throws {
        let client = try await Fixture().connect()
        let half = Self.show.index(Self.show.startIndex, offsetBy: 10)
        try client.sendRaw(Self.show + Self.show[..<half])
        #expect(try client.receive().result().texts == ["42 %"])
        try client.sendRaw(Self.show[half...] + Self.show)
        for _ in 0..<2 { #expect(try client.receive().result().texts == ["42 %"]) }
    }

    @Test func pipelinedCallsAreAllAnsweredInOrder() async throws {
        var limits = QueryLimits()
        limits.callsPerTurn = 7
        limits.gatheredBytes = 2_000
        let client = try await Fixture((0..<50).map { .showing("\($0)", .numbered($0)) }, limits: limits).connect()
        let calls = (0..<500).map { number in
            VarlinkCall("org.todayd.Today.Show", ["id": .string("org.example.w\(number % 50)")])
        }
        try client.sendRaw(calls.map { String(decoding: $0.encoded(), as: UTF8.self) }.joined())
        for number in 0..<500 {
            #expect(try client.receive().result().texts == ["\(number % 50)"])
        }
    }

    @Test func aCallWaitsUntilTheChangeBeforeItIsMade() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.holdsCompletions = true }
        let client = try fixture.connect()
        try client.send(
            VarlinkCall("org.todayd.Today.SetHasContent", ["id": "org.example.disk", "hasContent": false]))
        try client.send(VarlinkCall("org.todayd.Today.HasContent", Self.disk))
        try await fixture.held.next()
        // Other clients do not wait.
        #expect(try fixture.connect().today("HasContent", Self.disk) == ["hasContent": true])
        await fixture.backend.completeHeld()
        #expect(try client.receive().result() == [:])
        #expect(try client.receive().result() == ["hasContent": false])
    }

    @Test func onewayCallsGetNoReplyAndDelayNoOther() async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        try client.send(VarlinkCall("org.todayd.Today.List", oneway: true))
        try client.send(VarlinkCall("org.todayd.Today.Nonsense", oneway: true))
        try client.send(VarlinkCall("org.todayd.Today.Enable", Self.disk, oneway: true))
        #expect(try client.today("HasContent", Self.disk) == ["hasContent": true])
        #expect(await fixture.backend.requests == [.choice(.disk, .enabled(true))])
    }

    @Test func aClientThatClosedItsHalfGetsItsReplies() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.holdsCompletions = true }
        let client = try fixture.connect()
        try client.send(VarlinkCall("org.todayd.Today.Show"))
        try client.send(VarlinkCall("org.todayd.Today.Enable", Self.disk))
        shutdown(client.connection.descriptor, Int32(SHUT_WR))
        #expect(try client.receive().result().texts == ["42 %"])
        try await fixture.held.next()
        await fixture.backend.completeHeld()
        #expect(try client.receive().result() == [:])
        try client.awaitClosing()
    }

    @Test func theCallAfterAnUpdateThatWasAnsweredAtOnceIsAnswered() async throws {
        let fixture = try await Fixture()
        await fixture.with {
            $0.backend.updateAnswers[.disk] = .refused
            $0.backend.holdsCompletions = true
        }
        let client = try fixture.connect()
        _ = try client.today("Update", Self.disk)
        // When the client leaves, the first change is in progress and the second has not begun.
        try client.send(VarlinkCall("org.todayd.Today.Enable", Self.disk, oneway: true))
        try client.send(VarlinkCall("org.todayd.Today.Disable", Self.disk, oneway: true))
        client.connection.close()
        try await fixture.held.next()
        await fixture.backend.completeHeld()
        try await fixture.held.next()
        await fixture.backend.completeHeld()
        #expect(await fixture.backend.requests == [.choice(.disk, .enabled(true)), .choice(.disk, .enabled(false))])
    }

    @Test func aStreamContinuesForAClientThatClosedItsHalf() async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        try client.follow("Show")
        shutdown(client.connection.descriptor, Int32(SHUT_WR))
        #expect(try client.news(of: "Show").texts == ["42 %"])
        await fixture.change(.showing("43 %"))
        #expect(try client.news(of: "Show").texts == ["43 %"])
    }

    @Test func aClientThatLeavesIsForgotten() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.holdsCompletions = true }
        for method in ["Show", "Enable", "Monitor", "Update"] {
            let client = try fixture.connect()
            try client.send(
                VarlinkCall(
                    "org.todayd.Today.\(method)", method == "Monitor" ? [:] : Self.disk, more: method != "Enable"))
            if method == "Enable" { try await fixture.held.next() } else { _ = try client.receive() }
            client.connection.close()
        }
        // This holds even while the change is in progress, because no other call waits.
        try await fixture.eventually("end of all sessions") { $0.service.connectionCount == 0 }
        #expect(await fixture.service.subscriberCount == 0)
        await fixture.backend.completeHeld()
        await fixture.change(.showing("43 %"))
        #expect(try fixture.connect().today("Show").texts == ["43 %"])
    }

    @Test func aClientThatDoesNotReadIsNotReadFrom() async throws {
        let fixture = try await Fixture([.showing(String(repeating: "x", count: 1_000))])
        let deaf = try fixture.connect()
        // Far more replies than two socket buffers hold. In the end, the client cannot send more calls.
        let calls = Array(String(repeating: Self.show, count: 1_000).utf8)
        var sent = 0
        while true {
            var entry = pollfd(fd: deaf.connection.descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&entry, 1, 200) > 0 else { break }
            let count = send(deaf.connection.descriptor, calls, calls.count, 0)
            if count > 0 { sent += count }
            try #require(sent < 64 << 20, "the service reads on and on")
        }
        #expect(await fixture.with { $0.service.waitingOutput } < 1 << 20)
        #expect(try fixture.connect().today("Show").texts.count == 1)
        // Once the client reads, it gets every reply.
        for _ in 0..<sent / Self.show.utf8.count { _ = try deaf.receive() }
    }
}
