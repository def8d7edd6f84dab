// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import TodayDaemon

@Suite struct PermissionsTests {
    private static func peer(_ uid: UInt32, gid: UInt32 = 100, groups: [UInt32] = []) -> PeerCredentials {
        PeerCredentials(pid: 1, uid: uid, gid: gid, groups: groups)
    }

    private static let system = Permissions(instance: .system, owner: 990, administrators: 27)
    private static let user = Permissions(instance: .user, owner: 1000, administrators: 27)

    @Test func rootAndAdministratorsMayChangeTheSystemInstance() {
        #expect(Self.system.isAdministrator(Self.peer(0)))
        #expect(Self.system.isAdministrator(Self.peer(1000, groups: [4, 27])))
        #expect(Self.system.isAdministrator(Self.peer(1000, gid: 27)))
        #expect(!Self.system.isAdministrator(Self.peer(1000)))
    }

    @Test func whereNoGroupAdministersOnlyRootDoes() {
        let permissions = Permissions(instance: .system, owner: 990)
        #expect(permissions.isAdministrator(Self.peer(0)))
        for uid: UInt32 in [1, 990, 1000] {
            #expect(!permissions.isAdministrator(Self.peer(uid, gid: 0, groups: [27])))
        }
    }

    @Test func administratorsActForEveryWidget() {
        #expect(Self.system.mayActFor(nil, Self.peer(0)))
        #expect(Self.system.mayActFor(nil, Self.peer(1000, gid: 27)))
        #expect(Self.user.mayActFor(nil, Self.peer(1000)))
        #expect(!Self.user.mayActFor(nil, Self.peer(1001)))
    }

    @Test func theSystemInstancesWidgetsAreNoAdministrators() {
        #expect(!Self.system.isAdministrator(Self.peer(990)))
        #expect(!Self.system.isAdministrator(Self.peer(990, groups: [27])))
    }

    @Test func aUsersInstanceKnowsNoAdministratorsButRoot() {
        #expect(Self.user.isAdministrator(Self.peer(1000)))
        #expect(Self.user.isAdministrator(Self.peer(0)))
        #expect(!Self.user.isAdministrator(Self.peer(1001, groups: [27])))
    }

    @Test func aWidgetActsOnlyAsItself() throws {
        let id = try #require(WidgetID("org.example.a"))
        let other = try #require(WidgetID("org.example.b"))
        var own = Manifest(id: id, displayName: "a", update: UpdatePlan(command: ["/x"], contentProtocol: .text))
        own.appGroups = ["group.a"]
        let table: [(ChangeSubject, Bool)] = [
            (.widget(id), true), (.widget(other), false), (.group("group.a"), true), (.group("group.b"), false),
            (.choices, false), (.commands, false), (.everything, false), (.anything, true),
        ]
        for (subject, isAllowed) in table {
            #expect(Permissions.widget(own, mayChange: subject) == isAllowed, "\(subject)")
            #expect(!Permissions.widget(nil, mayChange: subject))
        }
    }

    /// Root executes no commands of a user's widgets, as it would execute them as root.
    @Test func commandsOfAUsersWidgetsAreForThisUserOnly() {
        #expect(Self.user.mayExecuteCommands(Self.peer(1000)))
        for uid: UInt32 in [0, 1001] { #expect(!Self.user.mayExecuteCommands(Self.peer(uid, groups: [27]))) }
        // The catalog refuses administrators in words.
        #expect(Self.system.mayExecuteCommands(Self.peer(0)))
        #expect(!Self.system.mayExecuteCommands(Self.peer(990)))
        #expect(!Self.system.mayExecuteCommands(Self.peer(1000)))
    }

    @Test func aContainingAppActsForItsOwnWidgetsOnly() throws {
        let id = try #require(WidgetID("org.example.a"))
        var own = Manifest(id: id, displayName: "a", update: UpdatePlan(command: ["/x"], contentProtocol: .text))
        own.appUser = 1005
        #expect(Self.system.mayActFor(own, Self.peer(1005)))
        #expect(!Self.system.mayActFor(own, Self.peer(1006)))
        own.appUser = nil
        #expect(!Self.system.mayActFor(own, Self.peer(1005)))
        #expect(!Self.system.mayActFor(nil, Self.peer(1005)))
        own.appUser = 1005
        #expect(!Self.user.mayActFor(own, Self.peer(1005)))
    }
}
