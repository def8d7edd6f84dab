// SPDX-License-Identifier: MIT
import Glibc
import JSON
import QueryService
import Reactor
import Runner
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore
@testable import TodayDaemon

/// Calls that apps left while no todayd ran.
@Suite struct PendingCallExecutorTests: DaemonDeciding {
    init() { TestLoop.start() }

    private static func line(_ key: String, _ value: Int) -> String {
        #"{"method":"org.todayd.Today.SetDefaults","parameters":{"group":"group.g","key":""# + key
            + #"","value":{"value":"# + "\(value)" + "}}}\n"
    }

    /// Leaves pending calls of the group, and returns the path of their file.
    @LoopActor @discardableResult
    private func leave(_ text: String, _ machine: SimulatedMachine) throws -> String {
        try machine.directory.makeDirectory("state/groups")
        return try machine.directory.write(text, to: "state/groups/group.g/pending")
    }

    /// Locks a file, as an app does that writes it, until the caller closes the result.
    private func lock(_ path: String) throws -> Int32 {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        try #require(file >= 0 && flock(file, LOCK_EX) == 0)
        return file
    }

    @LoopActor private func values(_ machine: SimulatedMachine) -> [String: JSON] {
        let values = machine.daemon.store.defaults(of: AppGroup("group.g"))
        return Dictionary(uniqueKeysWithValues: values.map { ($0.key, $0.value) })
    }

    /// The file stays if the disk did not take all of it, and goes if no later attempt can succeed.
    private static let pending: [(line: String, isClosed: Bool, stays: Bool)] = [
        ("no call at all", false, false),
        (#"{"method":"org.todayd.Today.SetDefaults","parameters":{"group":"group.g","key":""}}"#, false, false),
        (
            #"{"method":"org.todayd.Today.SetDefaults","parameters":{"group":"group.g","key":"k","value":{"value":1}}}"#,
            true, true
        ),
    ]

    @Test(arguments: pending)
    @LoopActor func onlyCallsThatTheDiskRefusedAreKept(_ row: (line: String, isClosed: Bool, stays: Bool)) async throws
    {
        let machine = try await machine()
        try leave(row.line, machine)
        if row.isClosed { #expect(machine.daemon.store.close()) }
        machine.daemon.pendingCalls.carryOut()
        await machine.settle()
        #expect((access(machine.directory("state/groups/group.g/pending"), F_OK) == 0) == row.stays)
    }

    /// A process that holds the lock of the file for ever does not block the daemon.
    @Test @LoopActor func aLockedFileDoesNotBlockTheDaemon() async throws {
        let machine = try await machine()
        let path = try leave("no call at all", machine)
        let holder = try lock(path)
        defer { close(holder) }
        machine.daemon.pendingCalls.carryOut()
        await machine.settle()
        #expect(access(path, F_OK) == 0)
    }

    /// Calls that were left too late for the start are older than a client's later change.
    @Test @LoopActor func pendingCallsComeBeforeAClientsChange() async throws {
        let machine = try await machine()
        let path = try leave(Self.line("k", 1) + Self.line("other", 1), machine)
        try await write(machine, 2)
        #expect(values(machine) == ["k": 2, "other": 1])
        #expect(access(path, F_OK) != 0)
        try await write(machine, 3)
        #expect(values(machine) == ["k": 3, "other": 1])
    }

    /// The daemon itself holds the lock while it carries out calls, so no client's change counts as newer.
    @Test @LoopActor func aChangeDoesNotOvertakeCallsInProgress() async throws {
        let machine = try await machine()
        try leave(Self.line("k", 1) + Self.line("other", 1), machine)
        machine.daemon.pendingCalls.carryOut()
        try await write(machine, 2)
        #expect(values(machine) == ["k": 2, "other": 1])
        #expect(machine.daemon.pendingCalls.progress.isEmpty)
    }

    /// An app holds the lock of the file. The daemon carries the calls out later, except for subjects that clients have
    /// changed by then.
    @Test @LoopActor func lockedCallsAreCarriedOutLaterExceptOvertakenOnes() async throws {
        let machine = try await machine()
        let path = try leave(Self.line("k", 1) + Self.line("other", 1), machine)
        let holder = try lock(path)
        try await write(machine, 2)
        #expect(values(machine) == ["k": 2])
        close(holder)
        machine.daemon.pendingCalls.carryOut()
        await machine.settle()
        #expect(values(machine) == ["k": 2, "other": 1])
        #expect(access(path, F_OK) != 0)
    }

    /// The file stays for the user to examine, and the daemon logs it once.
    @Test @LoopActor func anUnreadableFileIsLoggedOnce() async throws {
        let machine = try await machine()
        let path = try machine.directory.makeDirectory("state/groups/group.g/pending")
        _ = machine.lines.taken()
        for _ in 0..<2 {
            machine.daemon.pendingCalls.carryOut()
            await machine.settle()
        }
        #expect(
            machine.lines.taken() == ["warning: \(path): is not a file; what an app has left there is not done"])
    }

    @Test @LoopActor func wrongCallsAreLoggedAndTheOthersCarriedOut() async throws {
        let machine = try await machine()
        _ = machine.lines.taken()
        let tooLong = String(repeating: "k", count: 257)
        let path = try leave(Self.line(tooLong, 1) + "no call at all\n" + Self.line("k", 1), machine)
        machine.daemon.pendingCalls.carryOut()
        await machine.settle()
        let lines = machine.lines.taken()
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("warning: \(path)") })
        #expect(lines.contains { $0.contains(":2: ") } && lines.contains { $0.contains("longer than 256 bytes") })
        #expect(values(machine) == ["k": 1])
        #expect(access(path, F_OK) != 0)
    }

    /// The daemon retries every second on a full disk, but does not log each attempt.
    @Test @LoopActor func aFailureOfTheStoreIsLoggedOnceAndRetried() async throws {
        let machine = try await machine()
        try await machine.restart { try machine.becomeNewer() }
        let path = try leave("no call at all\n" + Self.line("k", 1) + Self.line("other", 1), machine)
        _ = machine.lines.taken()
        for _ in 0..<3 {
            machine.daemon.pendingCalls.carryOut()
            await machine.settle()
        }
        let lines = machine.lines.taken()
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("warning: \(path)") }, "\(lines)")
        #expect(access(path, F_OK) == 0)
    }

    /// A group without widgets may get a manifest later. The calls of one group may change only that group's
    /// widgets.
    @Test @LoopActor func pendingCallsChangeOnlyWidgetsOfTheirGroup() async throws {
        let machine = try await machine()
        func flag(_ name: String) -> String {
            #"{"method":"org.todayd.Today.SetHasContent","parameters":{"id":"org.test."# + name
                + #"","hasContent":false}}"# + "\n"
        }
        try machine.directory.makeDirectory("state/groups")
        try machine.directory.write(flag("a"), to: "state/groups/group.g/pending")
        let other = try machine.directory.write(flag("a"), to: "state/groups/group.other/pending")
        // The daemon carries out nothing before it serves.
        try await machine.write(
            Self.manifest("b", "json").text.replacing("AppGroups=group.g\n", with: ""), to: "org.test.b.widget")
        await machine.finishAll()
        #expect(try machine.item(widget())?.state == .ready)
        machine.daemon.pendingCalls.carryOut()
        await machine.settle()
        #expect(try machine.item(widget())?.state == .hidden)
        #expect(access(other, F_OK) == 0)
        _ = machine.lines.taken()
        try machine.directory.write(flag("b"), to: "state/groups/group.g/pending")
        machine.daemon.pendingCalls.carryOut()
        await machine.settle()
        #expect(try machine.item(widget("b"))?.state == .ready)
        #expect(machine.lines.taken().count == 1)
    }

    @Test @LoopActor func laterPendingCallsAreCarriedOutToo() async throws {
        let machine = try await machine()
        for value in 1...3 {
            try leave(Self.line("k", value), machine)
            machine.daemon.pendingCalls.carryOut()
            await machine.settle()
            #expect(values(machine) == ["k": .int(Int64(value))])
        }
    }

    /// A flag that a client sets is newer than the pending flag, but not than the pending values.
    @Test @LoopActor func aNewerFlagOvertakesOnlyTheFlag() async throws {
        let machine = try await machine()
        let flag = #"{"method":"org.todayd.Today.SetHasContent","parameters":{"id":"org.test.a","hasContent":true}}"#
        let path = try leave(flag + "\n" + Self.line("k", 1), machine)
        let holder = try lock(path)
        await machine.change(.choice(try widget(), .hasContent(false)))
        await machine.change(.choice(try widget(), .displayMode(.expanded)))
        let overtaken = machine.daemon.pendingCalls.progress.mapValues(\.overtaken)
        #expect(try overtaken == ["group.g": [.hasContent(widget())]])
        close(holder)
        machine.daemon.pendingCalls.carryOut()
        await machine.settle()
        #expect(try machine.item(widget())?.state == .hidden)
        #expect(values(machine) == ["k": 1])
        // Later pending calls are newer than that change.
        try leave(flag, machine)
        machine.daemon.pendingCalls.carryOut()
        await machine.settle()
        #expect(try machine.daemon.answers.hasContent(widget()) == true)
    }

    /// A change while no file is locked does not affect later pending calls.
    @Test @LoopActor func withoutALockNothingIsOvertaken() async throws {
        let machine = try await machine()
        try await write(machine, 1)
        try leave(Self.line("k", 2), machine)
        machine.daemon.pendingCalls.carryOut()
        await machine.settle()
        #expect(values(machine) == ["k": 2])
    }

    /// No event says that the lock is gone, so the daemon looks again, after one second at the earliest.
    @Test @LoopActor func theTimerRetriesLockedCalls() async throws {
        let machine = try await machine()
        let path = try leave(Self.line("k", 1), machine)
        let holder = try lock(path)
        machine.daemon.pendingCalls.carryOut()
        let begin = ContinuousClock.now
        close(holder)
        try await eventually("value", within: .seconds(5)) { values(machine) == ["k": 1] }
        #expect(ContinuousClock.now - begin > .milliseconds(900))
    }

    @Test @LoopActor func aFileThatCannotBeRemovedIsEmptied() async throws {
        let machine = try await machine()
        let path = try leave(Self.line("k", 1), machine)
        // Even root cannot remove a file from an immutable directory; a mount over the file has the same effect.
        let calls = try #require(
            PendingCalls.found(
                in: machine.directory("state"), belongs: { _, _ in true }, isKnown: { _ in true }
            ).first)
        #expect(rename(path, path + ".moved") == 0)
        calls.remove()
        #expect(try machine.directory.read("state/groups/group.g/pending.moved") == "")
    }
}
