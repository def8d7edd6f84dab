// SPDX-License-Identifier: MIT
import Reactor
import Runner
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore
@testable import TodayDaemon

/// Widgets that failed and requested a time, and those whose answers request one; over restarts and wrong clocks.
@Suite struct StatedWaitTests: DaemonDeciding {
    init() { TestLoop.start() }

    /// The widget has answered. Two hours later it failed and requested a pause of five hours.
    @LoopActor private func waiting(_ contentProtocol: String = "json", more: String = "") async throws
        -> SimulatedMachine
    {
        let machine = try await machine(contentProtocol, answers: .newData(Self.button), more: more)
        await machine.pass(.hours(2))
        try await finish(machine, .failed("rate limited"), nextAsk: .wait(.hours(5)))
        return machine
    }

    enum Disturbance: CaseIterable { case look, hidden, moved, size, button, restart }

    @LoopActor private func disturb(_ machine: SimulatedMachine, by disturbance: Disturbance) async throws {
        switch disturbance {
        case .look:
            machine.daemon.catalog.hostLooked(at: [try widget()])
            await machine.settle()
        case .hidden:
            await machine.change(.choice(try widget(), .hasContent(false)))
            await machine.change(.choice(try widget(), .hasContent(true)))
        case .moved: await machine.change(.choice(try widget(), .shown(.lockScreen, false)))
        case .size: await machine.change(.choice(try widget(), .displayMode(.expanded)))
        case .button:
            await machine.perform(.action("press"), of: try widget())
            try await finish(machine, .newData(Self.button))
        case .restart: try await crash(machine)
        }
    }

    /// The widget does not run before or after a restart, whether or not it has seen its group's defaults.
    @Test(arguments: Disturbance.allCases, [false, true])
    @LoopActor func aStatedWaitHolds(disturbance: Disturbance, isBehind: Bool) async throws {
        let machine = try await waiting(more: "UpdateOnAppear=1min")
        if isBehind {
            try await write(machine, 1)
            try await finish(machine, .failed("rate limited"), nextAsk: .wait(.hours(5)))
        }
        for _ in 0..<2 {
            try await disturb(machine, by: disturbance)
            await machine.pass(.minutes(5))
            #expect(machine.runner.running.isEmpty)
            try await crash(machine)
            #expect(machine.runner.running.isEmpty)
        }
        // Other defaults end the pause.
        try await write(machine, 2)
        #expect(machine.runner.running.count == 1)
    }

    @Test @LoopActor func aStatedWaitHoldsForAResidentWithoutAProcess() async throws {
        let machine = try await waiting("varlink")
        await machine.change(.choice(try widget(), .displayMode(.expanded)))
        #expect(machine.runner.running.isEmpty)
        // A running program draws its present data.
        machine.daemon.catalog[try widget()].processes.began(1)
        await machine.change(.choice(try widget(), .displayMode(.compact)))
        await machine.change(.choice(try widget(), .displayMode(.expanded)))
        #expect(machine.runner.running.values.map(\.request.interaction) == [.displayMode])
    }

    @Test @LoopActor func anIdleFailureDoesNotEndAStatedWait() async throws {
        let machine = try await waiting("varlink")
        machine.runner.onReport(
            .idleFailure(
                RunOutcome(
                    widget: try widget(), run: 99, reason: .schedule, started: machine.now.wall, duration: .zero,
                    result: .failed("exited with status 1, between two calls"))))
        #expect(try machine.daemon.store.history(of: widget()).last?.failure?.contains("status 1") == true)
        try await crash(machine)
        await machine.pass(.hours(4))
        #expect(machine.runner.running.isEmpty)
    }

    /// The clock was years ahead when the widget failed.
    @Test @LoopActor func aStatedWaitOfAWrongClockDoesNotCount() async throws {
        let machine = try await machine()
        await machine.setClock(by: .days(3_650))
        await machine.pass(.hours(2))
        try await finish(machine, .failed("rate limited"), nextAsk: .wait(.minutes(16)))
        machine.now.wall = machine.now.wall - .days(3_650)
        try await crash(machine)
        await machine.pass(.hours(3))
        #expect(machine.runner.running.count == 1)
    }

    @Test @LoopActor func aStatedWaitHoldsDuringEditing() async throws {
        let machine = try await machine("varlink")
        try await edit(machine)
        try await update(machine)
        try await finish(machine, .failed("rate limited"), nextAsk: .wait(.hours(5)))
        await machine.pass(.minutes(4))
        #expect(machine.runner.running.isEmpty)
    }

    // MARK: Sizes

    @Test @LoopActor func aStatedWaitHoldsOverARestartWithOtherSizes() async throws {
        let names = ["a", "b", "c", "d", "e"]
        let machine = try SimulatedMachine(
            names.map { Self.manifest($0, $0 == "a" ? "varlink" : "json") }, configuration: "[Daemon]\nColumns=60\n")
        await machine.settle()
        while let run = machine.runner.running.keys.first {
            await machine.finish(run, .newData(Content(text: "own")))
        }
        await machine.pass(.hours(2))
        while let run = machine.runner.running.keys.first {
            await machine.finish(run, .failed("rate limited"), nextAsk: .wait(.hours(5)))
        }
        try await crash(machine, configuration: "[Daemon]\nColumns=40\n")
        await machine.pass(.minutes(5))
        #expect(machine.runner.running.isEmpty)
    }
}
