// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

/// todayd as a process: its command line, environment and signals.
@Suite struct DaemonMainTests {
    /// A daemon that is ready, in directories of its own that the environment names.
    private final class Process {
        let directory = TemporaryDirectory()
        let notify: NotifySocket
        private(set) var program: WidgetProgram?
        var socket: String { directory("run/todayd/todayd.sock") }

        init(_ widgets: [String: String] = [:]) throws {
            notify = try NotifySocket(path: directory("notify"))
            for name in ["config/todayd/widgets", "state", "run"] { try directory.makeDirectory(name) }
            for (name, text) in widgets { try directory.write(text, to: "config/todayd/widgets/\(name)", mode: 0o755) }
        }

        deinit {
            program?.signal(SIGKILL)
            program?.finish()
        }

        /// Starts it with a limit of a few hundred descriptors, like a service without a limit of its own.
        func start() throws {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var low = limit
            low.rlim_cur = min(limit.rlim_max, 512)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &low)
            defer { setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) }
            let program = try WidgetProgram(
                "todayd", ["--user"],
                environment: [
                    "NOTIFY_SOCKET": notify.path, "XDG_RUNTIME_DIR": directory("run"),
                    "XDG_STATE_HOME": directory("state"), "XDG_CONFIG_HOME": directory("config"),
                ])
            self.program = program
            try notify.await("READY=1", from: program.pid)
        }

        func stop(_ number: Int32 = SIGTERM) throws -> WidgetProgram.Ending {
            let program = try #require(program)
            self.program = nil
            program.signal(number)
            return program.finish()
        }

        func call(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
            try VarlinkConnection(path: socket).call("org.todayd.Today.\(method)", parameters)
        }

        /// A line of a file of its directory in /proc.
        func line(_ key: String, of file: String) throws -> String {
            let pid = try #require(program).pid
            let stream = try #require(fopen("/proc/\(pid)/\(file)", "r"))
            defer { fclose(stream) }
            var buffer = [CChar](repeating: 0, count: 1_024)
            while fgets(&buffer, 1_024, stream) != nil {
                let line = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                if line.hasPrefix(key) { return line }
            }
            throw WidgetProgram.Failure()
        }

        func mode(_ name: String) -> mode_t {
            var status = stat()
            return lstat(directory(name), &status) == 0 ? status.st_mode & 0o777 : 0
        }
    }

    private static func manifest(_ script: String, more: String = "") -> String {
        "[Widget]\nAppGroups=group.g\n[Update]\nExecStart=/bin/sh -c \"\(script)\"\n\(more)\n"
    }

    // MARK: The command line

    @Test(
        arguments: [
            (["--version"], 0, "todayd " + Version.text + "\n", ""), (["--help"], 0, "todayd - runs Today widgets", ""),
            (["--sokcet"], 2, "", "todayd: unknown option"),
            (["--user"], 1, "", "todayd: error: XDG_RUNTIME_DIR is not set"),
        ] as [([String], Int32, String, String)])
    func helpVersionAndErrorsGoToTheRightStream(
        _ row: (arguments: [String], status: Int32, output: String, errors: String)
    )
        throws
    {
        let ending = try WidgetProgram("todayd", row.arguments).finish()
        #expect(ending.status == row.status)
        #expect(row.output.isEmpty ? ending.output.isEmpty : ending.output.hasPrefix(row.output), "\(ending.output)")
        #expect(row.errors.isEmpty ? ending.errors.isEmpty : ending.errors.hasPrefix(row.errors), "\(ending.errors)")
    }

    // MARK: Life

    @Test func aDaemonUsesTheDirectoriesOfItsEnvironment() throws {
        let process = try Process(["org.test.a.widget": Self.manifest("echo own")])
        try process.start()
        #expect(process.mode("run/todayd/todayd.sock") == 0o600)
        #expect(process.mode("state/todayd/todayd.sqlite") == 0o600)
        #expect(process.mode("state/todayd") == 0o700 && process.mode("run/todayd") == 0o700)
        let status = try process.call("Status")
        #expect(status["daemon"]?["socket"]?.stringValue == process.socket)
        #expect(status["daemon"]?["widgets"] == 1)
        #expect(try process.line("Umask", of: "status").hasSuffix("0077\n"))
        // The lowest bit is signal 1; SIGXFSZ is 25.
        let ignored = try process.line("SigIgn", of: "status").split(separator: "\t").last?.dropLast()
        #expect(ignored.flatMap { UInt64($0, radix: 16) }.map { $0 >> 24 & 1 } == 1)
        let limits = try process.line("Max open files", of: "limits").split(separator: " ")
        #expect(limits.count > 4 && limits[3] == limits[4])
        let ending = try process.stop()
        #expect(ending.status == 0 && ending.output.isEmpty)
        #expect(
            ending.errors
                == "todayd: 1 widget, listening on \(process.socket)\ntodayd: SIGTERM: stopping\n")
        // Nothing is left for the next daemon to clean up.
        #expect(!process.directory.exists("run/todayd/todayd.sock"))
        #expect(!process.directory.exists("state/todayd/todayd.sqlite-wal"))
    }

    @Test func signalsReloadAndEnd() async throws {
        let process = try Process()
        try process.start()
        let pid = try #require(process.program).pid
        try process.directory.write(Self.manifest("echo own"), to: "config/todayd/widgets/org.test.a.widget")
        process.program?.signal(SIGHUP)
        try process.notify.await("RELOADING=1", from: pid)
        try process.notify.await("READY=1", from: pid)
        #expect(try process.call("Status")["daemon"]?["widgets"] == 1)
        let ending = try process.stop(SIGINT)
        #expect(ending.status == 0)
        #expect(ending.errors.hasSuffix("todayd: read all manifests again: 1 widget\ntodayd: SIGINT: stopping\n"))
        try process.notify.await("STOPPING=1", from: pid)
    }

    /// A run that the daemon ends itself says nothing about the widget. Clients that wait for a run that will not take
    /// place are told.
    @Test func aStopIsNotRecordedAsAFailure() throws {
        let process = try Process([
            "org.test.a.widget": Self.manifest("exec sleep 20"), "org.test.b.widget": Self.manifest("exec sleep 20"),
        ])
        try process.directory.write("[Daemon]\nConcurrencyMax=1\n", to: "config/todayd/todayd.conf")
        try process.start()
        let connections = try ["a", "b"].map { name in
            let connection = try VarlinkConnection(path: process.socket, timeout: .seconds(10))
            try connection.send(
                VarlinkCall("org.todayd.Today.Update", ["id": .string("org.test.\(name)")], more: true))
            _ = try connection.receive(within: .seconds(10))
            return connection
        }
        _ = try process.stop()
        for connection in connections {
            var last: VarlinkReply?
            while let reply = try? connection.receive(within: .seconds(10)) {
                last = reply
                guard reply.continues else { break }
            }
            let text = last.map { String(decoding: $0.encoded(), as: UTF8.self) }
            #expect(text?.contains("todayd is stopping") == true, "\(text ?? "no reply")")
        }
        try process.start()
        for name in ["a", "b"] {
            let status = try process.call("Status", ["id": .string("org.test.\(name)")])
            #expect(status["widgets"]?.arrayValue?.first?["history"]?.arrayValue?.count == 0)
        }
        // A run is in progress, and the daemon ends it at once.
        let begin = ContinuousClock.now
        #expect(try process.stop().status == 0)
        #expect(ContinuousClock.now - begin < .seconds(8))
    }

    // MARK: What others remove

    @Test(arguments: ["run/todayd/todayd.sock", "state/todayd/todayd.sqlite", "state/todayd/todayd.sqlite-wal"])
    func removedFilesAreMadeAgain(name: String) async throws {
        let process = try Process(["org.test.a.widget": Self.manifest("echo own")])
        try process.start()
        let mode = process.mode(name)
        try await eventually("the first answer") {
            try process.call("Show")["items"]?.arrayValue?.first?["content"] != nil
                && process.directory.exists("state/todayd/todayd.sqlite-wal")
        }
        try process.directory.delete(name)
        // The file is there a moment before todayd listens.
        try await eventually(name) { process.directory.exists(name) && (try? process.call("Status")) != nil }
        if name.hasSuffix("sock") { #expect(process.mode(name) == mode) }
        #expect(try process.call("Status")["daemon"]?["widgets"] == 1)
        let errors = try process.stop().errors
        let isSocket = name.hasSuffix("sock")
        #expect(
            errors.contains("the socket's file was removed; todayd listens on \(process.socket) again") == isSocket)
        #expect(errors.contains("it was set aside") == !isSocket)
    }

    /// A file has the place of a directory. The daemon logs that once, until it is repaired.
    @Test func aFailureToRestoreIsLoggedOnce() async throws {
        let process = try Process()
        try process.start()
        let pid = try #require(process.program).pid
        func reload() throws {
            process.program?.signal(SIGHUP)
            try process.notify.await("RELOADING=1", from: pid)
            try process.notify.await("READY=1", from: pid)
        }
        for round in 1...2 {
            try process.directory.rename("run/todayd", to: "run/away\(round)")
            try process.directory.write("", to: "run/todayd")
            for _ in 0..<2 { try reload() }
            try process.directory.delete("run/todayd")
            try reload()
            #expect(try process.call("Status")["daemon"]?["widgets"] == 0)
        }
        let errors = try process.stop().errors
        #expect(errors.split(separator: "what was removed cannot be made again").count == 3, "\(errors)")
        #expect(errors.split(separator: "the socket's file was removed").count == 3, "\(errors)")
    }
}
