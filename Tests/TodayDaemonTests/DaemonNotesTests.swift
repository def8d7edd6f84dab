// SPDX-License-Identifier: MIT
import Glibc
import QueryService
import Reactor
import Runner
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import SnapshotStore
@testable import TodayDaemon

/// What apps have left for a todayd that did not run.
@Suite struct DaemonNotesTests: DaemonDeciding {
    init() { TestLoop.start() }

    /// The file stays where the disk has not taken all of it, and goes when nothing of it can be done later.
    private static let pending: [(line: String, isClosed: Bool, stays: Bool)] = [
        ("no call at all", false, false),
        (#"{"method":"org.todayd.Today.SetDefaults","parameters":{"group":"group.g","key":""}}"#, false, false),
        (
            #"{"method":"org.todayd.Today.SetDefaults","parameters":{"group":"group.g","key":"k","value":{"value":1}}}"#,
            true, true
        ),
    ]

    @Test(arguments: pending)
    @LoopActor func whatCannotBeDoneLaterIsNotKept(_ row: (line: String, isClosed: Bool, stays: Bool)) async throws {
        let machine = try await machine()
        try machine.directory.makeDirectory("state/groups")
        try machine.directory.makeDirectory("state/groups/group.g")
        try machine.directory.write(row.line, to: "state/groups/group.g/pending")
        if row.isClosed { #expect(machine.daemon.store.close()) }
        machine.daemon.makePendingCalls()
        await machine.settle()
        #expect((access(machine.directory("state/groups/group.g/pending"), F_OK) == 0) == row.stays)
    }

    /// A process that holds the lock of the file for ever does not hold up the daemon.
    @Test @LoopActor func aLockedFileIsLookedAtOnce() async throws {
        let machine = try await machine()
        try machine.directory.makeDirectory("state/groups")
        try machine.directory.makeDirectory("state/groups/group.g")
        let path = try machine.directory.write("no call at all", to: "state/groups/group.g/pending")
        let holder = open(path, O_RDONLY | O_CLOEXEC)
        try #require(holder >= 0 && flock(holder, LOCK_EX) == 0)
        defer { close(holder) }
        machine.daemon.makePendingCalls()
        await machine.settle()
        #expect(access(path, F_OK) == 0)
    }

    private static func line(_ key: String, _ value: Int) -> String {
        #"{"method":"org.todayd.Today.SetDefaults","parameters":{"group":"group.g","key":""# + key
            + #"","value":{"value":"# + "\(value)" + "}}}\n"
    }

    /// Returns the path of the note.
    @LoopActor private func leave(_ text: String, _ machine: SimulatedMachine) throws -> String {
        try machine.directory.makeDirectory("state/groups")
        try machine.directory.makeDirectory("state/groups/group.g")
        return try machine.directory.write(text, to: "state/groups/group.g/pending")
    }

    @LoopActor private func values(_ machine: SimulatedMachine) -> [String: JSON] {
        let values = machine.daemon.store.defaults(of: AppGroup("group.g"))
        return Dictionary(uniqueKeysWithValues: values.map { ($0.key, $0.value) })
    }

    /// A note that comes too late for the start is older than what a client says after it.
    @Test @LoopActor func aNoteComesBeforeWhatIsNewer() async throws {
        let machine = try await machine()
        let path = try leave(Self.line("k", 1) + Self.line("other", 1), machine)
        try await write(machine, 2)
        #expect(values(machine) == ["k": 2, "other": 1])
        #expect(access(path, F_OK) != 0)
        try await write(machine, 3)
        #expect(values(machine) == ["k": 3, "other": 1])
    }

    /// The daemon itself holds the lock while it acts on a note: no client has overtaken it then.
    @Test @LoopActor func aNoteThatIsBeingActedOnIsNotBusy() async throws {
        let machine = try await machine()
        _ = try leave(Self.line("k", 1) + Self.line("other", 1), machine)
        machine.daemon.makePendingCalls()
        try await write(machine, 2)
        #expect(values(machine) == ["k": 2, "other": 1])
        #expect(machine.daemon.notes.busy.isEmpty && machine.daemon.notes.overtaken.isEmpty)
    }

    /// An app holds the lock of the note: what was left in it is done later, but for what is newer by then.
    @Test @LoopActor func aNoteThatCannotBeReadNowIsReadLater() async throws {
        let machine = try await machine()
        let path = try leave(Self.line("k", 1) + Self.line("other", 1), machine)
        let holder = open(path, O_RDONLY | O_CLOEXEC)
        try #require(holder >= 0 && flock(holder, LOCK_EX) == 0)
        try await write(machine, 2)
        #expect(values(machine) == ["k": 2])
        close(holder)
        machine.daemon.makePendingCalls()
        await machine.settle()
        #expect(values(machine) == ["k": 2, "other": 1])
        #expect(access(path, F_OK) != 0)
    }

    @Test @LoopActor func aNoteIsDoneOnceWhereItCannotBeRemoved() async throws {
        let machine = try await machine()
        let path = try leave(Self.line("k", 1), machine)
        // Even root cannot remove a file from a directory that is immutable; a mount over it is as good.
        let calls = try #require(
            PendingCalls.found(
                in: machine.directory("state"), belongs: { _, _ in true }, isKnown: { _ in true }
            ).first)
        #expect(rename(path, path + ".moved") == 0)
        calls.remove()
        #expect(try machine.directory.read("state/groups/group.g/pending.moved") == "")
    }
}
