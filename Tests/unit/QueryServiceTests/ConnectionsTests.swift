// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// Which connections are accepted or refused when many arrive at once.
@Suite struct ConnectionsTests {
    init() { TestLoop.start() }

    private static let call = #"{"method":"org.todayd.Today.HasContent","parameters":{"id":"org.example.disk"}}"# + "\0"

    private static func few(_ perUser: Int) -> QueryLimits {
        var limits = QueryLimits()
        limits.connectionsPerUser = perUser
        return limits
    }

    /// What happens to a client: `served`, `told` the reason of the refusal, or only `closed`.
    private func fate(of client: Client) throws -> String {
        do {
            _ = client.sendIfOpen(Self.call)
            let reply = try client.receive()
            return reply.error == "org.todayd.Today.LimitReached" ? "told" : reply.error == nil ? "served" : "?"
        } catch VarlinkConnectionError.closedByService {
            return "closed"
        }
    }

    private func fates(of clients: [Client]) throws -> [String] { try clients.map { try fate(of: $0) } }

    @Test func theCrowdOfOneUserCostsNoOther() async throws {
        let fixture = try await Fixture(limits: Self.few(2))
        let inside = try await fixture.admit([7, 7, 8].map { Arriver(uid: $0) })
        let crowd = try await fixture.admit([Arriver(uid: 7), Arriver(uid: 7, says: Self.call), Arriver(uid: 8)])
        #expect(try fates(of: crowd) == ["told", "told", "served"])
        #expect(try fates(of: inside) == ["served", "served", "served"])
        inside[0].connection.close()
        try await fixture.eventually("room") { $0.service.connectionCount == 3 }
        #expect(try fate(of: try await fixture.admit(Arriver(uid: 7))) == "served")
    }

    @Test func atTheLimitOfAllOneIsFreeForRoot() async throws {
        var limits = QueryLimits()
        limits.connections = 4
        limits.connectionsForRoot = 1
        let fixture = try await Fixture(limits: limits)
        let inside = try await fixture.admit([7, 8, 9].map { Arriver(uid: $0) })
        let refused = try await fixture.admit([10, 7].map { Arriver(uid: $0, says: Self.call) })
        for client in refused {
            #expect(throws: VarlinkError.limitReached("3 connections: no more until some are closed")) {
                try client.receive().result()
            }
        }
        let root = try await fixture.admit(Arriver(uid: 0))
        #expect(try fates(of: inside + [root]) == ["served", "served", "served", "served"])
        #expect(
            fixture.troubles.taken().map(\.description) == [
                "limit reached for user 10: 3 connections: no more until some are closed",
                "limit reached for user 7: 3 connections: no more until some are closed",
            ])
    }

    /// Every refused client gets its own reason, although the text is encoded once for many.
    @Test func eachClientIsToldTheReasonOfItsOwnLimit() async throws {
        var limits = Self.few(2)
        limits.connections = 5
        limits.connectionsForRoot = 1
        let fixture = try await Fixture(limits: limits)
        let inside = try await fixture.admit([7, 7, 8, 8].map { Arriver(uid: $0) })
        for client in inside { _ = try fate(of: client) }
        let refused = try await fixture.admit([7, 9, 9, 8].map { Arriver(uid: $0) })
        let reasons = try refused.map { try $0.receive().parameters["reason"]?.stringValue?.prefix(16) }
        #expect(reasons == ["2 connections of", "4 connections: n", "4 connections: n", "2 connections of"])
    }

    @Test func widgetsAreToldThatTheirHalfIsTaken() async throws {
        let fixture = try await Fixture(limits: Self.few(4))
        let inside = try await fixture.admit([Arriver(), Arriver()])
        await fixture.with { $0.backend.clientsAreWidgets = true }
        let widgets = try await fixture.admit([Arriver(), Arriver(), Arriver()])
        for widget in widgets {
            let reply = try widget.receive()
            #expect(reply.error == "org.todayd.Today.LimitReached")
            #expect(reply.parameters["reason"]?.stringValue?.contains("no more for widgets") == true)
        }
        let report = try await fixture.troubles.next().description
        #expect(
            report
                == "limit reached for user 7000: 2 connections of one user: no more for widgets until some are closed")
        #expect(fixture.troubles.taken().isEmpty)
        withExtendedLifetime(inside) {}
    }

    /// The check walks up the process's ancestors, so it runs once per turn; a process may become a widget's later.
    @Test func theBackendIsAskedAboutAProcessOncePerRound() async throws {
        let fixture = try await Fixture(limits: Self.few(20))
        let inside = try await fixture.admit([Arriver](repeating: Arriver(), count: 10))
        let same = try await fixture.admit([Arriver](repeating: Arriver(), count: 3))
        #expect(await fixture.backend.runQuestions == 1)
        try await fixture.passRound()
        await fixture.with { $0.backend.clientsAreWidgets = true }
        let widget = try await fixture.admit()
        #expect(await fixture.backend.runQuestions == 2)
        #expect(try fate(of: widget) == "told")
        #expect(try fates(of: same) == ["served", "served", "served"])
        withExtendedLifetime(inside) {}
    }

    @Test func aNewClientIsToldWhyUntilOneLeaves() async throws {
        let fixture = try await Fixture(limits: Self.few(3))
        let clients = try (0..<3).map { _ in try fixture.connect() }
        for client in clients { _ = try client.today("Show") }
        let refused = try fixture.connect()
        let error = VarlinkError(
            name: "org.todayd.Today.LimitReached",
            parameters: ["reason": "3 connections of one user: no more until some are closed"])
        #expect(throws: error) { try refused.receive().result() }
        try refused.awaitClosing()
        clients[0].connection.close()
        try await fixture.eventually("room") { $0.service.connectionCount == 2 }
        #expect(try fixture.connect().today("Show").texts == ["42 %"])
    }

    /// All arrive in one turn of the loop. Their calls wait for turns of their own, because accepting is not one.
    @Test func aConnectionWithACallIsKeptAndAnsweredInTurn() async throws {
        let fixture = try await Fixture(limits: Self.few(3))
        let (clients, looks) = try await fixture.with { fixture in
            let clients = try (0..<5).map { _ in try fixture.connect() }
            for client in clients { try client.send(VarlinkCall("org.todayd.Today.Show")) }
            return (Handed(clients), fixture.backend.looks.count)
        }
        #expect(looks == 0)
        for client in clients.value.prefix(3) { #expect(try client.receive().result().texts == ["42 %"]) }
        for client in clients.value.suffix(2) { #expect(throws: VarlinkError.self) { try client.receive().result() } }
    }

    /// Clients that one thread has made and another uses.
    private struct Handed: @unchecked Sendable {
        let value: [Client]
        init(_ value: [Client]) { self.value = value }
    }

    @Test func halfOfTheConnectionsAreForOthersThanWidgets() async throws {
        var limits = QueryLimits()
        limits.connectionsPerUser = 4
        let fixture = try await Fixture(limits: limits)
        await fixture.with { $0.backend.clientsAreWidgets = true }
        let widgets = try (0..<2).map { _ in try fixture.connect() }
        for client in widgets { _ = try client.today("Show") }
        #expect(throws: VarlinkError.self) { try fixture.connect().receive().result() }
        await fixture.with { $0.backend.clientsAreWidgets = false }
        #expect(try fixture.connect().today("Show").texts == ["42 %"])
        withExtendedLifetime(widgets) {}
    }

    @Test func twoThousandSilentClientsDelayNoOther() async throws {
        var limits = QueryLimits()
        limits.connectionsPerUser = 500
        let fixture = try await Fixture(limits: limits)
        let before = try fixture.connect()
        try before.follow("Show")
        _ = try before.news(of: "Show")
        let silent = try await fixture.admit([Arriver](repeating: Arriver(), count: 2_000))
        #expect(try fixture.connect().today("Show").texts == ["42 %"])
        await fixture.change(.showing("43 %"))
        #expect(try before.news(of: "Show").texts == ["43 %"])
        #expect(await fixture.service.connectionCount <= 502)
        _ = try await fixture.troubles.next()
        #expect(fixture.troubles.taken().isEmpty, "one report for the whole burst")
        withExtendedLifetime(silent) {}
    }
}
