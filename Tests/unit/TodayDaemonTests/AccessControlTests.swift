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

/// What the processes of widgets, app users and administrators may change.
@Suite struct AccessControlTests: DaemonDeciding {
    init() { TestLoop.start() }

    private static func peer(_ pid: pid_t, seen: Int64 = 1, uid: uid_t = getuid()) -> PeerCredentials {
        PeerCredentials(pid: pid, uid: uid, gid: 0, seen: seen)
    }

    @Test @LoopActor func aProcessOfARunHasNoRightsOfItsUser() async throws {
        let machine = try await machine()
        let id = try widget()
        machine.runner.origins = { pid, _ in [1: .outside, 2: .widget(id)][pid] ?? .unknown }
        let catalog = machine.daemon.catalog
        #expect([1, 2, 3].map { catalog.isOfRun(Self.peer($0)) } == [false, true, true])
        #expect([1, 2, 3].map { catalog.widget(of: Self.peer($0)) } == [nil, id, nil])
        #expect([1, 2, 3].map { catalog.mayChange(.choices, peer: Self.peer($0)) } == [true, false, false])
    }

    /// A user's own todayd, such as this one, has none: the answer is no, at once.
    @Test @LoopActor func noPolicyIsAskedWhereThereIsNone() async throws {
        let machine = try await machine()
        machine.runner.origins = { _, _ in .outside }
        #expect(!machine.daemon.catalog.hasPolicy(for: Self.peer(1, uid: getuid() + 1)))
    }

    /// The process number of an ended process may go to another process, which gets no rights with it.
    @Test @LoopActor func aProcessWithTheNumberOfAnEndedOneHasNoRights() async throws {
        let machine = try await machine()
        let id = try widget()
        var asked = 0
        machine.runner.origins = { _, seen in
            asked += 1
            return seen < 100 ? .widget(id) : .unknown
        }
        let catalog = machine.daemon.catalog
        #expect(catalog.mayChange(.widget(id), peer: Self.peer(7, seen: 1)))
        #expect(catalog.widget(of: Self.peer(7, seen: 1)) == id)
        #expect(asked == 1)
        #expect(!catalog.mayChange(.widget(id), peer: Self.peer(7, seen: 100)))
        #expect(catalog.widget(of: Self.peer(7, seen: 100)) == nil)
        #expect(!catalog.mayChange(.widget(id), peer: Self.peer(8, seen: 100)))
        #expect(!catalog.mayChange(.choices, peer: Self.peer(7, seen: 1)))
    }

    /// The daemon keeps the origins of as many connections as there may be.
    @Test @LoopActor func theOriginOfAConnectionIsFoundOnce() async throws {
        let machine = try await machine()
        var asked = 0
        machine.runner.origins = { _, _ in
            asked += 1
            return .outside
        }
        let catalog = machine.daemon.catalog
        for pid in 1...4_096 { _ = catalog.isOfRun(Self.peer(pid_t(pid))) }
        _ = catalog.isOfRun(Self.peer(1))
        #expect(asked == 4_096)
        for pid in [pid_t(4_097), 1, 4_097] { _ = catalog.isOfRun(Self.peer(pid)) }
        #expect(asked == 4_098)
    }

    /// In the system instance: app users for the groups of their widgets, administrators for all.
    @Test(
        arguments: [
            (group: "group.g", user: 2_000, may: true), ("group.g", 2_001, false), ("group.g", 0, true),
            ("group.none", 2_000, false), ("group.none", 2_001, false), ("group.none", 0, true),
        ] as [(group: String, user: UInt32, may: Bool)])
    @LoopActor func anAppUserMayChangeTheGroupsOfItsWidgets(group: String, user: UInt32, may: Bool) async throws {
        let manifest = Self.manifest("a", "json")
        let machine = try SimulatedMachine([
            (manifest.name, manifest.text.replacing("[Widget]\n", with: "[Widget]\nAppUser=2000\n"))
        ])
        machine.daemon.catalog.permissions = Permissions(instance: .system, owner: 1_000)
        let peer = Self.peer(7, seen: 1, uid: user)
        #expect(machine.daemon.catalog.mayChange(.group(AppGroup(stringLiteral: group)), peer: peer) == may)
        #expect(!machine.daemon.catalog.mayChange(.choices, peer: peer) || user == 0)
        #expect(machine.daemon.catalog.mayChange(.anything, peer: peer) == (user != 2_001))
    }
}
