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
        @Test(.enabled(if: LimitReached.hasDescriptors, "wants more descriptors than a process may have here"))
        func twoThousandSilentClientsAreBounded() async throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("good", "echo good"))
            let patient = try daemon.connect()
            _ = try patient.call("org.todayd.Today.List")
            let before = try Processes.memory(.mostResident, of: daemon.pid)
            var silent: [RawConnection] = []
            for number in 1...LimitReached.clients {
                silent.append(try RawConnection(to: daemon.socket))
                // Half of them begin a call.
                if number.isMultiple(of: 2) { _ = try? silent.last?.send(#"{"method":"org.to"#) }
                if number.isMultiple(of: 100) {
                    #expect(try patient.call("org.todayd.Today.List")["widgets"]?.arrayValue?.count == 1)
                }
            }
            #expect(try silent.last?.message()?["error"]?.stringValue == "org.todayd.Today.LimitReached")
            #expect(try Processes.memory(.mostResident, of: daemon.pid) - before < 64 << 10)
            let refused = try daemon.todayctl("list")
            #expect(refused.status != 0 && refused.errors.contains("1024 connections of one user"), "\(refused)")
            // An old one is served.
            #expect(try silent[1].send(#"dayd.Today.List"}"# + "\0") == true)
            #expect(try silent[1].message()?["parameters"]?["widgets"]?.arrayValue?.count == 1)
            silent = []
            try await eventually("room") { try daemon.todayctl("list").status == 0 }
            #expect(try daemon.daemonStatus().connections < 10)
            #expect(try daemon.stop() == 0)
            #expect(daemon.log.contains("limit reached for user \(getuid())"))
            // The log has few lines about two thousand clients.
            #expect(daemon.log.split(separator: "\n").count < 50)
        }
    }
}
