// SPDX-License-Identifier: MIT
import Glibc
import JSON
import QueryService
import Reactor
import TestSupport
import Testing
import TodayModel
import Varlink

/// How the service ends.
@Suite struct StoppingTests {
    init() { TestLoop.start() }

    private let stopped = Arrivals<Void>("stop")

    private func stop(_ fixture: Fixture) async {
        let stopped = stopped
        await fixture.service.stop { stopped.send() }
    }

    @Test func idleConnectionsAndStreamsAreClosedAndNoNewOneIsAccepted() async throws {
        let fixture = try await Fixture()
        let idle = try fixture.connect()
        _ = try idle.today("Show")
        let stream = try fixture.connect()
        try stream.follow("Show")
        _ = try stream.news(of: "Show")
        await stop(fixture)
        try await stopped.next()
        #expect(stopped.taken().isEmpty, "it ends once")
        try idle.awaitClosing()
        try stream.awaitClosing()
        #expect(throws: VarlinkConnectionError.noSocket(path: fixture.path)) { try fixture.connect() }
    }

    /// Clients that wait for a run are told of its end, even if the service stops in the same turn.
    @Test func aClientThatWaitsForARunGetsItsResult() async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        try client.follow("Update", ["id": "org.example.disk"])
        _ = try client.news(of: "Update")
        await fixture.with { fixture in
            fixture.backend.listener?.receive(UpdateAnswer(id: .disk, answer: .failed, reason: "the end"))
            let stopped = stopped
            fixture.service.stop { stopped.send() }
        }
        let last = try client.receive()
        #expect(!last.continues)
        #expect(try last.result()["answers"]?.arrayValue?.first?["reason"] == "the end")
        try client.awaitClosing()
        try await stopped.next()
    }

    @Test func callsThatHaveArrivedAreAnswered() async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        _ = try client.today("Show")
        let (descriptor, call) = (client.connection.descriptor, VarlinkCall("org.todayd.Today.List").encoded())
        await fixture.with { fixture in
            // This test runs on the loop, so the loop cannot read the call before it stops.
            #expect(send(descriptor, call, call.count, 0) == call.count)
            let stopped = stopped
            fixture.service.stop { stopped.send() }
        }
        #expect(try client.receive().result()["widgets"]?.arrayValue?.count == 1)
        try client.awaitClosing()
        try await stopped.next()
    }

    @Test func aClientThatHasJustConnectedMayCall() async throws {
        var limits = QueryLimits()
        limits.silentPatience = .seconds(10)
        let fixture = try await Fixture(limits: limits)
        let client = try fixture.connect()
        try await fixture.eventually("the connection") { $0.service.connectionCount == 1 }
        await stop(fixture)
        #expect(try client.today("Show").texts == ["42 %"])
        try client.awaitClosing()
        try await stopped.next()
    }

    @Test func theServiceWaitsForChangesInProgress() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.holdsCompletions = true }
        let client = try fixture.connect()
        try client.send(VarlinkCall("org.todayd.Today.Enable", ["id": "org.example.disk"]))
        try await fixture.held.next()
        await stop(fixture)
        #expect(stopped.taken().isEmpty)
        await fixture.backend.completeHeld()
        #expect(try client.receive().result() == [:])
        try await stopped.next()
    }

    @Test func theServiceWaitsABoundedTime() async throws {
        var limits = QueryLimits()
        limits.stopPatience = .milliseconds(30)
        limits.silentPatience = .milliseconds(10)
        let fixture = try await Fixture(limits: limits)
        await fixture.with { $0.backend.holdsCompletions = true }
        let client = try fixture.connect()
        try client.send(VarlinkCall("org.todayd.Today.Enable", ["id": "org.example.disk"]))
        try await fixture.held.next()
        await stop(fixture)
        try await stopped.next()
        try client.awaitClosing()
        // A change that completes after its client has left has no effect here.
        await fixture.backend.completeHeld()
    }

    /// This patience is so long that a test would not end if the service waited for it.
    private static let patient: QueryLimits = {
        var limits = QueryLimits()
        limits.silentPatience = .seconds(100)
        limits.stopPatience = .seconds(100)
        return limits
    }()

    @Test func withoutConnectionsTheServiceEndsAtOnce() async throws {
        let fixture = try await Fixture(limits: Self.patient)
        await stop(fixture)
        #expect(stopped.taken().count == 1)
        // A second stop has no effect.
        await stop(fixture)
        #expect(stopped.taken().isEmpty)
    }

    @Test func theServiceEndsWithTheLastConnection() async throws {
        let fixture = try await Fixture(limits: Self.patient)
        await fixture.with { $0.backend.holdsCompletions = true }
        let idle = try fixture.connect()
        _ = try idle.today("Show")
        let busy = try fixture.connect()
        try busy.send(VarlinkCall("org.todayd.Today.Enable", ["id": "org.example.disk"]))
        try await fixture.held.next()
        // A call that arrives while the change is in progress comes before the end.
        try busy.send(VarlinkCall("org.todayd.Today.List"))
        try await fixture.passRound()
        await stop(fixture)
        try idle.awaitClosing()
        #expect(await fixture.service.connectionCount == 1)
        await stop(fixture)
        #expect(stopped.taken().isEmpty)
        await fixture.backend.completeHeld()
        #expect(try busy.receive().result() == [:])
        #expect(try busy.receive().result()["widgets"]?.arrayValue?.count == 1)
        try busy.awaitClosing()
        try await stopped.next()
        #expect(stopped.taken().isEmpty)
    }

    @Test func allCallsThatHaveArrivedAreAnswered() async throws {
        var limits = Self.patient
        limits.callsPerTurn = 2
        let fixture = try await Fixture(limits: limits)
        let client = try fixture.connect()
        _ = try client.today("Show")
        let call = String(decoding: VarlinkCall("org.todayd.Today.List").encoded(), as: UTF8.self)
        let (descriptor, bytes) = (client.connection.descriptor, Array(String(repeating: call, count: 9).utf8))
        await fixture.with { fixture in
            #expect(send(descriptor, bytes, bytes.count, 0) == bytes.count)
            let stopped = stopped
            fixture.service.stop { stopped.send() }
        }
        for _ in 0..<9 { #expect(try client.receive().result()["widgets"]?.arrayValue?.count == 1) }
        try client.awaitClosing()
        try await stopped.next()
    }

    @Test func aNewClientThatSendsNothingIsClosedSoon() async throws {
        var limits = Self.patient
        limits.silentPatience = .milliseconds(30)
        let fixture = try await Fixture(limits: limits)
        let newcomer = try fixture.connect()
        try await fixture.eventually("the connection") { $0.service.connectionCount == 1 }
        await stop(fixture)
        try await stopped.next()
        try newcomer.awaitClosing()
    }

    @Test func aClientThatHasBeenSilentForLongIsNotNew() async throws {
        var limits = Self.patient
        limits.silentPatience = .milliseconds(30)
        let fixture = try await Fixture(limits: limits)
        let silent = try fixture.connect()
        try await fixture.eventually("the connection") { $0.service.connectionCount == 1 }
        try await Task.sleep(for: .milliseconds(40))
        await stop(fixture)
        #expect(stopped.taken().count == 1)
        try silent.awaitClosing()
    }
}
