// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Varlink

/// A real todayd in directories of its own, ready when `start` returns.
final class PrivateDaemon {
    let directory = TemporaryDirectory()
    private(set) var program: Program?
    private let notify: NotifySocket
    private let options: [String]

    var socket: String { directory("todayd.sock") }
    var stateDirectory: String { directory("state") }
    /// What the daemon printed until it was stopped.
    private(set) var log = ""

    /// - Parameter widgets: manifest and script texts by file name; what begins with `#!` becomes executable.
    init(widgets: [String: String] = [:], options: [String] = [], started: Bool = true) throws {
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
        program = try Program(
            "todayd",
            ["--user", "--socket", socket, "--state", stateDirectory, "--widgets", directory("widgets")] + options,
            environment: ["NOTIFY_SOCKET": notify.path, "XDG_RUNTIME_DIR": directory.path])
        do {
            try notify.await("READY=1")
        } catch {
            program?.signal(SIGKILL)
            let said = try program?.finish()
            program = nil
            throw Program.Failure(description: "\(error); todayd said: \(said?.errors ?? "")")
        }
    }

    /// Ends the daemon in order and returns its exit status.
    @discardableResult
    func stop() throws -> Int32 {
        guard let program else { return 0 }
        program.signal(SIGTERM)
        return try collect(program).status
    }

    /// Ends the daemon as a power cut would.
    func kill() throws {
        guard let program else { return }
        program.signal(SIGKILL)
        _ = try collect(program)
    }

    private func collect(_ program: Program) throws -> Program.Result {
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
    func todayctl(_ arguments: String..., environment: [String: String] = [:]) throws -> Program.Result {
        try run("todayctl", ["--socket", socket] + arguments, environment: environment)
    }
}
