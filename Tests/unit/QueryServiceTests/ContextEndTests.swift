// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import JSON
import Reactor
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// What happens to an extension context after its program has ended.
@Suite struct ContextEndTests {
    init() { TestLoop.start() }

    private struct Context {
        let widget: Client
        let id: SessionID
        let end: @LoopActor () -> Void
    }

    private func serve(_ fixture: Fixture, as id: WidgetID = .disk) async throws -> Context {
        var ends: [Int32] = [-1, -1]
        try #require(clinux_socket_pair(&ends) == 0)
        try #require(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        let ours = OwnedDescriptor(adopting: ends[0])
        let served = await fixture.with { $0.service.serve(ours, contextOf: id).map { ($0.id, $0.end) } }
        let (number, end) = try #require(served)
        return Context(widget: try Client(of: fixture, adopting: ends[1]), id: number, end: end)
    }

    private static func call(_ method: String, _ parameters: JSONObject = [:], oneway: Bool = false) -> String {
        let call = VarlinkCall("org.todayd.ExtensionContext.\(method)", parameters, oneway: oneway)
        return String(decoding: call.encoded(), as: UTF8.self)
    }

    private static func flag(_ flag: Bool, oneway: Bool = false) -> String {
        call("SetHasContent", ["hasContent": .bool(flag)], oneway: oneway)
    }

    @Test func anIdleContextIsClosedAndOthersStay() async throws {
        let fixture = try await Fixture([.showing("a"), .showing("b", .load)])
        let (first, second) = (try await serve(fixture), try await serve(fixture, as: .load))
        #expect(first.id != second.id)
        #expect(await fixture.service.connectionCount == 2)
        await first.end()
        try first.widget.awaitClosing()
        #expect(try second.widget.call("org.todayd.ExtensionContext.Describe")["id"] == "org.example.load")
        #expect(await fixture.service.connectionCount == 1)
        await first.end()
    }

    @Test func callsThatHaveArrivedAreAnswered() async throws {
        var limits = QueryLimits()
        limits.callsPerTurn = 2
        let fixture = try await Fixture(limits: limits)
        let context = try await serve(fixture)
        let words = (0..<5).map { Self.flag($0.isMultiple(of: 2)) }.joined()
        let bytes = Array(words.utf8)
        let (descriptor, end) = (context.widget.connection.descriptor, context.end)
        await fixture.with { _ in
            #expect(send(descriptor, bytes, bytes.count, 0) == bytes.count)
            end()
        }
        for _ in 0..<5 { #expect(try context.widget.receive().result() == [:]) }
        try context.widget.awaitClosing()
        #expect(await fixture.backend.requests.count == 5)
    }

    @Test func aStreamEnds() async throws {
        let fixture = try await Fixture()
        await fixture.with {
            $0.backend.groups["group.a"] = ["n": 1]
        }
        let context = try await serve(fixture)
        try context.widget.send(
            VarlinkCall("org.todayd.ExtensionContext.GetDefaults", ["group": "group.a"], more: true))
        #expect(try context.widget.receive().result() == ["values": ["n": ["value": 1]]])
        await fixture.with {
            $0.backend.groups["group.a"] = ["n": 2]
            $0.service.announce(defaultsOf: "group.a")
        }
        #expect(try context.widget.receive().result() == ["values": ["n": ["value": 2]]])
        await context.end()
        try context.widget.awaitClosing()
        #expect(await fixture.service.subscriberCount == 0)
    }

    @Test func theEndWaitsForAChangeInProgress() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.holdsCompletions = true }
        let context = try await serve(fixture)
        try context.widget.sendRaw(Self.flag(false))
        try await fixture.held.next()
        await context.end()
        #expect(await fixture.service.connectionCount == 1)
        await fixture.backend.completeHeld()
        #expect(try context.widget.receive().result() == [:])
        try context.widget.awaitClosing()
    }

    /// The service carries out every call of a program that sends calls one by one and does not wait for replies.
    @Test func callsThatArriveDuringAChangeAreCarriedOut() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.holdsCompletions = true }
        let context = try await serve(fixture)
        try context.widget.sendRaw(Self.flag(false, oneway: true))
        try await fixture.held.next()
        for flag in [true, false] {
            try context.widget.sendRaw(Self.flag(flag, oneway: true))
            try await fixture.passRound()
        }
        await context.end()
        for _ in 0..<3 {
            await fixture.backend.completeHeld()
            if await fixture.backend.requests.count < 3 { try await fixture.held.next() }
        }
        #expect(await fixture.backend.requests == [false, true, false].map { .choice(.disk, .hasContent($0)) })
        try context.widget.awaitClosing()
    }

    /// The same with replies that the program no longer reads; some of them are unread in its socket.
    @Test(arguments: [0, 1, 3]) func callsOfAnEndedProgramAreCarriedOut(unread: Int) async throws {
        let fixture = try await Fixture()
        let context = try await serve(fixture)
        for _ in 0..<unread { try context.widget.sendRaw(Self.call("HasContent")) }
        try await fixture.passRound()
        await fixture.with { $0.backend.holdsCompletions = true }
        try context.widget.sendRaw(Self.flag(false))
        try await fixture.held.next()
        for flag in [true, false] { try context.widget.sendRaw(Self.flag(flag)) }
        context.widget.connection.close()
        try await fixture.passRound()
        await context.end()
        for _ in 0..<3 {
            await fixture.backend.completeHeld()
            if await fixture.backend.requests.count < 3 { try await fixture.held.next() }
        }
        #expect(await fixture.backend.requests == [false, true, false].map { .choice(.disk, .hasContent($0)) })
        try await fixture.eventually("the end") { $0.service.connectionCount == 0 }
    }

    /// One read(2) takes 64 KiB.
    @Test(arguments: [true, false]) func callsThatHaveArrivedAreAnsweredHoweverLongTheyTake(byStop: Bool) async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.groups["group.a"] = [:] }
        let context = try await serve(fixture)
        try context.widget.sendRaw(Self.call("HasContent"))
        _ = try context.widget.receive().result()
        let text = String(repeating: "x", count: 50_000)
        let calls = (0..<3).map { number in
            Self.call(
                "SetDefaults", ["group": "group.a", "key": .string("k\(number)"), "value": ["value": .string(text)]])
        }
        let bytes = Array(calls.joined().utf8)
        let (descriptor, end) = (context.widget.connection.descriptor, context.end)
        await fixture.with { fixture in
            #expect(send(descriptor, bytes, bytes.count, 0) == bytes.count)
            if byStop { fixture.service.stop {} } else { end() }
        }
        for _ in 0..<3 { #expect(try context.widget.receive().result() == [:]) }
        try context.widget.awaitClosing()
        #expect(await fixture.backend.requests.count == 3)
    }

    /// A context does not count as a connection of its user, before or after its end.
    @Test func anEndedContextMakesNoRoomForOthers() async throws {
        var limits = QueryLimits()
        limits.connectionsPerUser = 2
        let fixture = try await Fixture(limits: limits)
        let clients = try (0..<2).map { _ in try fixture.connect() }
        for client in clients { _ = try client.today("Show") }
        let context = try await serve(fixture)
        await context.end()
        try context.widget.awaitClosing()
        let refused = try fixture.connect()
        #expect(throws: VarlinkError.self) { try refused.receive().result() }
    }

    /// The service never takes a context for a connection whose process has ended.
    @Test func aContextIsNotClosedAsAbandoned() async throws {
        var limits = QueryLimits()
        limits.connectionsPerUser = 1
        let fixture = try await Fixture(limits: limits)
        let context = try await serve(fixture)
        let client = try fixture.connect()
        _ = try client.today("Show")
        let refused = try fixture.connect()
        #expect(throws: VarlinkError.self) { try refused.receive().result() }
        #expect(try context.widget.call("org.todayd.ExtensionContext.Describe")["id"] == "org.example.disk")
    }

    @Test(
        arguments: [
            (.refused("not now"), "Refused", "not now"), (.notStored("disk full"), "NotStored", "disk full"),
            (.noSuchWidget(.disk), "Refused", "the manifest of org.example.disk was removed"),
        ] as [(Refusal, String, String)])
    func refusalsAreErrorsOfTheContextsInterface(refusal: Refusal, name: String, reason: String) async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.refusal = refusal }
        let widget = try await serve(fixture).widget
        let expected = VarlinkError(
            name: "org.todayd.ExtensionContext.\(name)", parameters: ["reason": .string(reason)])
        #expect(
            try widget.error(of: "org.todayd.ExtensionContext.SetHasContent", ["hasContent": true]) == expected)
    }
}
