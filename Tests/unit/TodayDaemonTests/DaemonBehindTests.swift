// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import Runner
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore
@testable import TodayDaemon

/// Which changes make a widget run again.
@Suite struct DaemonBehindTests: DaemonDeciding {
    init() { TestLoop.start() }

    @LoopActor private func seen(_ machine: SimulatedMachine) throws -> Int64 {
        machine.daemon.store.memory(of: try widget()).seen?.groups[AppGroup("group.g")] ?? 0
    }

    // MARK: Defaults

    @Test @LoopActor func aWidgetThatHasNeverSucceededRunsForNewDefaults() async throws {
        let machine = try await machine(answers: .failed("no network"))
        try await write(machine, 1)
        #expect(machine.runner.running.values.map(\.request.reason) == [.behind])
    }

    /// A widget does not run for defaults that it wrote during its update; it runs for later changes of others.
    @Test @LoopActor func aWidgetRunsForDefaultsOfOthersButNotForItsOwn() async throws {
        let machine = try await machine()
        await machine.pass(.hours(2))
        try await write(machine, 1, by: try widget())
        try await finish(machine, .newData(Content(text: "new")))
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
        try await write(machine, 2)
        #expect(try await finish(machine, .newData(Content(text: "newer"))).reason == .behind)
    }

    /// A widget that joins a group has not read the defaults of that group.
    @Test @LoopActor func aWidgetThatJoinsAGroupRunsForItsDefaults() async throws {
        let (name, text) = Self.manifest("a", "json")
        let alone = text.replacing("AppGroups=group.g\n", with: "")
        let machine = try SimulatedMachine([(name, alone), Self.manifest("b", "json")])
        await machine.settle()
        await machine.finishAll()
        try await write(machine, 1)
        #expect(try machine.runner.running.values.map(\.request.widget) == [widget("b")])
        await machine.finishAll()
        try await machine.write(text, to: name)
        #expect(try machine.runner.running.values.map(\.request.widget) == [widget("a")])
        #expect(machine.runner.running.values.map(\.request.reason) == [.behind])
    }

    /// A sandbox that was too tight, or a time-out that was too short, is corrected in the manifest.
    @Test(arguments: ["[Sandbox]\nNetwork=yes", "[Update]\nTimeout=2min", "[Limits]\nMemoryMax=1G"])
    @LoopActor func aFailedWidgetRunsWhenItsManifestGivesItMore(lines: String) async throws {
        let (name, text) = Self.manifest("a", "json", more: "[Sandbox]\nLevel=strict")
        let machine = try SimulatedMachine([(name, text)])
        await machine.settle()
        try await finish(machine, .failed("no network"))
        await machine.pass(.seconds(5))
        try await machine.write("\(text)\n[Widget]\nDescription=Another\n", to: name)
        #expect(machine.runner.running.isEmpty)
        try await machine.write("\(text)\n\(lines)\n", to: name)
        try await finish(machine, .newData(Content(text: "new")))
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
    }

    /// What its author saves is shown without a request.
    @Test @LoopActor func aWidgetRunsWhenItsProgramIsSaved() async throws {
        let (name, text) = Self.manifest("a", "json")
        let machine = try SimulatedMachine([(name, text)])
        try machine.directory.script("#!/bin/sh\n", to: "widgets/tool")
        try await machine.write(text.replacing("/bin/true", with: "./tool"), to: name)
        await machine.finishAll()
        await machine.pass(.seconds(5))
        #expect(machine.runner.running.isEmpty)
        try machine.directory.script("#!/bin/sh\necho saved\n", to: "widgets/tool")
        machine.daemon.registry.reload()
        await machine.settle()
        #expect(try await finish(machine, .newData(Content(text: "saved"))).reason == .behind)
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
    }

    /// New defaults need an update, even for a running program that could draw for another size.
    @Test @LoopActor func newDefaultsLeadToAnUpdateOfARunningResident() async throws {
        let machine = try await machine("varlink")
        machine.daemon.catalog[try widget()].processes.began(1)
        try await write(machine, 1)
        #expect(machine.runner.running.values.map(\.request.interaction) == [nil])
        #expect(machine.runner.running.values.map(\.request.reason) == [.behind])
    }

    @Test @LoopActor func defaultsThatAButtonWritesLeadToAnUpdate() async throws {
        let machine = try await machine(answers: .newData(Self.button))
        await machine.perform(.action("press"), of: try widget())
        try await write(machine, 1, by: try widget())
        try await finish(machine, .newData(Self.button))
        #expect(machine.runner.running.values.map(\.request.reason) == [.behind])
    }

    /// The widget stays behind, and its retry comes at its usual time.
    @Test @LoopActor func aFailedRunHasSeenNothingAndIsNotRepeatedAtOnce() async throws {
        let machine = try await machine()
        try await write(machine, 1)
        try await finish(machine, .failed("no network"))
        #expect(try seen(machine) == 0)
        await machine.pass(.seconds(5))
        #expect(machine.runner.running.isEmpty)
        await machine.pass(.minutes(1))
        try await finish(machine, .newData(Content(text: "new")))
        #expect(try seen(machine) == 1)
    }

    @Test @LoopActor func anUpdateOfAnEditorHasSeenNothing() async throws {
        let machine = try await machine()
        try await edit(machine)
        try await write(machine, 1)
        #expect(try await finish(machine, .newData(Content(text: "editor"))).isEditing)
        #expect(try seen(machine) == 0)
    }

    // MARK: Display modes

    @Test(arguments: ["json", "varlink"])
    @LoopActor func aChosenDisplayModeIsDrawnOnce(contentProtocol: String) async throws {
        let machine = try await machine(contentProtocol)
        if contentProtocol == "varlink" { machine.daemon.catalog[try widget()].processes.began(1) }
        #expect(await machine.change(.choice(try widget(), .displayMode(.expanded))) == nil)
        let request = try await finish(machine, .newData(Content(text: "large")))
        #expect(request.interaction == (contentProtocol == "varlink" ? .displayMode : nil))
        #expect(request.mode == .expanded)
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
    }

    @Test @LoopActor func aModeChosenDuringARunIsDrawnByTheNext() async throws {
        let machine = try await machine("varlink")
        await machine.pass(.hours(2))
        await machine.change(.choice(try widget(), .displayMode(.expanded)))
        #expect(try await finish(machine, .noData).mode == .compact)
        let next = try await finish(machine, .noData)
        #expect(next.mode == .expanded)
        #expect(next.interaction == nil)
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
    }

    @Test @LoopActor func aModeChosenWhileHiddenIsDrawnWhenShown() async throws {
        let machine = try await machine("varlink")
        await machine.change(.choice(try widget(), .hasContent(false)))
        await machine.change(.choice(try widget(), .displayMode(.expanded)))
        #expect(machine.runner.running.isEmpty)
        await machine.change(.choice(try widget(), .hasContent(true)))
        #expect(try await finish(machine, .newData(Content(text: "large"))).mode == .expanded)
    }

    /// A widget that chooses its mode runs like one that is behind, so that two widgets that answer each other do not
    /// loop.
    @Test @LoopActor func aLargestModeThatTheWidgetChoosesLeadsToAnUpdate() async throws {
        let machine = try await machine("varlink")
        machine.daemon.catalog[try widget()].processes.began(1)
        await machine.change(.choice(try widget(), .displayMode(.expanded)))
        try await finish(machine, .newData(Content(text: "large")))
        machine.daemon.setLargestDisplayMode(.compact, of: try widget(), context: 1)
        machine.daemon.scheduler.clockChanged()
        await machine.settle()
        #expect(machine.runner.running.values.map(\.request.interaction) == [nil])
        #expect(try machine.item(widget())?.mode == .compact)
        #expect(await machine.change(.choice(try widget(), .displayMode(.expanded))) != nil)
    }

    /// A process that chooses no largest mode has that of the manifest, which the user has chosen before.
    @Test @LoopActor func aModeThatBecomesPossibleAgainIsDrawn() async throws {
        let machine = try await machine("varlink")
        machine.daemon.catalog[try widget()].processes.began(1)
        machine.daemon.setLargestDisplayMode(.compact, of: try widget(), context: 1)
        machine.daemon.store.change(.choice(try widget(), .displayMode(.expanded)))
        await machine.settle()
        #expect(machine.runner.running.isEmpty)
        machine.daemon.catalog[try widget()].processes.began(2)
        await machine.pass(.hours(2))
        #expect(try await finish(machine, .noData).mode == .compact)
        await machine.pass(.seconds(1))
        let next = try await finish(machine, .newData(Content(text: "large")))
        #expect(next.mode == .expanded && next.interaction == nil)
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
    }
}
