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

/// What an administrator reads in the journal: each problem once, and nothing while all is well.
@Suite struct DaemonLoggingTests: DaemonDeciding {
    init() { TestLoop.start() }

    /// The lines since the last call, without the machine's directory.
    @LoopActor private func lines(_ machine: SimulatedMachine) -> [String] {
        machine.lines.taken().map { $0.replacing("\(machine.directory.path)/", with: "") }
    }

    // MARK: Runs

    @Test @LoopActor func theFirstFailureAndTheRecoveryAreLogged() async throws {
        let machine = try await machine()
        for _ in 0..<2 {
            await machine.pass(.hours(2))
            await machine.finishAll(.noData)
        }
        #expect(lines(machine).isEmpty)
        await machine.pass(.hours(2))
        try await finish(machine, .failed("no network"))
        #expect(lines(machine) == ["warning: org.test.a: no network"])
        await machine.pass(.hours(2))
        try await finish(machine, .failed("no network"))
        #expect(lines(machine).isEmpty)
        await machine.pass(.hours(2))
        try await finish(machine, .newData(Self.button))
        #expect(lines(machine) == ["info: org.test.a: works again"])
    }

    /// A button press does not show whether the next update succeeds.
    @Test @LoopActor func aButtonPressIsNoRecovery() async throws {
        let machine = try await machine(answers: .newData(Self.button))
        await machine.pass(.hours(2))
        try await finish(machine, .failed("no network"))
        _ = lines(machine)
        await machine.perform(.action("press"), of: try widget())
        try await finish(machine, .newData(Self.button))
        #expect(lines(machine).isEmpty)
    }

    /// What a widget draws while the user edits it is its editor, which does not show whether the widget works.
    @Test @LoopActor func anUpdateOfAnEditorIsNoRecovery() async throws {
        let machine = try await machine()
        await machine.pass(.hours(2))
        try await finish(machine, .failed("no network"))
        try await edit(machine)
        _ = lines(machine)
        try await update(machine)
        #expect(try await finish(machine, .newData(Content(text: "editor"))).isEditing)
        #expect(lines(machine).isEmpty)
        #expect(try machine.daemon.store.lastUpdate(of: widget())?.result == .failed)
    }

    @Test @LoopActor func anIdleFailureIsLoggedUnlessTheWidgetFailsAlready() async throws {
        let machine = try await machine("varlink")
        let mishap = RunOutcome(
            widget: try widget(), run: 99, reason: .schedule, started: machine.now.wall, duration: .zero,
            result: .failed("exited with status 1"))
        machine.runner.onReport(.idleFailure(mishap))
        #expect(lines(machine) == ["warning: org.test.a: exited with status 1"])
        await machine.pass(.hours(2))
        try await finish(machine, .failed("no network"))
        _ = lines(machine)
        machine.runner.onReport(.idleFailure(mishap))
        #expect(lines(machine).isEmpty)
    }

    @Test @LoopActor func theEndOfAnOldEditorIsLogged() async throws {
        let machine = try await machine()
        try await edit(machine)
        await machine.pass(.minutes(4))
        #expect(lines(machine).isEmpty)
        await machine.pass(.minutes(1))
        await machine.pass(.minutes(1))
        #expect(lines(machine) == ["info: org.test.a: no host has edited it for 5min, so the edit is discarded"])
    }

    // MARK: Files

    @Test @LoopActor func eachComplaintIsLoggedOnce() async throws {
        let (name, text) = Self.manifest("a", "json")
        let machine = try SimulatedMachine([(name, text + "\nNo=1\n")], configuration: "[Daemon]\nNo=1\n")
        await machine.settle()
        let start = lines(machine)
        #expect(start.count == 2 && start.allSatisfy { $0.hasPrefix("warning: ") })
        #expect(start.contains { $0.contains("widgets/todayd.conf:2: unknown key No=") })
        #expect(start.contains { $0.contains("widgets/\(name):") })

        try await machine.write("[Daemon]\nNo=1\nNever=1\n", to: "todayd.conf")
        let next = lines(machine)
        #expect(next.count == 1 && next.first?.contains("todayd.conf:3: unknown key Never=") == true)
        // A setting that was repaired and is wrong again is logged again.
        try await machine.write("[Daemon]\nNever=1\n", to: "todayd.conf")
        _ = lines(machine)
        try await machine.write("[Daemon]\n", to: "todayd.conf")
        #expect(lines(machine).isEmpty)
        try await machine.write("[Daemon]\nNever=1\n", to: "todayd.conf")
        #expect(lines(machine).count == 1)

        try await machine.write(text + "\nNot=1\n", to: name)
        #expect(lines(machine).map { $0.contains("Not=") } == [true])
        try await machine.write(text + "\nNot=1\n", to: "org.test.b.widget")
        #expect(lines(machine).map { $0.contains("org.test.b.widget") } == [true])
    }

    // MARK: The database

    @Test @LoopActor func aDatabaseFromANewerVersionIsLoggedOnce() async throws {
        let machine = try await machine()
        try await machine.restart()
        #expect(lines(machine).isEmpty)
        try await machine.restart { try machine.becomeNewer() }
        let start = lines(machine)
        #expect(start.count == 1 && start.first?.hasPrefix("error: state/todayd.sqlite was written by a newer") == true)
        #expect(try machine.item(widget())?.content?.text == "own")
    }

    @Test @LoopActor func aDamagedDatabaseIsLoggedOnce() async throws {
        let machine = try await machine()
        try await machine.restart {
            try machine.directory.write("no database at all, but long enough", to: "state/todayd.sqlite")
        }
        let start = lines(machine)
        #expect(start.count == 2 && start.first?.hasPrefix("error: the database was damaged") == true)
        // The part of the database that could not be read.
        #expect(start.last?.hasPrefix("warning: state/todayd.sqlite cannot be read") == true)
    }

    /// A failure of the new database does not hide what happened to the old one.
    @Test @LoopActor func aDamagedDatabaseIsLoggedBesideALaterFailure() async throws {
        let machine = try await machine()
        try await machine.restart {
            try machine.becomeNewer()
            try machine.directory.rename("state/todayd.sqlite", to: "state/todayd.sqlite.next")
            try machine.directory.write("no database at all, but long enough", to: "state/todayd.sqlite")
        }
        let start = lines(machine)
        #expect(start.count == 2 && start.first?.hasPrefix("error: the database was damaged") == true)
        #expect(start.last?.contains("was written by a newer todayd") == true)
    }

    @Test @LoopActor func aStorageFailureIsAnErrorAndItsEndIsInfo() async throws {
        let machine = try await machine()
        machine.daemon.storageChanged(.setAside(path: nil, reason: "it was gone"))
        machine.daemon.storageChanged(.ok)
        #expect(lines(machine) == ["error: a new database was begun: it was gone", "info: storage: ok"])
        machine.daemon.storageChanged(.full("there is no room"))
        machine.daemon.storageLog.writeDueLine()
        #expect(lines(machine).isEmpty, "one line a minute")
    }

    @Test @LoopActor func aRemovedDatabaseIsMadeAgainAndLogged() async throws {
        let machine = try await machine()
        try machine.directory.delete("state/todayd.sqlite")
        machine.daemon.store.checkFile()
        await machine.settle()
        #expect(access(machine.directory("state/todayd.sqlite"), F_OK) == 0)
        let said = lines(machine)
        #expect(said.count == 1 && said.first?.hasPrefix("error: the database was damaged") == true)
    }
}
