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

/// Several states at once, and permissions: what the daemon decides between the stages.
@Suite struct DaemonGlueTests: DaemonDeciding {
    init() { TestLoop.start() }

    @LoopActor private final class Listener: UpdateListener {
        var answers: [UpdateAnswer] = []
        func receive(_ answer: UpdateAnswer) { answers.append(answer) }
    }

    // MARK: Two states at once

    /// Both wait for the run in progress: first the button press, then the new defaults.
    @Test @LoopActor func anActionAndNewDefaultsBothFollowTheRun() async throws {
        let machine = try await machine(answers: .newData(Self.button))
        await machine.pass(.hours(2))
        await machine.perform(.action("press"), of: try widget())
        try await write(machine, 1)
        try await finish(machine, .newData(Self.button))
        #expect(try await finish(machine, .newData(Self.button)).interaction == .action("press"))
        #expect(try await finish(machine, .newData(Self.button)).reason == .defaults)
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
        #expect(try machine.daemon.store.memory(of: widget()).seen?.groups[AppGroup("group.g")] == 1)
    }

    @Test(arguments: ["hidden", "disabled", "removed"])
    @LoopActor func aClientThatWaitsHearsTheEndOfWhatWillNeverBe(how: String) async throws {
        let machine = try await machine(answers: .newData(Self.button))
        await machine.pass(.hours(2))
        let listener = Listener()
        _ = machine.daemon.answers.perform(.action("press"), of: try widget(), listener: listener)
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
        #expect(machine.daemon.waiters.count == 0)
    }

    /// When a widget has gone, the end of its run reaches the clients that wait, and changes nothing else.
    @Test @LoopActor func aClientThatWaitsForTheRunOfAWidgetThatGoesHearsItsEnd() async throws {
        let machine = try await machine()
        let listener = Listener()
        _ = machine.daemon.answers.update(try widget(), listener: listener)
        await machine.settle()
        #expect(machine.runner.running.count == 1)
        unlink(machine.directory("widgets/org.test.a.widget"))
        machine.daemon.registry.reload()
        await machine.settle()
        #expect(machine.runner.running.isEmpty)
        #expect(listener.answers.map(\.answer) == [.started, .failed])
        #expect(try machine.daemon.store.history(of: widget()).last?.result == .newData)
    }

    // MARK: Whose defaults

    /// A widget does not run for defaults that it wrote during its update; it runs for later changes of others.
    @Test @LoopActor func aWriterIsRunForWhatOthersWriteAfterIt() async throws {
        let machine = try await machine()
        await machine.pass(.hours(2))
        try await write(machine, 1, by: try widget())
        try await finish(machine, .newData(Content(text: "new")))
        await machine.pass(.minutes(1))
        #expect(machine.runner.running.isEmpty)
        try await write(machine, 2)
        #expect(try await finish(machine, .newData(Content(text: "newer"))).reason == .defaults)
    }

    // MARK: All widgets

    @Test @LoopActor func anUpdateOfAllIsOneOfThoseThatMayRun() async throws {
        let machine = try SimulatedMachine(
            ["a", "b", "c"].map { Self.manifest($0, "json") } + [
                ("org.test.d.widget", "[Widget]\n[Update]\nProtocol=push\n"), ("org.test.e.widget", "[Update]\nNo=1\n"),
            ])
        await machine.settle()
        for run in machine.runner.running.keys { await machine.finish(run, .newData(Content(text: "own"))) }
        await machine.change(.choice(try widget("b"), .hasContent(false)))
        await machine.change(.choice(try widget("c"), .enabled(false)))
        let answers = machine.daemon.answers.update(nil, listener: nil)
        #expect(try answers.map(\.id) == [widget("a")])
        #expect(try machine.daemon.answers.update(widget("b"), listener: nil).map(\.answer) == [.refused])
    }

    // MARK: Who may

    private static func peer(_ pid: pid_t, seen: Int64, uid: uid_t = getuid()) -> PeerCredentials {
        PeerCredentials(pid: pid, uid: uid, gid: 0, seen: seen)
    }

    /// The process number of an ended process may go to another process, which gets no rights with it.
    @Test @LoopActor func anotherProcessOfTheSameNumberIsAnother() async throws {
        let machine = try await machine()
        let id = try widget()
        var asked = 0
        machine.runner.origins = { _, seen in
            asked += 1
            return seen < 100 ? .widget(id) : .unknown
        }
        let answers = machine.daemon.answers
        #expect(answers.mayChange(.widget(id), peer: Self.peer(7, seen: 1)))
        #expect(answers.widget(of: Self.peer(7, seen: 1)) == id)
        #expect(asked == 1)
        #expect(!answers.mayChange(.widget(id), peer: Self.peer(7, seen: 100)))
        #expect(answers.widget(of: Self.peer(7, seen: 100)) == nil)
        #expect(!answers.mayChange(.widget(id), peer: Self.peer(8, seen: 100)))
        #expect(!answers.mayChange(.choices, peer: Self.peer(7, seen: 1)))
    }

    /// In the system instance: app users for the groups of their widgets, administrators for all.
    @Test(
        arguments: [
            (group: "group.g", user: 2_000, may: true), ("group.g", 2_001, false), ("group.g", 0, true),
            ("group.none", 2_000, false), ("group.none", 2_001, false), ("group.none", 0, true),
        ] as [(group: String, user: UInt32, may: Bool)])
    @LoopActor func aGroupIsItsWidgetsUsers(group: String, user: UInt32, may: Bool) async throws {
        let manifest = Self.manifest("a", "json")
        let machine = try SimulatedMachine([
            (manifest.name, manifest.text.replacing("[Widget]\n", with: "[Widget]\nAppUser=2000\n"))
        ])
        machine.daemon.access.permissions = Permissions(instance: .system, owner: 1_000)
        let peer = Self.peer(7, seen: 1, uid: user)
        #expect(machine.daemon.answers.mayChange(.group(AppGroup(stringLiteral: group)), peer: peer) == may)
        #expect(!machine.daemon.answers.mayChange(.choices, peer: peer) || user == 0)
        #expect(machine.daemon.answers.mayChange(.anything, peer: peer) == (user != 2_001))
    }
}
