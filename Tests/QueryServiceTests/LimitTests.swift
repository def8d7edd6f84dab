// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// How many clients may connect, and what happens to further ones.
@Suite struct LimitTests {
    init() { TestLoop.start() }

    @Test(
        arguments: [
            (others: 0, own: 0, uid: 1000, .admitted),
            (
                others: 0, own: 1, uid: 1000,
                .admittedUnlessRun(.ofUserAndWidgets(1))
            ),
            (
                others: 0, own: 2, uid: 1000,
                .admittedForSilent(uid: 1000, .ofUser(2))
            ),
            (
                others: 3, own: 0, uid: 1000,
                .admittedForSilent(uid: nil, .all(3))
            ),
            (others: 3, own: 0, uid: 0, .admitted),
            (
                others: 4, own: 0, uid: 0,
                .admittedForSilent(uid: nil, .all(4))
            ),
        ] as [(others: Int, own: Int, uid: uid_t, Admission.Verdict)])
    func verdicts(others: Int, own: Int, uid: uid_t, verdict: Admission.Verdict) {
        var limits = QueryLimits()
        limits.connections = 4
        limits.connectionsForRoot = 1
        limits.connectionsPerUser = 2
        var admission = Admission(limits: limits)
        for number in 0..<others { admission.opened(by: 2000 + uid_t(number)) }
        for _ in 0..<own { admission.opened(by: uid) }
        #expect(admission.verdict(on: uid) == verdict)
        admission.opened(by: uid)
        admission.closed(by: uid)
        #expect(admission.verdict(on: uid) == verdict)
    }

    @Test(
        arguments: [
            (Int.max, 4096, 1024, 32), (16_384, 4096, 1024, 32), (1_024, 768, 192, 32), (512, 256, 64, 32),
            (64, 64, 16, 8),
        ])
    func fewDescriptorsAreFewConnections(descriptors: Int, connections: Int, perUser: Int, forRoot: Int) {
        let limits = QueryLimits(descriptors: descriptors)
        #expect(limits.connections == connections)
        #expect(limits.connectionsPerUser == perUser)
        #expect(limits.connectionsForRoot == forRoot)
    }

    @Test func reportsOfOneKindAndUserComeOnceAMinute() {
        var filter = ReportFilter()
        let reports: [(Report, second: Int64, isMade: Bool)] = [
            (.limitReached(uid: 1, "many"), 0, true),
            (.limitReached(uid: 1, "more"), 59, false),
            (.limitReached(uid: 2, "many"), 59, true),
            (.protocolViolation(uid: 1, pid: 2, "x"), 59, true),
            (.limitReached(uid: 1, "again"), 60, true),
        ]
        for (report, second, isMade) in reports {
            let isReported = filter.shouldReport(report.kind, at: BootTime(microseconds: second * 1_000_000))
            #expect(isReported == isMade, "\(report)")
        }
    }

    private static func few() -> QueryLimits {
        var limits = QueryLimits()
        limits.connectionsPerUser = 3
        return limits
    }

    @Test func whoIsSilentLongestMakesRoom() async throws {
        let fixture = try await Fixture(limits: Self.few())
        let talking = try fixture.connect()
        _ = try talking.today("Show")
        let silent = try (0..<2).map { _ in try fixture.connect() }
        let new = try fixture.connect()
        #expect(try new.today("Show").texts == ["42 %"])
        try silent[0].awaitClosing()
        #expect(try talking.today("Show").texts == ["42 %"])
        #expect(try silent[1].today("Show").texts == ["42 %"])
        #expect(try "\(await fixture.reports.next())".contains("3 connections of one user"))
    }

    @Test func whereAllHaveCalledTheNewOneIsToldWhy() async throws {
        let fixture = try await Fixture(limits: Self.few())
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
    @Test func whoHasCalledIsSparedAndAnsweredInTurn() async throws {
        let fixture = try await Fixture(limits: Self.few())
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

    @Test func twoThousandSilentClientsDisturbNobody() async throws {
        var limits = QueryLimits()
        limits.connectionsPerUser = 500
        let fixture = try await Fixture(limits: limits)
        let before = try fixture.connect()
        try before.follow("Show")
        _ = try before.news(of: "Show")
        let silent = try (0..<2_000).map { _ in try fixture.connect() }
        // A client that arrives with a crowd in one turn, and has sent nothing, counts as part of the crowd.
        try await fixture.passRound()
        #expect(try fixture.connect().today("Show").texts == ["42 %"])
        await fixture.change(.showing("43 %"))
        #expect(try before.news(of: "Show").texts == ["43 %"])
        #expect(await fixture.service.connectionCount <= 500)
        _ = try await fixture.reports.next()
        #expect(fixture.reports.taken().isEmpty, "one report for the whole burst")
        withExtendedLifetime(silent) {}
    }

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
    func whoHoldsMostMakesRoom(holders: [(held: Int, connection: UInt64, user: uid_t)], heaviest: UInt64?) {
        var holdings = Holdings()
        for (held, connection, user) in holders { holdings.add(held, by: connection, of: user) }
        #expect(holdings.heaviest == heaviest)
    }

    @Test func callsThatAreNotCompleteAreBounded() async throws {
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
        #expect(try "\(await fixture.reports.next())".contains("calls that are not complete"))
        try hoarders[1].sendRaw("\"}\0")
        #expect(try hoarders[1].receive().error == "org.varlink.service.MethodNotFound")
    }

    @Test func aViewThatIsTooLongLosesTheLargestContents() async throws {
        var limits = QueryLimits()
        limits.viewBytes = 100_000
        let long = Item.showing(String(repeating: "x", count: 90_000), .numbered(1))
        let others = [Item.showing("before", .numbered(0)), .showing("after", .numbered(2))]
        let fixture = try await Fixture([others[0], long, others[1]], limits: limits)
        let client = try fixture.connect()
        #expect(try client.today("Show").texts.count == 3)
        await fixture.change(Item.showing(String(repeating: "y", count: 50_000), .numbered(2)))
        let follower = try fixture.connect()
        try follower.follow("Show")
        for reply in [try client.today("Show"), try follower.news(of: "Show")] {
            let items = try #require(reply["items"]?.arrayValue)
            #expect(items.map { $0["content"] != nil } == [true, false, true])
            let failure = try #require(items[1]["failure"]?.stringValue)
            #expect(failure.hasSuffix("is too much for one reply with all others"))
        }
        #expect(try client.today("List")["widgets"]?.arrayValue?.count == 3)
        #expect(try client.today("Show", ["id": "org.example.w1"]).texts.first?.utf8.count == 90_000)
    }

    @Test func aReplyBeyondWhatClientsReadIsAnError() async throws {
        var limits = QueryLimits()
        limits.replyBytes = 1_000
        let fixture = try await Fixture([.showing(String(repeating: "x", count: 1_000))], limits: limits)
        let error = try fixture.connect().error(of: "org.todayd.Today.Show")
        #expect(error?.name == "org.todayd.Today.LimitReached")
        #expect(error?.parameters["reason"]?.stringValue?.hasSuffix("ask for less, as for one widget") == true)
    }

    @Test func nobodyIsKeptInMindForACallWithoutReply() async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        for method in ["Update", "PerformAction"] {
            var parameters: JSONObject = ["id": "org.example.disk"]
            if method == "PerformAction" { parameters["action"] = "a" }
            try client.send(VarlinkCall("org.todayd.Today.\(method)", parameters, oneway: true))
        }
        #expect(try client.today("Show").texts == ["42 %"])
        #expect(await fixture.backend.listened == 0)
        #expect(await fixture.backend.interactions == [.action("a")])
    }

    @Test func repliesThatNobodyReadsAreBounded() async throws {
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
        #expect(try "\(await fixture.reports.next())".contains("not read"))
        try await fixture.eventually("the bound") { $0.service.tally.waiting <= 2 << 20 }
        #expect(try fixture.connect().today("Show").texts.count == 1)
    }
}
