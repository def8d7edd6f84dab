// SPDX-License-Identifier: MIT
import Files
import Glibc
import Spawn
import TodayModel

/// The environment variables of a run, as docs/environment.md promises them to widgets.
package enum RunEnvironment {
    /// The variables of the daemon that a run inherits. All others are left out, so that a widget behaves under systemd as
    /// it does when the user starts the daemon by hand.
    static let inherited: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "TMPDIR", "LANG", "LANGUAGE",
        "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME",
        "XDG_CONFIG_DIRS", "XDG_DATA_DIRS", "DBUS_SESSION_BUS_ADDRESS",
        "http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy",
        "HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY",
    ]

    /// The variables that lead to the windows and keys of the user's session.
    static let doorsOfSession: Set<String> = [
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "SWAYSOCK", "I3SOCK", "HYPRLAND_INSTANCE_SIGNATURE", "NIRI_SOCKET",
        "XDG_CURRENT_DESKTOP", "XDG_SESSION_DESKTOP", "XDG_SESSION_ID", "XDG_SESSION_TYPE", "DESKTOP_SESSION",
        "SSH_AUTH_SOCK",
    ]

    /// The variables that a login sets after todayd has started: a request has the present ones.
    package static let session = doorsOfSession.union(["PATH"])

    /// The value of TODAY_EDITING; nil while the widget is not edited.
    private static func editing(_ request: RunRequest) -> String? {
        switch request.interaction {
        case .beginEditing: "begin"
        case .endEditing(let isCancelled): isCancelled ? "cancel" : "end"
        case .action, .displayMode, nil: request.isEditing ? "continue" : nil
        }
    }

    static func base(from environment: [String: String]) -> [String: String] {
        var base = environment.filter { name, _ in inherited.contains(name) || name.hasPrefix("LC_") }
        base["PATH"] = ProgramPath.value(in: environment)
        base["TODAYD"] = "1"
        base["TODAYD_VERSION"] = Version.text
        // Room for the variables that each run adds to its copy.
        base.reserveCapacity(2 * base.count + 16)
        return base
    }

    /// The base, then the variables of the program's own host, then the manifest's Environment=, then the settings, then the
    /// variables of this run; a later value replaces an earlier one.
    static func variables(
        of request: RunRequest, base: [String: String], settings: RunSettings
    ) -> [String: String] {
        var variables = base
        for (name, value) in request.session { variables[name] = value }
        add(variablesOf: request, settings, to: &variables)
        let size = request.sizes[request.mode]
        variables["TODAY_REASON"] = request.reason.rawValue
        variables["TODAY_DISPLAY_MODE"] = request.mode.rawValue
        variables["TODAY_MAX_COLUMNS"] = String(size.columns)
        variables["TODAY_MAX_ROWS"] = String(size.rows)
        variables["TODAY_LARGEST_MODE"] = request.manifest.largestDisplayMode.rawValue
        variables["TODAY_ALLOWS_EDITING"] = request.manifest.allowsEditing ? "1" : "0"
        variables["TODAY_KNOWN"] = request.isKnown ? "1" : "0"
        if case .action(let action, _) = request.interaction { variables["TODAY_ACTION"] = action }
        variables["TODAY_EDITING"] = editing(request)
        if request.manifest.update.isStream { variables["TODAY_STREAM"] = "1" }
        return variables
    }

    /// The variables that a widget gets in each of its runs, and that a command of its items gets from a host.
    static func ofWidget(_ request: RunRequest, _ settings: RunSettings) -> [String: String] {
        var variables: [String: String] = [:]
        add(variablesOf: request, settings, to: &variables)
        return variables
    }

    private static func add(
        variablesOf request: RunRequest, _ settings: RunSettings, to variables: inout [String: String]
    ) {
        let directory = settings.directory(of: request.widget)
        for (name, value) in HostEnvironment.variables(of: request, settings) { variables[name] = value }
        for (name, value) in request.manifest.update.environment { variables[name] = value }
        for (name, value) in request.settings { variables[name] = value }
        variables["TODAY_WIDGET"] = request.widget.text
        variables["TODAY_STATE_DIRECTORY"] = directory
        variables["TODAY_SOCKET"] = settings.socket
        let groups = request.manifest.appGroups
        for group in groups {
            variables["TODAY_GROUP_DIRECTORY_\(group.variableName)"] = settings.directory(ofGroup: group)
        }
        if groups.count == 1 { variables["TODAY_GROUP_DIRECTORY"] = settings.directory(ofGroup: groups[0]) }
    }
}

extension LaunchPlan {
    /// The launch of a widget's program, for every protocol.
    ///
    /// - Parameter passed: descriptors that the program finds by sd_listen_fds(3).
    init(
        _ request: RunRequest, base: [String: String], settings: RunSettings, passing passed: [Passed] = []
    ) throws(SandboxFailure) {
        let manifest = request.manifest
        let command = manifest.update.command
        self.init(executable: command.first ?? "", arguments: command)
        environment = RunEnvironment.variables(of: request, base: base, settings: settings)
        directory = settings.workingDirectory(of: manifest)
        // The usual soft limit. The daemon's own is higher, but select(2) fails above 1024, and some programs close every
        // descriptor up to the limit.
        limits.openFiles = 1_024
        self.passed = passed
        if manifest.sandbox.isClosed {
            let command = SandboxCommand(request, settings, environment: base)
            try shutIn(command, by: settings.sandboxing, environment: base)
        }
        standardError = .pipe
        parentDeathSignal = SIGKILL
    }
}

/// The variables that the program of another host expects, by the protocol of its manifest. Environment= may replace
/// them.
enum HostEnvironment {
    static func variables(of request: RunRequest, _ settings: RunSettings) -> [String: String] {
        switch request.manifest.update.contentProtocol {
        case .xbar, .bitbar:
            // todayd draws for light and dark hosts at once.
            return ["XBARDarkMode": "false", "BitBarDarkMode": "false"]
        case .swiftbar: return swiftBar(request, settings)
        case .argos:
            return ["ARGOS_VERSION": "2", "ARGOS_MENU_OPEN": request.reason == .appear ? "true" : "false"]
        case .i3blocks: return i3blocks(request)
        case .text, .json, .push, .varlink, .waybar, .nagios, .genmon, .polybar, .keyvalue: return [:]
        }
    }

    private static func swiftBar(_ request: RunRequest, _ settings: RunSettings) -> [String: String] {
        let stateDirectory = settings.directory(of: request.widget)
        let path = request.manifest.update.command.first ?? ""
        let reason =
            switch request.reason {
            case .boot: "FirstLaunch"
            case .schedule, .retry, .behind: "Schedule"
            case .appear: "MenuOpen"
            case .request, .action, .editing, .mode: "MenuAction"
            case .wake: "WakeFromSleep"
            }
        return [
            "SWIFTBAR": "1", "SWIFTBAR_VERSION": "2.0.0", "SWIFTBAR_BUILD": "500",
            "SWIFTBAR_PLUGINS_PATH": Paths.parent(of: path), "SWIFTBAR_PLUGIN_PATH": path,
            "SWIFTBAR_PLUGIN_CACHE_PATH": stateDirectory, "SWIFTBAR_PLUGIN_DATA_PATH": stateDirectory,
            "SWIFTBAR_PLUGIN_REFRESH_REASON": reason, "SWIFTBAR_LAUNCH_TIME": settings.startTime.rfc3339,
            "OS_APPEARANCE": "Light",
        ]
    }

    /// i3blocks sets each variable twice: in capitals, as in its old versions, and under the property's own name.
    private static func i3blocks(_ request: RunRequest) -> [String: String] {
        let interval = request.manifest.update.interval.map { String($0.microseconds / 1_000_000) } ?? "once"
        var variables = [
            "BLOCK_NAME": request.widget.text, "name": request.widget.text, "BLOCK_INSTANCE": "", "instance": "",
            "BLOCK_INTERVAL": interval, "interval": interval, "BLOCK_BUTTON": "", "button": "",
        ]
        if case .action(let action, _) = request.interaction, let click = Click(action: action) {
            variables["BLOCK_BUTTON"] = String(click.button)
            variables["button"] = String(click.button)
        }
        return variables
    }
}

/// The settings of a runner.
package struct RunSettings: Sendable {
    /// Holds one directory for each widget and each app group.
    package var stateDirectory: String
    /// The socket at which widgets reach the daemon.
    package var socket: String
    /// The daemon's own environment; a run inherits the variables of `RunEnvironment.inherited`.
    package var environment: [String: String]
    /// When the daemon started, for programs whose host tells them that.
    package var startTime = WallTime.now
    /// The time between SIGTERM and SIGKILL.
    package var killGrace = TimeSpan.seconds(2)
    /// How long to wait for the pipes to close after the program has exited.
    package var drainGrace = TimeSpan.milliseconds(200)
    /// How long a resident program may be idle before the daemon closes its connection.
    package var idleGrace = TimeSpan.minutes(1)
    /// The same while the user edits the widget: longer than an untouched draft is kept.
    package var editingGrace = Layers.Draft.patience + .minutes(1)
    /// How many bytes of a run's output its outcome keeps.
    package var keptOutput = KeptOutput()
    /// Where each run gets a control group; nil if none is delegated.
    package var groups: DelegatedGroup?
    package var sandboxing = Sandboxing.bubblewrap
    /// Whether children of the daemon that belong to no run are ended, because a run must have started them.
    package var endsStrays = false

    /// Which outcomes keep the program's output. The content of a good run is enough, and the daemon has thousands of them.
    package struct KeptOutput: Sendable {
        package var ofFailure = 1_024
        package var ofSuccess = 0

        package init() {}
    }

    package init(stateDirectory: String, socket: String, environment: [String: String]) {
        self.stateDirectory = stateDirectory
        self.socket = socket
        self.environment = environment
    }

    /// Relative to the state directory.
    static func directoryName(of widget: WidgetID) -> String { "widgets/\(widget)" }
    static func directoryName(ofGroup group: AppGroup) -> String { "groups/\(group)" }

    func directory(of widget: WidgetID) -> String { "\(stateDirectory)/\(Self.directoryName(of: widget))" }
    func directory(ofGroup group: AppGroup) -> String { "\(stateDirectory)/\(Self.directoryName(ofGroup: group))" }

    func workingDirectory(of manifest: Manifest) -> String {
        manifest.update.workingDirectory ?? directory(of: manifest.id)
    }

    /// Makes the widget's directory and those of its app groups.
    func makeDirectories(for manifest: Manifest) throws(DirectoryFailure) {
        var names = [Self.directoryName(of: manifest.id)]
        names += manifest.appGroups.map { Self.directoryName(ofGroup: $0) }
        for name in names { try Paths.makeOwnDirectory(name, in: stateDirectory, mode: 0o700) }
    }
}
