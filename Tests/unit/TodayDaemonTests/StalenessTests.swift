// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore
@testable import TodayDaemon

/// Old content, from the run to the reply that a host gets, on a clock that the tests set.
@Suite struct StalenessTests: DaemonDeciding {
    init() { TestLoop.start() }

    /// Makes all runs fail from now on.
    @LoopActor private func failing(_ machine: SimulatedMachine) {
        machine.onStart = { [weak machine] request in
            machine?.runner.finish(request.run, .failed("no network"))
        }
    }

    @LoopActor private func shown(_ machine: SimulatedMachine) throws -> ShownItem {
        try #require(machine.daemon.catalog.item(try widget()))
    }

    /// Interval=1h: content is stale two hours after the answer, and not earlier.
    @Test(arguments: [false, true])
    @LoopActor func aWidgetThatFailsIsStaleAfterTwiceItsInterval(isConfirmed: Bool) async throws {
        let machine = try await machine()
        if isConfirmed {
            await machine.pass(.minutes(70))
            try await finish(machine, .noData)
        }
        let answered = machine.now.boot
        failing(machine)
        await machine.pass(.hours(2) + .milliseconds(-1))
        #expect(try shown(machine).item.state == .failing)
        #expect(try !shown(machine).item.stale)
        // Hosts are told at that time, and the content is stale then.
        let until = try #require(try shown(machine).validUntil)
        #expect(until == answered + .hours(2))
        #expect(try shown(machine).item.freshUntil == machine.now.wall + .milliseconds(1))
        await machine.pass(.milliseconds(1))
        #expect(try shown(machine).item.stale)
        #expect(try shown(machine).validUntil == nil && shown(machine).item.freshUntil == nil)
        #expect(try shown(machine).item.content?.text == "own")

        try await crash(machine)
        #expect(try shown(machine).item.stale)
        machine.onStart = { _ in }
        await machine.pass(.hours(1))
        for run in machine.runner.running.keys { await machine.finish(run, .noData) }
        #expect(try !shown(machine).item.stale)
    }

    /// Content of a widget with a later next update stays fresh longer. Content does not age during sleep.
    @Test @LoopActor func contentDoesNotAgeDuringSleep() async throws {
        let machine = try await machine()
        failing(machine)
        await machine.pass(.hours(5), asleep: true)
        #expect(try !shown(machine).item.stale)
        await machine.pass(.hours(2))
        #expect(try shown(machine).item.stale)
    }

    /// The age of a push counts from its start, however often hosts look at it, also after a restart.
    @Test(arguments: [false, true])
    @LoopActor func aPushEndsAfterItsTimeToLive(isRestarted: Bool) async throws {
        let machine = try await machine()
        let pushed = machine.now
        await machine.push(Content(text: "pushed"), to: try widget(), for: .minutes(10))
        for _ in 0..<9 {
            await machine.pass(.minutes(1))
            #expect(try shown(machine).item.content?.text == "pushed")
            #expect(try shown(machine).item.expires == pushed.wall + .minutes(10))
            #expect(try shown(machine).validUntil == pushed.boot + .minutes(10))
        }
        if isRestarted { try await crash(machine) }
        await machine.pass(.minutes(1) + .milliseconds(-1))
        #expect(try shown(machine).item.content?.text == "pushed")
        await machine.pass(.milliseconds(1))
        #expect(try shown(machine).item.content?.text == "own")
        #expect(try shown(machine).item.source == .own)
        #expect(try shown(machine).item.pushedBy == nil)
    }

    /// A new answer replaces the previous one, also below a push.
    @Test @LoopActor func aNewAnswerReplacesTheOneBeforeIt() async throws {
        let machine = try await machine()
        await machine.push(Content(text: "pushed"), to: try widget())
        await machine.pass(.minutes(70))
        try await finish(machine, .newData(Content(text: "new")))
        #expect(try shown(machine).item.content?.text == "pushed")
        await machine.change(.takeBack(try widget()))
        #expect(machine.runner.running.isEmpty)
        #expect(try shown(machine).item.content?.text == "new")
        #expect(try shown(machine).item.taken == machine.now.wall)
    }
}
