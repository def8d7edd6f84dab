// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// How many may connect, and what becomes of those who are too many.
@Suite struct LimitTests {
    init() { TestLoop.start() }

    @Test(
        arguments: [
            (others: 0, own: 0, uid: 1000, .admitted),
            (others: 0, own: 1, uid: 1000, .admitted),
            (others: 0, own: 2, uid: 1000, .admittedForSilent(uid: 1000, reason: "2 connections of one user")),
            (others: 3, own: 0, uid: 1000, .admittedForSilent(uid: nil, reason: "3 connections")),
            (others: 3, own: 0, uid: 0, .admitted),
            (others: 4, own: 0, uid: 0, .admittedForSilent(uid: nil, reason: "4 connections")),
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
            let isReported = filter.shouldReport(report, at: BootTime(microseconds: second * 1_000_000))
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
        #expect("\(try await fixture.reports.next())".contains("3 connections of one user"))
    }

    @Test func whereAllHaveCalledTheNewOneIsToldWhy() async throws {
        let fixture = try await Fixture(limits: Self.few())
        let clients = try (0..<3).map { _ in try fixture.connect() }
        for client in clients { _ = try client.today("Show") }
        let refused = try fixture.connect()
        let error = VarlinkError(
            name: "org.todayd.Today.LimitReached", parameters: ["reason": "3 connections of one user"])
        #expect(throws: error) { try refused.receive().result() }
        try refused.awaitClosing()
        clients[0].connection.close()
        try await fixture.eventually("room") { $0.service.connectionCount == 2 }
        #expect(try fixture.connect().today("Show").texts == ["42 %"])
    }

    @Test func twoThousandSilentClientsDisturbNobody() async throws {
        var limits = QueryLimits()
        limits.connectionsPerUser = 500
        let fixture = try await Fixture(limits: limits)
        let before = try fixture.connect()
        try before.follow("Show")
        _ = try before.news(of: "Show")
        let silent = try (0..<2_000).map { _ in try fixture.connect() }
        #expect(try fixture.connect().today("Show").texts == ["42 %"])
        await fixture.change(.showing("43 %"))
        #expect(try before.news(of: "Show").texts == ["43 %"])
        #expect(await fixture.service.connectionCount <= 500)
        _ = try await fixture.reports.next()
        #expect(fixture.reports.taken().isEmpty, "one report for the whole burst")
        withExtendedLifetime(silent) {}
    }

    @Test func repliesThatNobodyReadsAreBounded() async throws {
        var limits = QueryLimits()
        limits.waitingOutputBytes = 2 << 20
        let fixture = try await Fixture([.showing(String(repeating: "x", count: 1_000))], limits: limits)
        await fixture.with { fixture in
            fixture.backend.groups["g"] = ["k": .string(String(repeating: "y", count: 900_000))]
        }
        // Each reply is made for one client alone, and longer than a socket's buffer.
        let deaf = try (0..<4).map { _ in try fixture.connect() }
        for client in deaf { try client.send(VarlinkCall("org.todayd.Today.GetDefaults", ["group": "g"])) }
        #expect("\(try await fixture.reports.next())".contains("not read"))
        try await fixture.eventually("the bound") { $0.service.tally.bytes <= 2 << 20 }
        #expect(try fixture.connect().today("Show").texts.count == 1)
    }
}
