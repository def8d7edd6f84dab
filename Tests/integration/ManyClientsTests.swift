// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing

/// The number of clients, and whether the test process may open so many connections.
private enum LimitReached {
    static let clients = 2_000

    /// Raises the limit of descriptors for the test process; whether it is enough.
    static let hasDescriptors: Bool = {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return false }
        let wanted = rlim_t(clients + 500)
        if limit.rlim_cur >= wanted { return true }
        guard limit.rlim_max >= wanted else {
            print("skipped: ManyClientsTests wants \(wanted) descriptors, the hard limit is \(limit.rlim_max)")
            return false
        }
        limit.rlim_cur = wanted
        return setrlimit(resource, &limit) == 0
    }()
}

extension Integration {
    /// More clients than a user may have.
    @Suite struct ManyClientsTests {
        /// epoll(7) reports no end of a connection that a client sent over itself, because the message keeps it open.
        @Test(.enabled(if: LimitReached.hasDescriptors, "wants more descriptors than a process may have here"))
        func connectionsOfEndedProcessesMakeRoom() async throws {
            let python = try #require(BuiltPrograms.installed("python3"), "contrib/setup --test installs it")
            let daemon = try PrivateDaemon()
            let script = """
                import socket, sys
                held = []
                try:
                    for number in range(1030):
                        connection = socket.socket(socket.AF_UNIX)
                        connection.connect(sys.argv[1])
                        connection.sendall(b'{"method":"org.todayd.Today.Monitor","more":true}' + bytes(1))
                        connection.recv(65536)
                        socket.send_fds(connection, [b'{'], [connection.fileno()])
                        held.append(connection)
                except OSError: pass
                print(len(held))
                """
            let held = try run(python, ["-c", script, daemon.socket]).output.split(separator: "\n").first
            #expect(held.flatMap { Int($0) } ?? 0 > 1_000)
            // The daemon searches for such connections at most once a second.
            try await eventually("room") { try daemon.todayctl("list").status == 0 }
            #expect(try daemon.daemonStatus().connections < 10)
        }

        @Test(.enabled(if: LimitReached.hasDescriptors, "wants more descriptors than a process may have here"))
        func twoThousandSilentClientsDoNotShutOutOthers() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("good", "echo good"))
            let patient = try daemon.connect()
            _ = try patient.call("org.todayd.Today.List")
            let before = try Processes.memory(.mostResident, of: daemon.pid)
            var silent: [RawConnection] = []
            for number in 1...LimitReached.clients {
                silent.append(try RawConnection(to: daemon.socket))
                // Half of them begin a call.
                if number.isMultiple(of: 2) { try silent.last?.send(#"{"method":"org.to"#) }
                if number.isMultiple(of: 100) {
                    #expect(try daemon.item("good").name == "Test")
                    #expect(try patient.call("org.todayd.Today.List")["widgets"]?.arrayValue?.count == 1)
                }
            }
            #expect(try daemon.daemonStatus().connections <= 1_024)
            #expect(try Processes.memory(.mostResident, of: daemon.pid) - before < 64 << 10)
            // The newest connections are still open.
            #expect(try silent.last?.send(#"dayd.Today.List"}"# + "\0") == true)
            #expect(try silent.last?.message()?["parameters"]?["widgets"]?.arrayValue?.count == 1)
            silent = []
            #expect(try daemon.stop() == 0)
            #expect(daemon.log.contains("limit reached for user \(getuid())"))
            // The log has few lines about two thousand clients.
            #expect(daemon.log.split(separator: "\n").count < 50)
        }
    }
}
