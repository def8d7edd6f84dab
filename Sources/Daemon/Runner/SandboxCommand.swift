// SPDX-License-Identifier: MIT
import Files
import TodayModel

/// The command of bubblewrap, bwrap(1), that precedes the widget's own: it makes namespaces in which only what is named here
/// exists. The program keeps its control group, its descriptors and its user.
struct SandboxCommand {
    var sandbox: Sandbox
    /// The directories that belong to the widget alone, and that it may write.
    let directories: [String]
    let program: String
    /// The paths that lead to the program if its own is a link.
    var linked: [String] = []
    let workingDirectory: String
    let socket: String
    /// The daemon's own environment, which tells where the home is. Variables that a manifest or a setting adds to a run do not
    /// change the sandbox.
    let environment: [String: String]

    /// The places of a distribution's programs.
    static let system = [
        "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/sys",
        // NixOS and Guix, whose PATH leads through the last one.
        "/nix/store", "/gnu/store", "/run/current-system",
    ]
    /// The targets of the link /etc/resolv.conf.
    static let resolvers = ["/run/systemd/resolve", "/run/NetworkManager", "/run/resolvconf"]
    /// In bytes, for each directory in memory.
    private static let scratch = "67108864"

    /// The words of bwrap, from its options to the hyphens before the program.
    var options: [String] {
        var words = sandbox.level == .none ? ["--dev-bind", "/", "/", "--unshare-net"] : places
        words += ["--die-with-parent", "--chdir", workingDirectory, "--"]
        return words
    }

    /// A program finds its descriptors by its own process id (sd_listen_fds(3)), which is known only inside the sandbox.
    static let restoringPID = ["/bin/sh", "-c", "LISTEN_PID=$$ exec \"$@\"", "sh"]

    private var places: [String] {
        var words = ["--unshare-all"]
        if sandbox.hasNetwork { words.append("--share-net") }
        words += ["--proc", "/proc", "--dev", "/dev"]
        words += Self.system.flatMap { ["--ro-bind-try", $0, $0] }
        if sandbox.hasNetwork { words += Self.resolvers.flatMap { ["--ro-bind-try", $0, $0] } }
        let hidden = ["/tmp", environment["HOME"], environment["XDG_RUNTIME_DIR"]].compactMap(\.self)
            .filter { $0.hasPrefix("/") }.map(Self.clean).filter { $0 != "/" }
        for place in hidden { words += ["--perms", "0700", "--size", Self.scratch, "--tmpfs", place] }
        // What is there already may be a link, which bwrap cannot make a place of.
        func isIn(_ places: [String], _ path: String) -> Bool { places.contains { path.hasPrefix("\($0)/") } }
        let links = linked.filter { !isIn([programPlace], $0) }.map { (program, $0) }
        for (file, place) in [(programPlace, programPlace)] + links
        where isIn(hidden, place) || !isIn(Self.system, place) {
            words += ["--ro-bind-try", file, place]
        }
        if !holdsHome(workingDirectory) { words += ["--ro-bind-try", workingDirectory, workingDirectory] }
        words += directories.flatMap { ["--bind", $0, $0] }
        words += ["--bind-try", socket, socket]
        if sandbox.bus, let bus { words += ["--bind-try", bus, bus] }
        for (option, doors) in [
            ("--ro-bind", sandbox.readable), ("--bind", sandbox.writable), ("--dev-bind", sandbox.devices),
        ] {
            words += doors.flatMap { [$0.isOptional ? "\(option)-try" : option, $0.path, $0.path] }
        }
        // The places that bwrap has made above these are in memory, and writable until now.
        return words + ["--remount-ro", "/"]
    }

    /// The directory of the program, with the files that belong to it; only the program itself if the directory would reveal
    /// the home.
    var programPlace: String {
        let parent = String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
        return holdsHome(parent) ? program : parent
    }

    /// Whether the home is this directory or inside it.
    func holdsHome(_ directory: String) -> Bool {
        guard let home = environment["HOME"], !directory.isEmpty else { return true }
        return "\(home)/".hasPrefix(directory.hasSuffix("/") ? directory : "\(directory)/")
    }

    /// The socket of the session's bus, by the rules of sd_bus_open_user(3).
    private var bus: String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"] {
            guard address.hasPrefix("unix:path=") else { return nil }
            return String(address.dropFirst("unix:path=".utf8.count).prefix { $0 != "," && $0 != ";" })
        }
        return environment["XDG_RUNTIME_DIR"].map { "\($0)/bus" }
    }

    /// The variables that point to doors that are closed.
    var closedVariables: [String] {
        if sandbox.level == .none { return [] }
        return sandbox.bus ? ["SSH_AUTH_SOCK"] : ["DBUS_SESSION_BUS_ADDRESS"] + RunEnvironment.doorsOfSession
    }

    private static func clean(_ path: String) -> String { "/" + Paths.names(in: path).joined(separator: "/") }

    /// bwrap(1), the first in PATH.
    static func program(in environment: [String: String]) -> String? {
        Paths.program("bwrap", near: nil, or: ProgramPath.value(in: environment))
    }
}

extension SandboxCommand {
    init(_ request: RunRequest, _ settings: RunSettings, environment: [String: String]) {
        let manifest = request.manifest
        sandbox = manifest.sandbox
        // The key to the windows is in /tmp after some logins (SDDM).
        if sandbox.bus, let key = request.session["XAUTHORITY"], key.hasPrefix("/") {
            sandbox.readable.append(Sandbox.Door(key, isOptional: true))
        }
        directories =
            [settings.directory(of: manifest.id)] + manifest.appGroups.map { settings.directory(ofGroup: $0) }
        workingDirectory = settings.workingDirectory(of: manifest)
        socket = settings.socket
        self.environment = environment
        program = manifest.update.command.first ?? ""
        linked = Paths.linkTargets(of: program).map(Self.clean)
    }
}
