// SPDX-License-Identifier: MIT
import Glibc
import JSON
import QueryService
import Reactor
import Runner
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import SnapshotStore
@testable import TodayDaemon

/// Widgets that come and go, settings that change, and daemons that start after another has ended.
@Suite struct DaemonLifeTests: DaemonDeciding {
    init() { TestLoop.start() }

    @LoopActor private final class Listener: UpdateListener {
        var answers: [UpdateAnswer] = []
        func receive(_ answer: UpdateAnswer) { answers.append(answer) }
    }

    // MARK: Runs

    @Test @LoopActor func aWidgetIsAskedForTheRoomThatThereIs() async throws {
        let machine = try SimulatedMachine(
            [Self.manifest("a", "json")], configuration: "[Daemon]\nColumns=40\nCompactRows=2\n")
        await machine.settle()
        let first = try await finish(machine, .newData(Content(text: "own")))
        #expect(first.reason == .boot && first.interaction == nil && !first.isEditing)
        #expect(first.sizes[.compact] == Size(columns: 40, rows: 2) && first.mode == .compact)
        #expect(first.previous == nil)
        await machine.pass(.hours(2))
        #expect(try await finish(machine, .noData).previous?.text == "own")
    }

    /// The widget and its manifest go in the same turn in which the widget was to run.
    @Test @LoopActor func whoWaitsForAWidgetThatHasJustGoneHearsIt() async throws {
        let machine = try await machine()
        let listener = Listener()
        _ = machine.daemon.answers.update(try widget(), listener: listener)
        unlink(machine.directory("widgets/org.test.a.widget"))
        machine.daemon.registry.reload()
        await machine.settle()
        #expect(listener.answers.map(\.reason) == ["its manifest has gone"])
        #expect(machine.runner.running.isEmpty)
    }

    @Test(arguments: [true, false])
    @LoopActor func aRunEndsWithItsManifest(isGone: Bool) async throws {
        let machine = try await machine()
        let listener = Listener()
        _ = machine.daemon.answers.update(try widget(), listener: listener)
        await machine.settle()
        if isGone {
            try await machine.delete("org.test.a.widget")
        } else {
            try await machine.write("[Update]\nNo=1\n", to: "org.test.a.widget")
        }
        #expect(
            listener.answers.map(\.reason) == [
                nil, isGone ? "its manifest has gone" : "its manifest is not valid any more",
            ])
        await machine.pass(.hours(9))
        #expect(machine.runner.running.isEmpty)
    }

    /// The daemon cannot tell a widget without a program that editing begins.
    @Test @LoopActor func editingThatWillNeverBeginIsForgotten() async throws {
        let machine = try await machine("varlink")
        await machine.pass(.hours(2))
        await machine.perform(.beginEditing, of: try widget())
        #expect(try machine.item(widget())?.isEdited == true)
        let (name, text) = Self.manifest("a", "push")
        try await machine.write(text.replacing("ExecStart=/bin/true", with: ""), to: name)
        #expect(try machine.daemon.catalog.validManifest(of: widget())?.update.isPushed == true)
        #expect(machine.daemon.store.drafts.isEmpty)
    }

    /// After the manifest is repaired, the widget is not being edited.
    @Test @LoopActor func editingEndsWithTheManifest() async throws {
        let machine = try await machine("varlink")
        await machine.perform(.beginEditing, of: try widget())
        try await finish(machine, .newData(Content(text: "editor")))
        let (name, text) = Self.manifest("a", "varlink")
        try await machine.delete(name)
        #expect(machine.daemon.store.drafts.isEmpty)
        #expect(try machine.runner.dismissed == [widget()])
        try await machine.write(text, to: name)
        #expect(try machine.item(widget())?.isEdited == false)
    }

    /// A widget that joins a group has not read the defaults of that group.
    @Test @LoopActor func aWidgetThatJoinsAGroupReadsItsDefaults() async throws {
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
        #expect(machine.runner.running.values.map(\.request.reason) == [.defaults])
    }

    // MARK: Settings

    @Test @LoopActor func whoAdministersIsReadAgain() async throws {
        let machine = try await machine()
        let before = machine.daemon.access.permissions
        machine.daemon.access.permissions = Permissions(instance: .system, owner: 1_000)
        try await machine.write("[Daemon]\nAdministratorsGroup=root\n", to: "todayd.conf")
        #expect(machine.daemon.access.permissions == before)
    }

    @Test @LoopActor func anotherNumberOfRunsCountsAtOnce() async throws {
        let machine = try SimulatedMachine(
            ["a", "b", "c"].map { Self.manifest($0, "json") }, configuration: "[Daemon]\nConcurrencyMax=1\n")
        await machine.settle()
        #expect(machine.runner.running.count == 1)
        try await machine.write("[Daemon]\nConcurrencyMax=2\n", to: "todayd.conf")
        #expect(machine.runner.running.count == 2)
    }

    @Test @LoopActor func newWidgetsAreEnabledBySettingsAndOthersByTheUser() async throws {
        let machine = try SimulatedMachine(
            [Self.manifest("a", "json"), Self.manifest("b", "json")], configuration: "[Daemon]\nEnableNewWidgets=no\n")
        await machine.change(.choice(try widget("b"), .enabled(true)))
        await machine.finishAll()
        #expect(try machine.item(widget("a"))?.state == .disabled)
        #expect(try machine.item(widget("b"))?.state == .ready)
        try await machine.write("[Daemon]\nEnableNewWidgets=yes\n", to: "todayd.conf")
        #expect(try machine.runner.running.values.map(\.request.widget) == [widget("a")])
        await machine.finishAll()
        #expect(try machine.item(widget("a"))?.state == .ready)
        // When the widget is enabled again, it reads what has changed meanwhile.
        try await machine.write("[Daemon]\nEnableNewWidgets=no\n", to: "todayd.conf")
        try await write(machine, 1)
        #expect(try machine.runner.running.values.map(\.request.widget) == [widget("b")])
        await machine.finishAll()
        try await machine.write("[Daemon]\nEnableNewWidgets=yes\n", to: "todayd.conf")
        #expect(machine.runner.running.values.map(\.request.reason) == [.defaults])
    }

    /// Every widget draws again for each change of the room, even if the room is as at first.
    @Test @LoopActor func anotherRoomIsDrawnForByAll() async throws {
        let machine = try SimulatedMachine(["a", "b", "c"].map { Self.manifest($0, "json") })
        await machine.settle()
        await machine.finishAll()
        for columns in [40, 60, 40] {
            await machine.pass(.seconds(2))
            try await machine.write("[Daemon]\nColumns=\(columns)\n", to: "todayd.conf")
            let requests = machine.runner.running.values.map(\.request)
            #expect(requests.count == 3 && requests.allSatisfy { $0.sizes.columns == columns })
            #expect(requests.allSatisfy { !$0.fits })
            await machine.finishAll(.newData(Content(text: "\(columns)")))
        }
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
    }

    /// Both modes have the same size, but not the same view.
    @Test @LoopActor func whatIsDrawnForAnotherModeDoesNotFit() async throws {
        let machine = try SimulatedMachine(
            [Self.manifest("a", "json")], configuration: "[Daemon]\nCompactRows=4\nExpandedRows=4\n")
        await machine.settle()
        await machine.finishAll()
        await machine.change(.choice(try widget(), .displayMode(.expanded)))
        #expect(try await finish(machine, .newData(Content(text: "large"))).fits == false)
    }

    // MARK: Places

    /// A service manager may have made the socket with another mode than the daemon does.
    @Test @LoopActor func aSocketIsMadeAgainAsItWas() async throws {
        let machine = try await machine()
        let socket = machine.daemon.instance.paths.socket
        try machine.daemon.service.listen(at: socket, mode: 0o640)
        machine.daemon.watchFiles()
        _ = machine.lines.taken()
        try machine.directory.delete("run/todayd.sock")
        machine.daemon.restoreFiles()
        machine.daemon.restoreFiles()
        var status = stat()
        #expect(lstat(socket, &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(
            machine.lines.taken()
                == ["warning: the socket's file was removed; todayd listens on \(socket) again"])
        await withCheckedContinuation { done in machine.daemon.service.stop { done.resume() } }
    }

    // MARK: Over a restart

    /// A killed daemon may not have written the last answer. Until the next update, the stored content may differ from
    /// what the widget drew last.
    @Test(arguments: ["action", "failure", "nothing"])
    @LoopActor func whatWasNotWrittenIsNotKnownUntilAnUpdate(between: String) async throws {
        let machine = try await machine(answers: .newData(Self.button))
        try await crash(machine)
        switch between {
        case "action":
            await machine.perform(.action("press"), of: try widget())
            #expect(try await finish(machine, .newData(Self.button)).fits == false)
        case "failure":
            await machine.pass(.hours(2))
            #expect(try await finish(machine, .failed("no network")).fits == false)
        default: break
        }
        await machine.pass(.hours(2))
        #expect(try await finish(machine, .newData(Self.button)).fits == false)
        await machine.pass(.hours(2))
        #expect(try await finish(machine, .noData).fits)
    }

    @Test @LoopActor func aDaemonThatEndedInOrderHasWrittenEverything() async throws {
        let machine = try await machine()
        try await machine.restart()
        await machine.pass(.hours(2))
        #expect(try await finish(machine, .noData).fits)
    }

    /// A widget that has never answered has no doubtful answer.
    @Test @LoopActor func aWidgetThatHasNotAnsweredIsAskedForAllAtAnyRate() async throws {
        let machine = try await machine(answers: .failed("no network"))
        try await crash(machine)
        await machine.finishAll(.failed("no network"))
        #expect(machine.daemon.mayBeOutdated.isEmpty)
    }

    /// Content that a client pushed to a version with one layer.
    @Test(arguments: ["push", "json"])
    @LoopActor func whatWasPushedToAnOlderVersionIsAPush(contentProtocol: String) async throws {
        let machine = try SimulatedMachine(
            [
                ("org.test.a.widget", "[Widget]\n[Update]\nProtocol=\(contentProtocol)\nExecStart=/bin/true\n")
            ].map { ($0.0, contentProtocol == "push" ? $0.1.replacing("ExecStart=/bin/true\n", with: "") : $0.1) })
        let id = try widget()
        let taken = machine.now.wall
        machine.daemon.store.sketch(id) { $0.own = Layers.Own(Content(text: "old"), taken: taken) }
        machine.daemon.adoptPushed(id)
        let layers = machine.daemon.store.layers(of: id)
        let isPush = contentProtocol == "push"
        #expect(layers.pushed?.content.text == (isPush ? "old" : nil))
        #expect((layers.own == nil) == isPush)
    }

    /// The daemon keeps the content and logs of the newest fifty removed widgets.
    @Test(arguments: [true, false])
    @LoopActor func theOldestOfManyDepartedWidgetsAreForgotten(isRestarted: Bool) async throws {
        let machine = try SimulatedMachine([Self.manifest("a", "json"), Self.manifest("b", "json")])
        await machine.settle()
        await machine.finishAll()
        let gone = try (10..<70).map { try widget("gone\($0)") }
        for (age, id) in gone.enumerated() {
            machine.daemon.store.log(
                RunOutcome(
                    widget: id, run: 1_000, reason: .schedule, started: machine.now.wall + .seconds(Int64(age)),
                    duration: .zero, result: .noData))
        }
        await machine.settle()
        try await machine.write("[Widget]\nNo=1\n" + Self.manifest("a", "json").text, to: "org.test.a.widget")
        #expect(gone.filter { machine.daemon.store.history(of: $0).isEmpty }.isEmpty)
        if isRestarted {
            try await machine.restart()
        } else {
            try await machine.delete("org.test.b.widget")
        }
        let forgotten = gone.filter { machine.daemon.store.history(of: $0).isEmpty }
        #expect(forgotten == Array(gone.prefix(10)))
        #expect(try machine.daemon.store.history(of: widget()).isEmpty == false)
    }
}
