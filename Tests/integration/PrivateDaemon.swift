// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Varlink

/// A real todayd in directories of its own, ready when `start` returns.
final class PrivateDaemon {
    let directory = TemporaryDirectory()
    private(set) var program: BuiltProgram?
    private let notify: NotifySocket
    private let instance: String
    private let options: [String]
    /// A command that runs the daemon's command, for example in a mount namespace.
    var wrapper: [String] = []
    /// Variables of the daemon in addition to the usual ones.
    var environment: [String: String] = [:]
    /// A listening socket that the daemon gets when it starts: sd_listen_fds(3).
    var passedSocket: Int32?

    var socket: String { directory("todayd.sock") }
    var stateDirectory: String { directory("state") }
    /// The standard error of the daemons that have ended.
    private(set) var log = ""

    /// - Parameter widgets: manifest and script texts by file name; a text that begins with `#!` becomes executable.
    init(
        widgets: [String: String] = [:], instance: String = "user", options: [String] = [], started: Bool = true
    ) throws {
        self.instance = instance
        self.options = options
        notify = try NotifySocket(path: directory("notify"))
        try directory.makeDirectory("widgets")
        try directory.makeDirectory("state")
        for (name, text) in widgets { try add(name, text) }
        if started { try start() }
    }

    deinit { _ = try? stop() }

    func add(_ name: String, _ text: String) throws {
        // Written aside and renamed, so that the daemon never sees half a file.
        try directory.write(text, to: "widgets/.new", mode: text.hasPrefix("#!") ? 0o755 : 0o644)
        try directory.rename("widgets/.new", to: "widgets/\(name)")
    }

    func remove(_ name: String) throws { try directory.delete("widgets/\(name)") }

    func start() throws {
        var command = wrapper + ["\(BuiltPrograms.directory)/todayd"] + arguments
        var environment = environment
        environment["NOTIFY_SOCKET"] = notify.path
        environment["XDG_RUNTIME_DIR"] = directory.path
        if passedSocket != nil {
            // LISTEN_PID is the daemon's own number, which only a shell in the same process knows.
            command = ["/bin/sh", "-c", "export LISTEN_PID=$$; exec \"$@\"", "sh"] + command
            environment["LISTEN_FDS"] = "1"
        }
        program = try BuiltProgram(
            command[0], Array(command.dropFirst()), environment: environment, passing: passedSocket)
        do {
            try notify.await("READY=1", from: pid)
        } catch {
            program?.signal(SIGKILL)
            let said = try program?.finish()
            program = nil
            throw BuiltProgram.Failure(description: "\(error); todayd said: \(said?.errors ?? "")")
        }
    }

    /// The arguments of a daemon with these directories.
    var arguments: [String] {
        ["--\(instance)", "--socket", socket, "--state", stateDirectory, "--widgets", directory("widgets")] + options
    }

    var pid: pid_t { program?.pid ?? -1 }

    /// Stops the daemon by SIGTERM and returns its exit status.
    @discardableResult
    func stop() throws -> Int32 {
        guard let program else { return 0 }
        program.signal(SIGTERM)
        return try collect(program).status
    }

    /// Ends the daemon at once, like a crash. Its writes survive, synced or not; `SyncedDisk` has power cuts.
    func kill() throws {
        guard let program else { return }
        program.signal(SIGKILL)
        _ = try collect(program)
    }

    /// Ends the daemon at once, with all on disk. A kill may lose the last 20 ms, but nothing that came before a change which
    /// has its reply.
    func killWithAllStored(_ name: String) throws {
        try call("SetHasContent", ["id": .string("org.test.\(name)"), "hasContent": true])
        try kill()
    }

    /// Makes the daemon read all manifests again, like `systemctl reload`, and waits until it has done so.
    func reload() throws {
        program?.signal(SIGHUP)
        try notify.await("RELOADING=1", from: pid)
        try notify.await("READY=1", from: pid)
    }

    /// Starts a daemon that must fail, and returns its result.
    func startInVain() throws -> BuiltProgram.Result {
        try run("\(BuiltPrograms.directory)/todayd", arguments, environment: ["XDG_RUNTIME_DIR": directory.path])
    }

    private func collect(_ program: BuiltProgram) throws -> BuiltProgram.Result {
        self.program = nil
        let result = try program.finish()
        log += result.errors
        return result
    }

    func connect() throws -> VarlinkConnection { try VarlinkConnection(path: socket) }

    /// One call on a connection of its own.
    @discardableResult
    func call(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
        try connect().call("org.todayd.Today.\(method)", parameters)
    }

    /// Runs todayctl against this daemon.
    @discardableResult
    func todayctl(_ arguments: String..., environment: [String: String] = [:]) throws -> BuiltProgram.Result {
        try run("todayctl", ["--socket", socket] + arguments, environment: environment)
    }
}
