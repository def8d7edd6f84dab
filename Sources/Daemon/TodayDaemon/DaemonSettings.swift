// SPDX-License-Identifier: MIT
import Accounts
import Arguments
import Files
import Glibc
import Reactor
import Registry
import Runner
import TodayModel

/// What is known before the daemon starts: the command line, the environment and the user.
struct DaemonSettings {
    let options: DaemonOptions
    let environment: [String: String]
    var paths: InstancePaths

    init(_ options: DaemonOptions, environment: [String: String]) throws {
        var options = options
        // Widgets get these paths too and have another working directory.
        options.socket = options.socket.map(Self.absolute)
        options.stateDirectory = options.stateDirectory.map(Self.absolute)
        self.options = options
        self.environment = environment
        paths = try InstancePaths(options: options, environment: environment, isRoot: getuid() == 0)
    }

    var identity: DaemonStatus {
        var status = DaemonStatus(
            version: Version.text, instance: paths.instance, pid: getpid(), started: .now, socket: paths.socket,
            stateDirectory: paths.stateDirectory)
        status.runner = "processes"
        return status
    }

    var searchPath: SearchPath {
        if !options.widgetDirectories.isEmpty {
            return SearchPath(
                widgetDirectories: options.widgetDirectories.map(Self.absolute),
                configurationFile: options.configuration.map(Self.absolute))
        }
        var path = paths.instance == .system ? SearchPath.system : SearchPath.user(environment: environment)
        if let program = Paths.resolved("/proc/self/exe") { path = path.appending(installedWith: program) }
        path.configurationFile = options.configuration.map(Self.absolute)
        return path
    }

    /// Paths of manifests must stay valid when the working directory changes, and complaints name them.
    private static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let directory = getcwd(nil, 0) else { return path }
        defer { free(directory) }
        return "\(String(cString: directory))/\(path)"
    }

    var locale: MessageLocale { MessageLocale(environment: environment) }

    var specifiers: Specifiers {
        let user = Users.user(geteuid())
        return Specifiers(
            isSystem: paths.instance == .system, environment: environment, user: user?.name, home: user?.home)
    }

    func concurrency(_ settings: Settings) -> Int {
        settings.concurrency(processors: sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }

    var runSettings: RunSettings {
        var settings = RunSettings(
            stateDirectory: paths.stateDirectory, socket: paths.socket, environment: environment)
        // As the first process of a container, the daemon gets orphans that are not its own.
        settings.unknownOrphans = getpid() == 1 ? .reap : .end
        return settings
    }

    /// Every local user may read the system instance; only its own user may read a user instance.
    var socketMode: mode_t { paths.instance == .system ? 0o666 : 0o600 }

    func permissions(administrators group: String) -> Permissions {
        var permissions = Permissions(instance: paths.instance, owner: getuid())
        if paths.instance == .system { permissions.administrators = Users.gid(named: group) }
        return permissions
    }

    /// Creates the directories for the state and the socket. Other users must not read the widgets' state, but they
    /// must be able to pass the socket's directory where they may connect.
    func prepareDirectories() throws {
        try Paths.makeDirectory(paths.stateDirectory, mode: paths.instance == .system ? 0o711 : 0o700)
        if let slash = paths.socket.lastIndex(of: "/"), slash > paths.socket.startIndex {
            let mode: mode_t = paths.instance == .system ? 0o755 : 0o700
            try Paths.makeDirectory(String(paths.socket[..<slash]), mode: mode)
        }
    }
}

/// The options of todayd's command line.
struct DaemonOptions: Equatable {
    var instance: DaemonStatus.Instance?
    var socket: String?
    var stateDirectory: String?
    var widgetDirectories: [String] = []
    var configuration: String?

    enum Request: Equatable {
        case run(DaemonOptions)
        case print(String)
    }

    static let command = Command(
        "todayd", summary: "runs Today widgets and serves their snapshots",
        description: """
            Runs each widget's perform-update, keeps the last good snapshot and serves it over a Unix socket. \
            Under systemd it is started by todayd.socket and needs no options.
            """,
        options: [
            Option("user", help: "Be the instance of the user who starts it (default unless root)"),
            Option("system", help: "Be the system's instance (default for root)"),
            Option("socket", value: "PATH", completion: .files, help: "Listen there instead of the usual place"),
            Option(
                "state", value: "DIR", completion: .files, help: "Keep the database and the widgets' files there"),
            Option(
                "widgets", value: "DIR", completion: .files,
                help: "Look for manifests there instead of the usual places; may be repeated, the first wins"),
            Option("config", value: "FILE", completion: .files, help: "Read this todayd.conf only"),
            Option("version", help: "Print the version"),
        ],
        exclusiveOptions: [["user", "system"]],
        examples: [
            .init("todayd --widgets ./widgets --state /tmp/state --socket /tmp/today.sock", "a private instance")
        ])

    static func parse(_ arguments: [String]) throws(UsageError) -> Request {
        let parsed = try command.parse(arguments)
        if parsed.isHelpRequested { return .print(command.help()) }
        if parsed.has("version") { return .print("todayd \(Version.text)\n") }
        var options = DaemonOptions()
        if parsed.has("user") { options.instance = .user }
        if parsed.has("system") { options.instance = .system }
        options.socket = parsed.value("socket")
        options.stateDirectory = parsed.value("state")
        options.widgetDirectories = parsed.values("widgets")
        options.configuration = parsed.value("config")
        return .run(options)
    }
}

/// Where the daemon listens and stores its state, decided from options, environment and user.
struct InstancePaths: Equatable {
    let instance: DaemonStatus.Instance
    /// The path where the daemon listens, or of the socket that the service manager passed.
    var socket: String
    let stateDirectory: String

    struct Missing: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    init(options: DaemonOptions, environment: [String: String], isRoot: Bool) throws(Missing) {
        // The XDG Base Directory Specification ignores relative paths.
        func variable(_ name: String) -> String? {
            guard let value = environment[name], value.hasPrefix("/") else { return nil }
            return value
        }
        instance = options.instance ?? (isRoot ? .system : .user)

        if let socket = options.socket {
            self.socket = socket
        } else if instance == .system {
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
        } else if instance == .system {
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
