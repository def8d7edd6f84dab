// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import Runner
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore
@testable import TodayDaemon

/// What the daemon does with the updates and the end of a program that stays.
@Suite struct DaemonStreamTests: DaemonDeciding {
    init() { TestLoop.start() }

    /// A machine whose widget has a program that runs; Interval=1h.
    @LoopActor private func streaming(
        _ result: RunOutcome.Result = .newData(Content(text: "first")), isSilent: Bool = false
    ) async throws -> SimulatedMachine {
        let machine = try SimulatedMachine([Self.manifest("a", "json", more: "Stream=yes")])
        await machine.settle()
        try await stay(machine, result, isSilent: isSilent)
        return machine
    }

    /// Ends the only run in progress. Its program stays.
    @LoopActor private func stay(
        _ machine: SimulatedMachine, _ result: RunOutcome.Result = .newData(Content(text: "first")),
        isSilent: Bool = false
    ) async throws {
        let run = try #require(machine.runner.running.keys.first)
        machine.runner.finish(run, result, stays: true, isSilent: isSilent)
        await machine.settle()
    }

    @LoopActor private func outcome(
        _ machine: SimulatedMachine, _ result: RunOutcome.Result, run: UInt64, exit: String? = nil,
        nextAsk: NextAsk? = nil
    ) throws -> RunOutcome {
        var outcome = RunOutcome(
            widget: try widget(), run: run, reason: .boot, started: machine.now.wall, duration: .zero, result: result,
            exit: exit, nextAsk: nextAsk)
        outcome.stays = exit == nil
        return outcome
    }

    @LoopActor private func update(
        _ machine: SimulatedMachine, _ result: RunOutcome.Result, run: UInt64 = 1
    ) async throws {
        machine.runner.onReport(.update(try outcome(machine, result, run: run)))
        await machine.settle()
    }

    @LoopActor private func end(
        _ machine: SimulatedMachine, _ result: RunOutcome.Result, cause: String? = nil, run: UInt64 = 1,
        nextAsk: NextAsk? = nil
    ) async throws {
        let outcome = try outcome(machine, result, run: run, exit: "exited with status 0", nextAsk: nextAsk)
        machine.runner.onReport(.streamEnd(StreamEnd(outcome, cause: cause)))
        await machine.settle()
    }

    @LoopActor private func history(_ machine: SimulatedMachine) throws -> [RunRecord] {
        machine.daemon.store.history(of: try widget())
    }

    @LoopActor private func stream(_ machine: SimulatedMachine) throws -> StreamStatus {
        try #require(machine.daemon.catalog.status(of: try widget())?.stream)
    }

    // MARK: Updates

    @Test @LoopActor func aFurtherUpdateIsContentWithoutAnEntryInTheLog() async throws {
        let machine = try await streaming()
        await machine.pass(.minutes(5))
        try await update(machine, .newData(Content(text: "second")))
        let item = try #require(machine.item(try widget()))
        #expect(item.content?.text == "second" && item.taken == machine.now.wall && item.state == .ready)
        #expect(try history(machine).count == 1)
        #expect(try stream(machine).updates == 2)
        #expect(machine.runner.running.isEmpty)
        try await crash(machine)
        #expect(try machine.daemon.store.layers(of: widget()).own?.content.text == "second")
    }

    @Test @LoopActor func theStatusHasWhatWasNotUnderstoodOfAnUpdate() async throws {
        let machine = try await streaming()
        var outcome = try outcome(machine, .newData(Content(text: "second")), run: 1)
        outcome.notes = ["line 1: unknown key x"]
        machine.runner.onReport(.update(outcome))
        await machine.settle()
        #expect(machine.daemon.catalog.status(of: try widget())?.notes == ["line 1: unknown key x"])
    }

    /// A host that follows events hears of new content, and not of content that is the same.
    @Test @LoopActor func aFurtherUpdateIsTold() async throws {
        let machine = try await streaming()
        let client = try await DaemonClient(of: machine)
        try await client.follow("Monitor")
        try await update(machine, .noData)
        try await update(machine, .newData(Content(text: "second")))
        #expect(try await client.events() == ["snapshot org.test.a second"])
    }

    /// After a crash the content may be older than what the program knows, until it gives an update. An answer to a button
    /// is none.
    @Test(arguments: [(Interaction?.none, true), (.action("press"), false)])
    @LoopActor func anUpdateAfterACrashIsContentThatIsKnown(interaction: Interaction?, isKnown: Bool) async throws {
        let machine = try await streaming()
        try await crash(machine)
        let run = try #require(machine.runner.running.keys.first)
        #expect(machine.runner.running[run]?.request.isKnown == false)
        try await stay(machine, .failed("line 1 is wrong"))
        var outcome = try outcome(machine, .newData(Content(text: "second")), run: run)
        outcome.interaction = interaction
        machine.runner.onReport(.update(outcome))
        await machine.settle()
        try await end(machine, .noData, run: run)
        await machine.pass(.seconds(2))
        #expect(machine.runner.running.values.map(\.request.isKnown) == [isKnown])
    }

    /// An editor has replaced the file of a program, which goes on with the old one until it gives its next update.
    @Test @LoopActor func aProgramWhoseFileHasChangedStartsAgain() async throws {
        let machine = try await streaming()
        let tool = machine.directory("tool")
        try machine.directory.write("first", to: "tool", mode: 0o755)
        let (name, text) = Self.manifest("a", "json", more: "Stream=yes")
        try await machine.write(text.replacing("/bin/true", with: "\(tool) now"), to: name)
        let run = try #require(machine.runner.running.keys.first)
        try await stay(machine)
        try await update(machine, .newData(Content(text: "second")), run: run)
        await machine.pass(.seconds(1))
        #expect(machine.runner.running.isEmpty)
        try machine.directory.write("a longer second", to: "tool", mode: 0o755)
        try await update(machine, .newData(Content(text: "third")), run: run)
        machine.daemon.registry.catchUp()
        await machine.pass(.seconds(1))
        #expect(machine.runner.running.count == 1)
    }

    /// Equal updates are confirmed once a second at most.
    @Test @LoopActor func equalUpdatesConfirmTheContentNowAndThen() async throws {
        let machine = try await streaming()
        let first = machine.now.wall
        await machine.pass(.milliseconds(900))
        try await update(machine, .noData)
        #expect(try machine.item(widget())?.confirmed == first)
        await machine.pass(.milliseconds(100))
        try await update(machine, .noData)
        #expect(try machine.item(widget())?.confirmed == machine.now.wall)
        #expect(try machine.item(widget())?.taken == first)
    }

    @Test @LoopActor func silenceIsStaleAfterTheInterval() async throws {
        let machine = try await streaming()
        await machine.pass(.minutes(50))
        try await update(machine, .noData)
        await machine.pass(.minutes(59))
        #expect(try machine.item(widget())?.stale == false)
        await machine.pass(.minutes(1))
        #expect(try machine.item(widget())?.stale == true)
        try await update(machine, .noData)
        #expect(try machine.item(widget())?.stale == false)
    }

    @Test @LoopActor func aSilentProgramConfirmsNothing() async throws {
        let machine = try await streaming()
        let first = machine.now.wall
        await machine.pass(.minutes(5))
        try await update(machine)
        try await stay(machine, .noData, isSilent: true)
        let item = try #require(machine.item(try widget()))
        #expect(item.confirmed == first && item.content?.text == "first" && item.state == .ready)
        #expect(try machine.daemon.store.memory(of: widget()).nextAsk == nil)

        let silent = try await streaming(.noData, isSilent: true)
        #expect(try silent.item(widget())?.state == .waiting)
    }

    @Test @LoopActor func theClientThatWaitsLearnsOfTheSilence() async throws {
        let machine = try await streaming()
        let listener = RecordingListener()
        try await update(machine, for: listener)
        try await stay(machine, .noData, isSilent: true)
        #expect(listener.answers.last?.answer == .noData)
        #expect(listener.answers.last?.reason == "its program runs, and has printed no update yet")
    }

    @Test @LoopActor func aSeriesOfUnreadableUpdatesIsOneFailure() async throws {
        let machine = try await streaming()
        _ = machine.lines.taken()
        for _ in 0..<5 { try await update(machine, .failed("line 1 is wrong")) }
        #expect(try machine.item(widget())?.state == .failing)
        #expect(try machine.item(widget())?.failure == "line 1 is wrong")
        #expect(try machine.item(widget())?.content?.text == "first")
        #expect(try history(machine).map(\.result) == [.newData, .failed])
        try await update(machine, .failed("line 2 is wrong"))
        #expect(try machine.item(widget())?.failure == "line 2 is wrong")
        for _ in 0..<5 { try await update(machine, .newData(Content(text: "good"))) }
        #expect(try machine.item(widget())?.state == .ready)
        #expect(try history(machine).map(\.result) == [.newData, .failed, .failed, .newData])
        // The journal gets one line a minute of a program that alternates.
        #expect(
            machine.lines.taken() == ["warning: org.test.a: line 1 is wrong", "info: org.test.a: works again"],
            "the end of what the journal has is there, too")
        try await update(machine, .failed("line 1 is wrong"))
        try await update(machine, .newData(Content(text: "good")))
        #expect(machine.lines.taken().isEmpty)
        await machine.pass(.minutes(1))
        try await update(machine, .failed("line 1 is wrong"))
        #expect(machine.lines.taken() == ["warning: org.test.a: line 1 is wrong"])
        #expect(machine.runner.running.isEmpty)
        // The end of a failure that the journal does not have is not there either.
        await machine.pass(.seconds(59))
        try await update(machine, .newData(Content(text: "good")))
        #expect(machine.lines.taken() == ["info: org.test.a: works again"])
        try await update(machine, .failed("line 1 is wrong"))
        await machine.pass(.minutes(2))
        try await update(machine, .newData(Content(text: "good")))
        #expect(machine.lines.taken().isEmpty)
    }

    // MARK: The end

    @Test @LoopActor func anEndIsLoggedAndTheProgramStartsAgain() async throws {
        let machine = try await streaming()
        let began = machine.now.wall
        #expect(try stream(machine).isRunning)
        await machine.pass(.minutes(2))
        try await end(machine, .failed("killed by SIGKILL"))
        #expect(try machine.item(widget())?.state == .failing)
        #expect(try history(machine).last?.failure == "killed by SIGKILL")
        var status = try stream(machine)
        #expect(!status.isRunning && status.started == began && status.lastEnd == "killed by SIGKILL")
        #expect(status.lastEndAt == machine.now.wall && status.restarts == 0 && status.updates == 1)
        #expect(machine.runner.running.isEmpty)
        await machine.pass(.seconds(2))
        #expect(machine.runner.running.values.map(\.request.reason) == [.retry])
        try await stay(machine)
        #expect(try machine.item(widget())?.state == .ready)
        status = try stream(machine)
        #expect(status.isRunning && status.started == machine.now.wall && status.restarts == 1 && status.updates == 2)
        #expect(status.lastEnd == "killed by SIGKILL")
        // What the first program still has to say does not count.
        let late = try history(machine).count
        try await update(machine, .newData(Content(text: "late")))
        try await end(machine, .failed("late"))
        #expect(try machine.item(widget())?.content?.text == "first")
        #expect(try history(machine).count == late)
        #expect(try stream(machine).isRunning)
    }

    /// The journal and clients that follow events hear of it, and a second failure is no news for the journal.
    @Test @LoopActor func anEndIsTold() async throws {
        let machine = try await streaming()
        let client = try await DaemonClient(of: machine)
        try await client.follow("Monitor")
        _ = machine.lines.taken()
        try await end(machine, .failed("killed by SIGKILL"))
        #expect(try await client.events() == ["finished org.test.a failed: killed by SIGKILL"])
        #expect(machine.lines.taken() == ["warning: org.test.a: killed by SIGKILL"])
        await machine.pass(.seconds(2))
        let run = try #require(machine.runner.running.keys.first)
        await machine.finish(run, .failed("no network"))
        #expect(machine.lines.taken().isEmpty)

        let ended = try await streaming()
        let follower = try await DaemonClient(of: ended)
        try await follower.follow("Monitor")
        try await end(ended, .noData)
        #expect(try await follower.events() == ["finished org.test.a exited with status 0"])
        await ended.pass(.seconds(2))
        let second = try #require(ended.runner.running.keys.first)
        try await stay(ended)
        try await end(ended, .noData, cause: "disabled", run: second)
        #expect(try await follower.events().last == "finished org.test.a disabled")
    }

    /// A daemon that starts later waits, too, for the time that a program which has failed has asked for.
    @Test @LoopActor func theTimeThatAProgramAsksForAtItsEndIsKept() async throws {
        let machine = try await streaming()
        try await end(machine, .failed("no network"), nextAsk: .date(machine.now.wall + .hours(2)))
        await machine.pass(.minutes(1))
        try await machine.restart()
        #expect(machine.runner.running.isEmpty)
        await machine.pass(.hours(2))
        #expect(machine.runner.running.count == 1)
    }

    @Test @LoopActor func aProgramThatExitsWithStatusZeroHasNotFailed() async throws {
        let machine = try await streaming()
        try await end(machine, .noData)
        #expect(try machine.item(widget())?.state == .ready)
        #expect(try history(machine).map(\.result) == [.newData, .noData])
        #expect(try stream(machine).lastEnd == "exited with status 0")
        await machine.pass(.seconds(2))
        #expect(machine.runner.running.values.map(\.request.reason) == [.schedule])
    }

    @Test @LoopActor func aRunThatFailsEndsTheProgramInTheStatus() async throws {
        let machine = try SimulatedMachine([Self.manifest("a", "json", more: "Stream=yes")])
        await machine.settle()
        #expect(try stream(machine).isRunning)
        try await finish(machine, .failed("exited with status 3"))
        #expect(try !stream(machine).isRunning)
        #expect(try stream(machine).lastEnd == "exited with status 3")
        await machine.pass(.seconds(2))
        try await finish(machine, .failed("exited with status 4"))
        #expect(try stream(machine).restarts == 1)
        #expect(try history(machine).count == 2)
        await machine.change(.choice(try widget(), .enabled(false)))
        #expect(machine.runner.endedStreams.isEmpty, "there is none to be ended")
    }

    // MARK: What ends it

    @Test @LoopActor func aHiddenWidgetHasNoProgram() async throws {
        let machine = try await streaming()
        await machine.change(.choice(try widget(), .hasContent(false)))
        #expect(machine.runner.endedStreams.first?.reason == "hidden: its has-content flag is false")
        try await end(machine, .noData, cause: "hidden: its has-content flag is false")
        #expect(try history(machine).count == 1)
        #expect(try stream(machine).lastEnd == "hidden: its has-content flag is false")
        await machine.pass(.minutes(10))
        #expect(machine.runner.running.isEmpty)
        await machine.change(.choice(try widget(), .hasContent(true)))
        #expect(machine.runner.running.count == 1)
    }

    @Test @LoopActor func aDisabledWidgetHasNoProgram() async throws {
        let machine = try await streaming()
        await machine.change(.choice(try widget(), .enabled(false)))
        #expect(machine.runner.endedStreams.first?.reason == "disabled")
    }

    static let changes: [(from: String, to: String, isRestarted: Bool, end: String?)] = [
        ("Stream=yes", "Stream=no", true, "its manifest says no Stream=yes any more"),
        ("/bin/true", "/bin/false", true, nil), ("Interval=1h", "Interval=2h", false, nil),
        ("Stream=yes", "Stream=yes\n[Limits]\nOutputMax=1K", true, nil), ("AppGroups=group.g", "", true, nil),
        ("Stream=yes", "Stream=yes\n[Sandbox]\nNetwork=no", true, nil), ("AllowsEditing=yes", "", false, nil),
    ]

    @Test(arguments: 0..<changes.count) @LoopActor func aChangedManifestReplacesTheProgram(place: Int) async throws {
        let (from, to, isRestarted, reason) = Self.changes[place]
        let machine = try await streaming()
        let (name, text) = Self.manifest("a", "json", more: "Stream=yes")
        try await machine.write(text.replacing(from, with: to), to: name)
        #expect(machine.runner.running.count == (isRestarted ? 1 : 0))
        #expect(machine.runner.endedStreams.first?.reason == reason)
    }

    @Test @LoopActor func aWidgetThatIsRemovedAndReturnsBeginsAnew() async throws {
        let machine = try await streaming()
        let (name, text) = Self.manifest("a", "json", more: "Stream=yes")
        try await machine.delete(name)
        try await end(machine, .noData, cause: "its manifest was removed")
        try await machine.write(text, to: name)
        #expect(machine.runner.running.count == 1)
        #expect(try stream(machine).restarts == 0)
    }

    // MARK: Who is behind

    @Test @LoopActor func newDefaultsReplaceTheProgramAndItsOwnDoNot() async throws {
        let machine = try await streaming()
        for value in 1...3 { try await write(machine, .int(Int64(value)), by: try widget()) }
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
        try await update(machine, .newData(Content(text: "second")))
        #expect(try machine.daemon.store.memory(of: widget()).seen?.groups["group.g"] == 3)
        try await write(machine, 4)
        #expect(machine.runner.running.values.map(\.request.reason) == [.behind])
    }

    /// A silent program was started for the new defaults; nothing else is to be done for them.
    @Test @LoopActor func aSilentProgramIsNotBehind() async throws {
        let machine = try await streaming()
        try await write(machine, 1)
        try await stay(machine, .noData, isSilent: true)
        await machine.change(.choice(try widget(), .displayMode(.compact)))
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
        #expect(try machine.daemon.store.memory(of: widget()).seen?.groups["group.g"] == nil)
        try await update(machine, .noData, run: 2)
        #expect(try machine.daemon.store.memory(of: widget()).seen?.groups["group.g"] == 1)
    }

    @Test @LoopActor func aDaemonThatStartsStartsIt() async throws {
        let machine = try await streaming()
        await machine.pass(.seconds(5))
        try await machine.restart()
        #expect(machine.runner.running.values.map(\.request.reason) == [.boot])
    }
}
