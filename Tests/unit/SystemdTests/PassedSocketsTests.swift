// SPDX-License-Identifier: MIT
import Glibc
import Systemd
import TestSupport
import Testing

extension ManagerTests {
    @Suite struct PassedSocketsTests {
        /// Passed descriptors begin at 3, whatever that is in this process; taking it over only sets close-on-exec.
        @Test func passedSocketsAreTakenOnce() throws {
            // These are 3 and 4, unless the process has other files there.
            let fillers = (0..<2).map { _ in fcntl(STDERR_FILENO, F_DUPFD, 3) }
            defer { for filler in fillers { close(filler) } }
            ProcessEnvironment.set([
                "LISTEN_PID": "\(getpid())", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "today.socket:other",
            ])
            let taken = [
                PassedSocket(name: "today.socket", descriptor: 3), PassedSocket(name: "other", descriptor: 4),
            ]
            #expect(try PassedSockets.take() == taken)
            #expect(fcntl(3, F_GETFD) & FD_CLOEXEC != 0)
            #expect(getenv("LISTEN_FDS") == nil)
            #expect(try PassedSockets.take() == [])
        }

        @Test func socketsOfAnotherProcessAreNotOurs() throws {
            ProcessEnvironment.set(["LISTEN_PID": "1", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "today.socket"])
            #expect(try PassedSockets.take() == [])
        }

        @Test func aSocketKnowsItsPath() throws {
            let directory = TemporaryDirectory()
            let listener = ScriptedService.listen(at: directory("a.sock"))
            defer { close(listener) }
            #expect(PassedSocket(name: "", descriptor: listener).path == directory("a.sock"))
            let nameless = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(nameless) }
            #expect(PassedSocket(name: "", descriptor: nameless).path == nil)
            #expect(PassedSocket(name: "", descriptor: -1).path == nil)
        }

        @Test func nonsenseIsAnError() {
            ProcessEnvironment.set(["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "many", "LISTEN_FDNAMES": nil])
            #expect(throws: SystemdError("take over the sockets passed by the service manager", code: EINVAL)) {
                try PassedSockets.take()
            }
        }
    }
}
