// SPDX-License-Identifier: MIT
import Accounts
import Files
import Glibc
import Reactor
import Registry
import Runner
import Spawn
import TodayModel

/// One instance of todayd, as it is known before the daemon starts: from the command line, the environment and the
/// user.
package struct DaemonInstance {
    package let options: DaemonOptions
    package let environment: [String: String]
    package var paths: InstancePaths
    /// Where each run gets a control group; nil if none is delegated.
    var groups: DelegatedGroup?

    package init(_ options: DaemonOptions, environment: [String: String]) throws {
        var options = options
        // Widgets get these paths too and have another working directory.
        options.socket = options.socket.map(Self.absolute)
        options.stateDirectory = options.stateDirectory.map(Self.absolute)
        self.options = options
        paths = try InstancePaths(options: options, environment: environment, isRoot: getuid() == 0)
        var environment = environment
        if paths.kind == .user, environment["PATH"] != nil {
            environment["PATH"] = ProgramPath.ofUser(in: environment)
        }
        self.environment = environment
    }

    /// Takes over the control group that is delegated to this process, if the options say so.
    package mutating func takeGroup() {
        do {
            if options.isDelegated { groups = try DelegatedGroup.own() }
        } catch {
            Log().warning("runs have no control groups: \(error)")
        }
    }

    var identity: DaemonStatus {
        var status = DaemonStatus(
            version: Version.text, instance: paths.kind, pid: getpid(), started: .now, socket: paths.socket,
            stateDirectory: paths.stateDirectory)
        status.limited = groups.map { Set($0.controllers.map(\.resource)) }
        return status
    }

    package var searchPath: SearchPath {
        var path = paths.kind == .system ? SearchPath.system : SearchPath.user(environment: environment)
        if !options.widgetDirectories.isEmpty {
            path = SearchPath(widgetDirectories: options.widgetDirectories.map(Self.absolute))
        } else if let program = Paths.resolved("/proc/self/exe") {
            path = path.appending(installedWith: program)
        }
        path.configurationFile = options.configuration.map(Self.absolute)
        path.defaults.defaultSandbox = sandboxing.defaultLevel()
        return path
    }

    /// The unit of the system's instance forbids namespaces.
    var sandboxing: Sandboxing { paths.kind == .system ? .kernel : .bubblewrap }

    /// Paths of manifests must stay valid when the working directory changes, and complaints name them.
    package static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let directory = getcwd(nil, 0) else { return path }
        defer { free(directory) }
        return "\(String(cString: directory))/\(path)"
    }

    package var locale: MessageLocale { MessageLocale(environment: environment) }

    package var specifiers: Specifiers {
        let user = Users.user(geteuid())
        return Specifiers(
            isSystem: paths.kind == .system, environment: environment, user: user?.name, home: user?.home)
    }

    /// The widgets of the instance's directories.
    @LoopActor func makeRegistry() throws -> Registry {
        let registry = try Registry(
            searchPath: searchPath, locale: locale, specifiers: specifiers,
            programDirectories: ProgramPath.directories(in: environment))
        registry.reload()
        return registry
    }

    /// - Parameter settings: todayd.conf.
    func concurrency(_ settings: Settings) -> Int {
        settings.concurrency(processors: sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }

    var runSettings: RunSettings {
        var settings = RunSettings(
            stateDirectory: paths.stateDirectory, socket: paths.socket, environment: environment)
        // As the first process of a container, the daemon gets orphans that are not its own.
        settings.endsStrays = getpid() != 1
        settings.groups = groups
        settings.sandboxing = sandboxing
        return settings
    }

    /// Every local user may read from the system instance; only the instance's own user may read from a user instance.
    var socketMode: mode_t { paths.kind == .system ? 0o666 : 0o600 }

    func permissions(administrators group: String) -> Permissions {
        var permissions = Permissions(instance: paths.kind, owner: getuid())
        if paths.kind == .system { permissions.administrators = Users.gid(named: group) }
        return permissions
    }

    /// Creates the directories for the state and the socket. Other users must not read the widgets' state, but they
    /// must be able to pass the socket's directory where they may connect.
    func prepareDirectories() throws {
        try prepareState()
        if let slash = paths.socket.lastIndex(of: "/"), slash > paths.socket.startIndex {
            let mode: mode_t = paths.kind == .system ? 0o755 : 0o700
            try Paths.makeDirectory(String(paths.socket[..<slash]), mode: mode)
        }
    }

    func prepareState() throws {
        try Paths.makeDirectory(paths.stateDirectory, mode: paths.kind == .system ? 0o711 : 0o700)
    }
}

extension DelegatedGroup.Controller {
    fileprivate var resource: RunResource {
        switch self {
        case .memory: .memory
        case .pids: .tasks
        case .cpu: .processor
        }
    }
}

/// Where the daemon listens and stores its state, decided from options, environment and user.
package struct InstancePaths: Equatable {
    package let kind: DaemonStatus.Instance
    /// The path where the daemon listens, or of the socket that the service manager passed.
    package var socket: String
    package let stateDirectory: String

    struct Missing: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    init(options: DaemonOptions, environment: [String: String], isRoot: Bool) throws(Missing) {
        // The XDG Base Directory Specification ignores relative paths.
        func variable(_ name: String) -> String? {
            guard let value = environment[name], value.hasPrefix("/") else { return nil }
            return value
        }
        kind = options.instance ?? (isRoot ? .system : .user)

        if let socket = options.socket {
            self.socket = socket
        } else if kind == .system {
            socket = "/run/todayd/todayd.sock"
        } else if let runtime = variable("XDG_RUNTIME_DIR") {
            socket = "\(runtime)/todayd/todayd.sock"
        } else {
            throw Missing(description: "XDG_RUNTIME_DIR is not set: log in through PAM, or give --socket PATH")
        }

        if let state = options.stateDirectory {
            stateDirectory = state
        } else if let state = variable("STATE_DIRECTORY")?.split(separator: ":").first {
            // systemd sets it from StateDirectory=: systemd.exec(5).
            stateDirectory = String(state)
        } else if kind == .system {
            stateDirectory = "/var/lib/todayd"
        } else if let state = variable("XDG_STATE_HOME") {
            stateDirectory = "\(state)/todayd"
        } else if let home = variable("HOME") {
            stateDirectory = "\(home)/.local/state/todayd"
        } else {
            throw Missing(description: "HOME is not set: give --state DIR")
        }
    }
}
