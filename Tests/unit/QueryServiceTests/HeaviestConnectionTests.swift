// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// How many bytes all connections together may hold, and which connection is closed above that.
@Suite struct HeaviestConnectionTests {
    init() { TestLoop.start() }

    @Test(
        arguments: [
            ([], nil),
            ([(0, 1, 7)], nil),
            ([(5, 1, 7)], 1),
            // The user that holds most loses a connection, even if another user has the largest connection.
            ([(9, 1, 7), (6, 2, 8), (5, 3, 8)], 2),
            ([(9, 1, 7), (4, 2, 8), (4, 3, 8)], 1),
            // Among equals, the first.
            ([(5, 1, 7), (5, 2, 7), (4, 3, 7)], 1),
        ] as [([(held: Int, connection: UInt64, user: uid_t)], UInt64?)])
    func theUserThatHoldsMostLosesItsLargestConnection(
        holders: [(held: Int, connection: UInt64, user: uid_t)], heaviest: UInt64?
    ) {
        var holdings = HeaviestConnection()
        for (held, connection, user) in holders { holdings.add(held, by: connection, of: user) }
        #expect(holdings.heaviest == heaviest)
    }

    @Test func incompleteCallsAreBounded() async throws {
        var limits = QueryLimits()
        limits.waitingInputBytes = 300_000
        let fixture = try await Fixture(limits: limits)
        let hoarders = try (0..<2).map { _ in try fixture.connect() }
        let beginning = #"{"method":""# + String(repeating: "x", count: 49_990)
        var total = 0
        func hoard(_ text: String, on client: Client) async throws {
            try client.sendRaw(text)
            total += text.utf8.count
            let all = total
            try await fixture.eventually("what was sent") { $0.service.waitingInput == all }
        }
        for hoarder in hoarders { try await hoard(beginning, on: hoarder) }
        for _ in 0..<3 { try await hoard(String(repeating: "x", count: 50_000), on: hoarders[0]) }
        // The calls of the others exceed the limit slightly; the user that holds most loses a connection.
        let victim = try fixture.connect()
        let error = try victim.error(of: "x.y." + String(repeating: "z", count: 100_000))
        #expect(error?.name == "org.varlink.service.MethodNotFound")
        try hoarders[0].awaitClosing()
        #expect(try "\(await fixture.troubles.next())".contains("calls that are not complete"))
        try hoarders[1].sendRaw("\"}\0")
        #expect(try hoarders[1].receive().error == "org.varlink.service.MethodNotFound")
    }

    @Test func incompleteCallsOfAllConnectionsTogetherAreBounded() async throws {
        var limits = QueryLimits()
        limits.waitingInputBytes = 200_000
        let fixture = try await Fixture(limits: limits)
        let part = String(repeating: "x", count: 60_000)
        let clients = try (0..<3).map { _ in try fixture.connect() }
        for client in clients { try client.sendRaw(part) }
        try clients[2].sendRaw("x")
        let last = try fixture.connect()
        try last.sendRaw(part)
        // The connection that holds most makes room, not the one that came last.
        try clients[2].awaitClosing()
        guard case .limitReached = try await fixture.troubles.next() else {
            Issue.record("reported something else")
            return
        }
        // The bytes of a client that leaves no longer count.
        clients[0].connection.close()
        try await fixture.eventually("the first client's end") { $0.service.connectionCount == 2 }
        try last.sendRaw("\0")
        try last.awaitClosing()
        let next = try fixture.connect()
        try next.sendRaw(part)
        #expect(try fixture.connect().today("Show").texts == ["42 %"])
        try next.sendRaw(part)
        #expect(await fixture.service.connectionCount >= 2)
    }

    @Test func unreadRepliesAreBounded() async throws {
        var limits = QueryLimits()
        limits.waitingOutputBytes = 2 << 20
        let fixture = try await Fixture([.showing(String(repeating: "x", count: 1_000))], limits: limits)
        await fixture.with { fixture in
            for group in ["g.a", "g.b", "g.c", "g.d"] {
                fixture.backend.groups[AppGroup(group) ?? "g.g"] = [
                    "k": .string(String(repeating: "y", count: 900_000))
                ]
            }
        }
        // Each reply differs and is longer than a socket's buffer.
        let deaf = try (0..<4).map { _ in try fixture.connect() }
        for (client, group) in zip(deaf, ["g.a", "g.b", "g.c", "g.d"]) {
            try client.send(VarlinkCall("org.todayd.Today.GetDefaults", ["group": .string(group)]))
        }
        #expect(try "\(await fixture.troubles.next())".contains("not read"))
        try await fixture.eventually("the bound") { $0.service.waitingOutput <= 2 << 20 }
        #expect(try fixture.connect().today("Show").texts.count == 1)
    }
}
