// SPDX-License-Identifier: MIT
import Glibc
import QueryService
import Reactor
import Runner
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore
@testable import TodayDaemon

/// One run, from the request to the answer of the clients that wait for it.
@Suite struct DaemonRunsTests: DaemonDeciding {
    init() { TestLoop.start() }

    // MARK: The request

    @Test @LoopActor func aRunGetsTheSizesOfTheSettings() async throws {
        let machine = try SimulatedMachine(
            [Self.manifest("a", "json")], configuration: "[Daemon]\nColumns=40\nCompactRows=2\n")
        await machine.settle()
        let first = try await finish(machine, .newData(Content(text: "own")))
        #expect(first.reason == .boot && first.interaction == nil && !first.isEditing)
        #expect(first.sizes[.compact] == Size(columns: 40, rows: 2) && first.mode == .compact)
        #expect(first.previous == nil)
        await machine.pass(.hours(2))
        #expect(try await finish(machine, .noData).previous?.content.text == "own")
    }

    /// A process works while todayd records the outcome of the one before.
    @Test(arguments: [false, true])
    @LoopActor func anotherWidgetBeginsBeforeAnOutcomeIsRecorded(isReported: Bool) async throws {
        let machine = try SimulatedMachine(
            [Self.manifest("a", "json"), Self.manifest("b", "json")], configuration: "[Daemon]\nConcurrencyMax=1\n")
        await machine.settle()
        let first = try #require(machine.runner.running.values.first?.request)
        var begun: [(widget: WidgetID, shown: String?)] = []
        machine.runner.onStart = { begun.append(($0.widget, machine.item(first.widget)?.content?.text)) }
        if isReported { machine.runner.onReport(.ended(first.widget, run: first.run)) }
        #expect(begun.count == (isReported ? 1 : 0))
        machine.runner.finish(first.run, .newData(Content(text: "own")))
        #expect(begun.count == 1 && begun[0].widget != first.widget && begun[0].shown == nil)
        #expect(machine.item(first.widget)?.content?.text == "own")
    }

    @Test @LoopActor func theNextRunOfAWidgetHasItsLastAnswer() async throws {
        let machine = try SimulatedMachine([Self.manifest("a", "json")])
        await machine.settle()
        let first = try #require(machine.runner.running.values.first?.request)
        _ = await machine.perform(.displayMode, of: first.widget)
        var previous: [String?] = []
        machine.runner.onStart = { previous.append($0.previous?.content.text) }
        machine.runner.finish(first.run, .newData(Content(text: "own")))
        await machine.settle()
        #expect(previous == ["own"])
    }

    /// The file of the program, and of all that it runs, is not in memory yet.
    @Test(arguments: [
        ("Timeout=5s", 30, 5), ("Timeout=45s", 45, 45), ("Timeout=4s", 4, 4), ("Timeout=5s\nStream=yes", 5, 5),
        ("", 30, 30),
    ])
    @LoopActor func theFirstRunHasMoreTime(lines: String, first: Int64, later: Int64) async throws {
        let machine = try SimulatedMachine([Self.manifest("a", "json", more: lines)])
        await machine.settle()
        #expect(try await finish(machine, .failed("slow")).manifest.update.timeout == .seconds(first))
        await machine.pass(.hours(2))
        #expect(try await finish(machine, .noData).manifest.update.timeout == .seconds(later))
    }

    /// A client that asks for a run, as an author does, gets it as the manifest says.
    @Test @LoopActor func aRequestedFirstRunHasItsTimeAlone() async throws {
        let machine = try await machine(groups: "", more: "Timeout=5s")
        try await machine.restart()
        #expect(machine.runner.running.isEmpty)
        try await update(machine)
        let request = try #require(machine.runner.running.values.first?.request)
        #expect(request.reason == .request && request.manifest.update.timeout == .seconds(5))
    }

    /// Both modes have the same size, but not the same view.
    @Test @LoopActor func contentForAnotherModeDoesNotFit() async throws {
        let machine = try SimulatedMachine(
            [Self.manifest("a", "json")], configuration: "[Daemon]\nCompactRows=4\nExpandedRows=4\n")
        await machine.settle()
        await machine.finishAll()
        await machine.change(.choice(try widget(), .displayMode(.expanded)))
        #expect(try await finish(machine, .newData(Content(text: "large"))).fits == false)
    }

    /// Memories of an older version lack the size for which the widget has drawn.
    @Test @LoopActor func contentOfUnknownSizeFits() async throws {
        let machine = try await machine()
        machine.daemon.store.remember(try widget()) { $0.seen = UpdateInputs() }
        await machine.pass(.hours(2))
        #expect(try await finish(machine, .noData).fits)
    }

    /// A widget must not answer `noData` for content that it drew for another size, or that a killed todayd may not
    /// have stored.
    @Test @LoopActor func aWidgetIsToldWhetherItsDrawingIsKnown() async throws {
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
        #expect(!request.isKnown && request.previous?.content.text == "large")
        await machine.pass(.hours(2))
        #expect(try await finish(machine, .noData).isKnown)
    }

    // MARK: The outcome

    @Test @LoopActor func aPlaceholderIsKeptUntilTheFirstAnswer() async throws {
        let machine = try await machine(answers: .failed("no network"))
        machine.runner.onReport(.placeholder(Content(text: "--"), of: try widget()))
        #expect(try machine.daemon.store.layers(of: widget()).placeholder?.text == "--")
        await machine.pass(.minutes(2))
        try await finish(machine, .newData(Content(text: "own")))
        machine.runner.onReport(.placeholder(Content(text: "--"), of: try widget()))
        #expect(try machine.daemon.store.layers(of: widget()).placeholder == nil)
    }

    @Test @LoopActor func aFailedRunDoesNotResetTheLargestMode() async throws {
        let machine = try await machine("varlink")
        machine.daemon.store.remember(try widget()) { $0.largestMode = .compact }
        machine.daemon.catalog[try widget()].processes.began(1)
        await machine.pass(.hours(2))
        try await finish(machine, .failed("no network"))
        #expect(try machine.daemon.store.memory(of: widget()).largestMode == .compact)
        await machine.pass(.minutes(2))
        try await finish(machine, .noData)
        #expect(try machine.daemon.store.memory(of: widget()).largestMode == nil)
    }

    /// Both wait for the run in progress: first the button press, then the new defaults.
    @Test @LoopActor func anActionAndNewDefaultsBothFollowTheRun() async throws {
        let machine = try await machine(answers: .newData(Self.button))
        await machine.pass(.hours(2))
        await machine.perform(.action("press"), of: try widget())
        try await write(machine, 1)
        try await finish(machine, .newData(Self.button))
        #expect(try await finish(machine, .newData(Self.button)).interaction == .action("press"))
        #expect(try await finish(machine, .newData(Self.button)).reason == .behind)
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
        #expect(try machine.daemon.store.memory(of: widget()).seen?.groups[AppGroup("group.g")] == 1)
    }

    // MARK: Widgets that go

    @Test(arguments: [true, false])
    @LoopActor func aRunEndsWithItsManifest(isGone: Bool) async throws {
        let machine = try await machine()
        let listener = RecordingListener()
        try await update(machine, for: listener)
        if isGone {
            try await machine.delete("org.test.a.widget")
        } else {
            try await machine.write("[Update]\nNo=1\n", to: "org.test.a.widget")
        }
        #expect(
            listener.answers.map(\.reason) == [
                nil, isGone ? "its manifest was removed" : "its manifest is not valid any more",
            ])
        await machine.pass(.hours(9))
        #expect(machine.runner.running.isEmpty)
    }

    /// The widget and its manifest go in the same turn in which the widget was to run.
    @Test @LoopActor func aClientThatWaitsForAWidgetThatHasJustGoneIsTold() async throws {
        let machine = try await machine()
        let listener = RecordingListener()
        _ = machine.daemon.update(try widget(), listener: listener)
        unlink(machine.directory("widgets/org.test.a.widget"))
        machine.daemon.registry.reload()
        await machine.settle()
        #expect(listener.answers.map(\.reason) == ["its manifest was removed"])
        #expect(machine.runner.running.isEmpty)
    }

    /// When a widget has gone, the end of its run reaches the clients that wait, and changes nothing else.
    @Test @LoopActor func aClientThatWaitsForARunIsToldWhenItsWidgetGoes() async throws {
        let machine = try await machine()
        let listener = RecordingListener()
        try await update(machine, for: listener)
        #expect(machine.runner.running.count == 1)
        unlink(machine.directory("widgets/org.test.a.widget"))
        machine.daemon.registry.reload()
        await machine.settle()
        #expect(machine.runner.running.isEmpty)
        #expect(listener.answers.map(\.answer) == [.started, .failed])
        #expect(try machine.daemon.store.history(of: widget()).last?.result == .newData)
    }

    @Test(arguments: ["hidden", "disabled", "removed"])
    @LoopActor func aClientThatWaitsIsRefusedWhenItsRunWillNotTakePlace(how: String) async throws {
        let machine = try await machine(answers: .newData(Self.button))
        await machine.pass(.hours(2))
        let listener = RecordingListener()
        _ = try machine.daemon.perform(.action("press"), of: try widget(), listener: listener)
        #expect(listener.answers.isEmpty)
        switch how {
        case "hidden": await machine.change(.choice(try widget(), .hasContent(false)))
        case "disabled": await machine.change(.choice(try widget(), .enabled(false)))
        default:
            unlink(machine.directory("widgets/org.test.a.widget"))
            machine.daemon.registry.reload()
            await machine.settle()
        }
        #expect(listener.answers.map(\.answer) == [.refused])
        #expect(machine.daemon.catalog.records.values.reduce(0) { $0 + $1.waiters.count } == 0)
    }
}
