// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import TodayDaemon

@Suite struct InstancePathsTests {
    @Test func theUsersInstanceLivesInItsOwnDirectories() throws {
        let environment = ["XDG_RUNTIME_DIR": "/run/user/1000", "HOME": "/home/anna"]
        let paths = try InstancePaths(options: DaemonOptions(), environment: environment, isRoot: false)
        #expect(paths.kind == .user)
        #expect(paths.socket == "/run/user/1000/todayd/todayd.sock")
        #expect(paths.stateDirectory == "/home/anna/.local/state/todayd")
    }

    @Test func rootsInstanceIsTheSystems() throws {
        let paths = try InstancePaths(options: DaemonOptions(), environment: [:], isRoot: true)
        #expect(paths.kind == .system)
        #expect(paths.socket == "/run/todayd/todayd.sock")
        #expect(paths.stateDirectory == "/var/lib/todayd")
    }

    @Test func systemdsStateDirectoryGoesBeforeTheUsual() throws {
        let paths = try InstancePaths(
            options: DaemonOptions(), environment: ["STATE_DIRECTORY": "/var/lib/private/todayd:/x"], isRoot: true)
        #expect(paths.stateDirectory == "/var/lib/private/todayd")
    }

    static let states: [(instance: DaemonStatus.Instance, environment: [String: String], state: String)] = [
        (.user, ["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/todayd"),
        (.user, ["XDG_STATE_HOME": "s", "HOME": "/h"], "/h/.local/state/todayd"),
        (.user, ["XDG_STATE_HOME": "", "HOME": "/h"], "/h/.local/state/todayd"),
        (.user, ["STATE_DIRECTORY": "/d", "XDG_STATE_HOME": "/s", "HOME": "/h"], "/d"),
        (.user, ["STATE_DIRECTORY": "d", "XDG_STATE_HOME": "/s"], "/s/todayd"),
        (.system, ["XDG_STATE_HOME": "/s", "HOME": "/h"], "/var/lib/todayd"),
    ]

    /// Relative paths in variables are ignored.
    @Test(arguments: states)
    func stateIsWhereTheFirstVariableSays(
        _ row: (instance: DaemonStatus.Instance, environment: [String: String], state: String)
    ) throws {
        let environment = row.environment.merging(["XDG_RUNTIME_DIR": "/r"]) { $1 }
        let paths = try InstancePaths(
            options: DaemonOptions(instance: row.instance), environment: environment, isRoot: false)
        #expect(paths.stateDirectory == row.state)
        #expect(paths.socket == (row.instance == .system ? "/run/todayd/todayd.sock" : "/r/todayd/todayd.sock"))
    }

    @Test func optionsGoBeforeEverything() throws {
        let options = DaemonOptions(instance: .user, socket: "/s", stateDirectory: "/d")
        let paths = try InstancePaths(options: options, environment: ["STATE_DIRECTORY": "/x"], isRoot: true)
        #expect(paths.kind == .user)
        #expect(paths.socket == "/s")
        #expect(paths.stateDirectory == "/d")
    }

    @Test(arguments: [
        (["HOME": "/home/anna"], "XDG_RUNTIME_DIR"), (["XDG_RUNTIME_DIR": "/run/user/1"], "HOME"),
        (["XDG_RUNTIME_DIR": "", "HOME": "/h"], "XDG_RUNTIME_DIR"),
        (["XDG_RUNTIME_DIR": "run", "HOME": "/h"], "XDG_RUNTIME_DIR"),
    ])
    func saysWhichVariableIsMissing(_ environment: [String: String], _ variable: String) throws {
        do {
            _ = try InstancePaths(options: DaemonOptions(), environment: environment, isRoot: false)
            Issue.record("no complaint")
        } catch {
            #expect(error.description.hasPrefix("\(variable) is not set"))
        }
    }
}
