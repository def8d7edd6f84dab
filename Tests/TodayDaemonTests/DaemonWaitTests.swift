// SPDX-License-Identifier: MIT
import Reactor
import Runner
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore
@testable import TodayDaemon

/// Widgets that failed and requested a time, and those whose answers request one; over restarts and wrong clocks.
@Suite struct DaemonWaitTests: DaemonDeciding {
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
            machine.daemon.answers.hostLooked(at: [try widget()])
            await machine.settle()
        case .hidden:
            await machine.change(.choice(try widget(), .hasContent(false)))
            await machine.change(.choice(try widget(), .hasContent(true)))
        case .moved: await machine.change(.choice(try widget(), .lockScreen(false)))
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

    @Test @LoopActor func aStatedWaitHoldsForAProgramThatStaysAndHasLeft() async throws {
        let machine = try await waiting("varlink")
        await machine.change(.choice(try widget(), .displayMode(.expanded)))
        #expect(machine.runner.running.isEmpty)
        // A running program draws its present data.
        machine.daemon.processes.began(1, of: try widget())
        await machine.change(.choice(try widget(), .displayMode(.compact)))
        await machine.change(.choice(try widget(), .displayMode(.expanded)))
        #expect(machine.runner.running.values.map(\.request.interaction) == [.displayMode])
    }

    @Test @LoopActor func theEndOfAnIdleProgramEndsNoWait() async throws {
        let machine = try await waiting("varlink")
        machine.runner.onIdleFailure(
            RunOutcome(
                widget: try widget(), run: 99, reason: .schedule, started: machine.now.wall, duration: .zero,
                result: .failed("exited with status 1, while nobody asked it")))
        #expect(try machine.daemon.store.history(of: widget()).last?.failure?.contains("status 1") == true)
        try await crash(machine)
        await machine.pass(.hours(4))
        #expect(machine.runner.running.isEmpty)
    }

    /// The clock was years ahead when the widget failed.
    @Test @LoopActor func aWaitThatAWrongClockHasDatedIsNone() async throws {
        let machine = try await machine()
        await machine.setClock(by: .days(3_650))
        await machine.pass(.hours(2))
        try await finish(machine, .failed("rate limited"), nextAsk: .wait(.minutes(16)))
        machine.now.wall = machine.now.wall - .days(3_650)
        try await crash(machine)
        await machine.pass(.hours(3))
        #expect(machine.runner.running.count == 1)
    }

    @Test @LoopActor func aFailureWhileItIsEditedWaitsAsWell() async throws {
        let machine = try await machine("varlink")
        await machine.perform(.beginEditing, of: try widget())
        try await finish(machine, .newData(Content(text: "editor")))
        _ = machine.daemon.answers.update(try widget(), listener: nil)
        await machine.settle()
        try await finish(machine, .failed("rate limited"), nextAsk: .wait(.hours(5)))
        await machine.pass(.minutes(4))
        #expect(machine.runner.running.isEmpty)
    }

    // MARK: Sizes

    @Test @LoopActor func otherSizesAtStartDisturbNoOther() async throws {
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

    // MARK: What is known

    /// A widget must not answer `noData` for content that it drew for another size, or that a killed todayd may not
    /// have stored.
    @Test @LoopActor func aWidgetIsToldWhetherWhatItHasDrawnIsThere() async throws {
        let machine = try await machine()
        await machine.pass(.hours(2))
        #expect(try await finish(machine, .noData).isKnown)
        await machine.change(.choice(try widget(), .displayMode(.expanded)))
        #expect(try await finish(machine, .newData(Content(text: "large"))).isKnown == false)
        await machine.pass(.hours(2))
        #expect(try await finish(machine, .noData).isKnown)
        try await crash(machine)
        await machine.pass(.hours(2))
        let request = try await finish(machine, .noData)
        #expect(!request.isKnown && request.previous?.text == "large")
        await machine.pass(.hours(2))
        #expect(try await finish(machine, .noData).isKnown)
    }

    // MARK: Pushes

    /// A change waits up to a second. A push with a later next update does not delay it.
    @Test @LoopActor func aPushDoesNotPutOffWhatIsNew() async throws {
        let machine = try await machine()
        try await write(machine, 1)
        try await finish(machine, .newData(Content(text: "1")))
        try await write(machine, 2)
        #expect(machine.runner.running.isEmpty)
        var content = Content(text: "pushed")
        content.nextUpdate = .hours(1)
        await machine.push(content, to: try widget(), for: .seconds(1))
        await machine.pass(.seconds(2))
        #expect(machine.runner.running.count == 1)
    }

    /// Only a version with one layer stored pushed content in the own layer.
    @Test @LoopActor func theAnswerOfAProgramIsNeverAPush() async throws {
        let machine = try await machine()
        machine.daemon.adoptPushed(try widget())
        #expect(try machine.daemon.store.layers(of: widget()).pushed == nil)
        machine.manifests = [Self.manifest("a", "push")].map {
            ($0.name, $0.text.replacing("ExecStart=/bin/true", with: ""))
        }
        try await crash(machine)
        #expect(try machine.daemon.store.layers(of: widget()).pushed == nil)
        #expect(try machine.daemon.store.layers(of: widget()).own?.content.text == "own")
    }

    // MARK: Manifests

    @Test @LoopActor func aLargestModeGoesWithTheProtocolThatCanChooseIt() async throws {
        let machine = try await machine("varlink")
        machine.daemon.processes.began(1, of: try widget())
        machine.daemon.answers.setLargestDisplayMode(.compact, of: try widget(), context: 1)
        #expect(try machine.item(widget())?.largestMode == .compact)
        machine.manifests = [Self.manifest("a", "json")]
        try await crash(machine)
        #expect(try machine.item(widget())?.largestMode == .expanded)
    }
}
