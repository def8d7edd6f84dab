// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Registry
import Runner
import Spawn
import TestSupport
import Testing
import TodayModel

@testable import TodayDaemon

/// What is known before the daemon starts.
@Suite struct DaemonInstanceTests {
    private static let environment = ["XDG_RUNTIME_DIR": "/run/user/1", "HOME": "/home/anna"]

    private static func settings(
        _ instance: DaemonStatus.Instance? = .user, _ change: (inout DaemonOptions) -> Void = { _ in }
    ) throws -> DaemonInstance {
        var options = DaemonOptions()
        options.instance = instance
        change(&options)
        return try DaemonInstance(options, environment: environment)
    }

    private static var here: String { getcwd(nil, 0).map { String(cString: $0) } ?? "" }

    /// Widgets get these paths and have another working directory.
    @Test func pathsAreAbsolute() throws {
        let settings = try Self.settings {
            $0.socket = "a/todayd.sock"
            $0.stateDirectory = "/state"
            $0.widgetDirectories = ["widgets", "/usr/widgets"]
            $0.configuration = "todayd.conf"
        }
        #expect(settings.paths.socket == "\(Self.here)/a/todayd.sock")
        #expect(settings.paths.stateDirectory == "/state")
        #expect(settings.searchPath.widgetDirectories == ["\(Self.here)/widgets", "/usr/widgets"])
        #expect(settings.searchPath.configurationFile == "\(Self.here)/todayd.conf")
        let other = try Self.settings { $0.stateDirectory = "state" }
        #expect(other.paths.stateDirectory == "\(Self.here)/state")
        #expect(other.runSettings.stateDirectory == "\(Self.here)/state")
        #expect(other.runSettings.socket == "/run/user/1/todayd/todayd.sock")
        #expect(other.runSettings.environment == Self.environment)
        // Only the first process of a container gets orphans that are not its own.
        #expect(other.runSettings.endsStrays)
    }

    /// The unit of the system's instance forbids namespaces.
    @Test(arguments: [(DaemonStatus.Instance.system, Sandboxing.kernel), (.user, .bubblewrap)])
    func theInstanceDecidesHowProgramsAreShutIn(_ row: (instance: DaemonStatus.Instance, way: Sandboxing)) throws {
        let instance = try Self.settings(row.instance)
        #expect(instance.runSettings.sandboxing == row.way)
        #expect(instance.searchPath.defaults.defaultSandbox == row.way.defaultLevel())
    }

    /// The service manager gives no session the programs that its user has installed.
    @Test(arguments: [(DaemonStatus.Instance.user, "/bin:/home/anna/.local/bin"), (.system, "/bin")])
    func aUserHasOwnPrograms(_ row: (instance: DaemonStatus.Instance, path: String)) throws {
        let options = try Self.settings(row.instance).options
        let instance = try DaemonInstance(
            options, environment: Self.environment.merging(["PATH": "/bin"]) { $1 })
        #expect(instance.environment["PATH"] == row.path)
    }

    @Test func withoutDirectoriesTheUsualOnesAreSearched() throws {
        let user = try Self.settings { $0.configuration = "/c" }.searchPath
        #expect(user == Self.with("/c", SearchPath.user(environment: Self.environment)))
        let system = try Self.settings(.system).searchPath
        #expect(system.widgetDirectories == SearchPath.system.widgetDirectories)
        // A user's todayd shuts in what says so, the system's all that says nothing else.
        #expect(user.defaults.defaultSandbox == .none)
        #expect(system.defaults.defaultSandbox == (KernelWalls.version > 0 ? .strict : .none))
        #expect(try Self.settings { $0.widgetDirectories = ["w"] }.searchPath.defaults == user.defaults)
        #expect(user.widgetDirectories != SearchPath.system.widgetDirectories)
    }

    private static func with(_ file: String, _ path: SearchPath) -> SearchPath {
        var path = path
        path.configurationFile = file
        return path
    }

    @Test func rootIsTheSystemsUnlessItSaysOtherwise() throws {
        #expect(try Self.settings(nil).paths.kind == (getuid() == 0 ? .system : .user))
        #expect(try Self.settings(.user).paths.kind == .user)
    }

    @Test func theIdentityIsOfThisProcess() throws {
        let identity = try Self.settings(.system).identity
        #expect(identity.pid == getpid() && identity.instance == .system)
        #expect(identity.socket == "/run/todayd/todayd.sock" && identity.stateDirectory == "/var/lib/todayd")
    }

    @Test func specifiersAreOfTheInstance() throws {
        let user = getpwuid(geteuid()).flatMap { $0.pointee.pw_name.map { String(cString: $0) } }
        for instance in [DaemonStatus.Instance.user, .system] {
            let expected = Specifiers(
                isSystem: instance == .system, environment: Self.environment, user: user, home: "/home/anna")
            #expect(try Self.settings(instance).specifiers == expected)
        }
    }

    @Test func theConcurrencyIsTheNumberOfProcessorsButAtLeastFour() throws {
        let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        #expect(try Self.settings().concurrency(Settings()) == max(4, processors))
        var settings = Settings()
        settings.concurrencyMax = 1
        #expect(try Self.settings().concurrency(settings) == 1)
    }

    // MARK: Who may connect

    @Test func everyUserMayReadTheSystemsInstanceOnly() throws {
        #expect(try Self.settings(.system).socketMode == 0o666)
        #expect(try Self.settings(.user).socketMode == 0o600)
    }

    @Test func administratorsAreOfTheSystemsInstance() throws {
        let system = Permissions(instance: .system, owner: getuid(), administrators: 0)
        #expect(try Self.settings(.system).permissions(administrators: "root") == system)
        #expect(try Self.settings(.system).permissions(administrators: "").administrators == nil)
        #expect(try Self.settings(.system).permissions(administrators: "no such group").administrators == nil)
        #expect(try Self.settings(.user).permissions(administrators: "root").administrators == nil)
    }

    /// Other users must not read the widgets' state, but they must be able to pass the socket's directory where they
    /// may connect.
    @Test(
        arguments: [(.system, 0o711, 0o755), (.user, 0o700, 0o700)]
            as [(DaemonStatus.Instance, mode_t, mode_t)])
    func directoriesGetTheModesOfTheInstance(instance: DaemonStatus.Instance, state: mode_t, socket: mode_t) throws {
        let directory = TemporaryDirectory()
        let settings = try Self.settings(instance) {
            $0.stateDirectory = directory("a/state")
            $0.socket = directory("b/run/todayd.sock")
        }
        try settings.prepareDirectories()
        for (name, mode) in [("a/state", state), ("b/run", socket)] {
            var status = stat()
            #expect(lstat(directory(name), &status) == 0 && status.st_mode == S_IFDIR | mode)
        }
        // A second call leaves them as they are.
        #expect(chmod(directory("a/state"), 0o750) == 0)
        try settings.prepareDirectories()
        var status = stat()
        #expect(lstat(directory("a/state"), &status) == 0 && status.st_mode & 0o777 == 0o750)
    }

    @Test func aSocketInTheRootNeedsNoDirectory() throws {
        let directory = TemporaryDirectory()
        let settings = try Self.settings {
            $0.stateDirectory = directory("state")
            $0.socket = "/todayd.sock"
        }
        try settings.prepareDirectories()
        #expect(directory.exists("state"))
    }
}
