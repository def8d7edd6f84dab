// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// The order in which calls are answered when several connections have many.
@Suite struct SessionTurnsTests {
    init() { TestLoop.start() }

    private static func shows(_ numbers: ClosedRange<Int>) -> String {
        numbers.map { #"{"method":"org.todayd.Today.Show","parameters":{"id":"org.example.w\#($0)"}}"# + "\0" }.joined()
    }

    private static func limits(calls: Int, time: TimeSpan) -> QueryLimits {
        var limits = QueryLimits()
        limits.callsPerTurn = calls
        limits.timePerTurn = time
        limits.timePerRound = .seconds(60)
        return limits
    }

    @Test(
        arguments: [
            // Three calls of the first connection, then the others; a process gets one connection at a time.
            (limits(calls: 3, time: .seconds(60)), [0, 1, 2, 3, 4, 5, 20, 21, 10, 11, 6, 7]),
            // Without any time, each turn answers one call.
            (limits(calls: 3, time: .milliseconds(-1)), [0, 1, 20, 10, 21, 2, 11, 3, 4, 5, 6, 7]),
            (limits(calls: 64, time: .seconds(60)), [0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 20, 21]),
        ] as [(QueryLimits, [Int])])
    func whoHasManyCallsLetsOthersGoBetween(limits: QueryLimits, order: [Int]) async throws {
        let fixture = try await Fixture((0..<30).map { .showing("\($0)", .numbered($0)) }, limits: limits)
        let clients = try await fixture.admit([Arriver(pid: 1), Arriver(pid: 1), Arriver(pid: 2)])
        try await fixture.say([
            (clients[0], Self.shows(0...7)), (clients[1], Self.shows(10...11)), (clients[2], Self.shows(20...21)),
        ])
        for (client, count) in zip(clients, [8, 2, 2]) {
            for _ in 0..<count { #expect(try client.receive().error == nil) }
        }
        #expect(await fixture.backend.looks == order.map { [.numbered($0)] })
    }

    /// If each turn has time for only one call, every client is still answered.
    @Test func everySessionAnswersAtLeastOneCallPerTurn() async throws {
        var limits = QueryLimits()
        limits.timePerTurn = .zero
        limits.timePerRound = .zero
        let fixture = try await Fixture((0..<200).map { .showing("\($0)", .numbered($0)) }, limits: limits)
        let clients = try await fixture.admit((0..<20).map { Arriver(uid: $0 % 3, pid: pid_t($0 % 7) + 1) })
        try await fixture.say(clients.enumerated().map { ($1, Self.shows(10 * $0...10 * $0 + 9)) })
        for (place, client) in clients.enumerated() {
            for number in 10 * place...10 * place + 9 { #expect(try client.receive().result().texts == ["\(number)"]) }
        }
        // The loop polls for other events in between.
        let before = await fixture.backend.looksBefore
        #expect(Set(before).count > before.count / 4)
        // This holds when all clients get a change.
        for client in clients { try client.follow("Show", ["id": "org.example.w0"]) }
        for client in clients { #expect(try client.news(of: "Show").texts == ["0"]) }
        for text in ["a", "b"] {
            await fixture.change(.showing(text, .numbered(0)))
            for client in clients { #expect(try client.news(of: "Show").texts == [text]) }
        }
    }

    @Test func theMoreProcessesWaitTheLessTimeEachGets() async throws {
        var limits = QueryLimits()
        limits.timePerTurn = .milliseconds(5)
        limits.timePerRound = .milliseconds(6)
        let fixture = try await Fixture(limits: limits)
        // Four processes, one of them with two connections.
        let clients = try await fixture.admit([1, 2, 3, 3, 4].map { Arriver(pid: $0) })
        let shares = await fixture.with { fixture in
            var shares = [fixture.service.turns.share]
            for session in fixture.service.sessions.values.sorted(by: { $0.id < $1.id }) {
                fixture.service.append(session)
                shares.append(fixture.service.turns.share)
            }
            return shares.map(\.microseconds)
        }
        #expect(shares == [5_000, 5_000, 3_000, 2_000, 2_000, 1_500])
        withExtendedLifetime(clients) {}
    }

    /// The session takes the next call after the change before it, whether the client still waits or not.
    @Test func pipelinedCallsAreCarriedOutAfterTheClientHasLeft() async throws {
        var limits = QueryLimits()
        limits.callsPerTurn = 2
        let fixture = try await Fixture(limits: limits)
        let client = try await fixture.admit()
        let changes = (0..<9).map { number in
            VarlinkCall(
                "org.todayd.Today.SetHasContent",
                ["id": "org.example.disk", "hasContent": .bool(number.isMultiple(of: 2))], oneway: number < 8)
        }
        try client.sendRaw(changes.map { String(decoding: $0.encoded(), as: UTF8.self) }.joined())
        client.connection.close()
        try await fixture.eventually("all changes") { $0.backend.requests.count == 9 }
        #expect(await fixture.backend.requests == (0..<9).map { .choice(.disk, .hasContent($0.isMultiple(of: 2))) })
        try await fixture.eventually("the end") { $0.service.connectionCount == 0 }
    }

    @Test func aReplyThatComesTwiceAnswersNothingElse() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.holdsCompletions = true }
        let client = try fixture.connect()
        try client.send(VarlinkCall("org.todayd.Today.Enable", ["id": "org.example.disk"]))
        try await fixture.held.next()
        await fixture.backend.completeHeld()
        #expect(try client.receive().result() == [:])
        try client.send(VarlinkCall("org.todayd.Today.Enable", ["id": "org.example.disk"]))
        try await fixture.held.next()
        await fixture.backend.completeAgain()
        await fixture.with { $0.backend.refusal = .refused("not now") }
        await fixture.backend.completeHeld()
        #expect(throws: VarlinkError.refused("not now")) { try client.receive().result() }
    }

    /// The session keeps nothing for a client that has left a long run.
    @Test func aClientThatLeavesIsNotWaitedFor() async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        try client.send(VarlinkCall("org.todayd.Today.Update"))
        try await fixture.eventually("the update") { $0.backend.listener != nil }
        // The service has not begun this call when the client leaves.
        try client.send(VarlinkCall("org.todayd.Today.Enable", ["id": "org.example.disk"]))
        client.connection.close()
        try await fixture.eventually("the end") { $0.service.connectionCount == 0 }
        try await fixture.eventually("nobody who listens") { $0.backend.listener == nil }
        #expect(await fixture.backend.requests.isEmpty)
    }
}
