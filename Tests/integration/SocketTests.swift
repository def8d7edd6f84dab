// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

extension Integration {
    /// The daemon's socket, and sockets that it must not take.
    @Suite struct SocketTests {
        @Test func aSecondDaemonDoesNotTakeTheSocket() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", "echo a"))
            let patient = try daemon.connect()
            _ = try patient.call("org.todayd.Today.List")
            let state = TemporaryDirectory()
            let second = try run("todayd", ["--user", "--socket", daemon.socket, "--state", state.path])
            #expect(second.status == 1)
            #expect(second.errors.contains(daemon.socket), "\(second.errors)")
            #expect(second.errors.contains("another process is listening there"), "\(second.errors)")
            #expect(try patient.call("org.todayd.Today.List")["widgets"]?.arrayValue?.count == 1)
            #expect(try daemon.daemonStatus().pid == daemon.pid)
        }

        @Test func twoDaemonsDoNotShareAStateDirectory() throws {
            let daemon = try PrivateDaemon()
            let second = try run(
                "todayd", ["--user", "--socket", daemon.directory("other.sock"), "--state", daemon.stateDirectory])
            #expect(second.status == 1)
            #expect(second.errors.contains("in use by another process"), "\(second.errors)")
            #expect(try daemon.daemonStatus().storage == "ok")
        }

        @Test func aStaleSocketIsReplaced() throws {
            let daemon = try PrivateDaemon()
            try daemon.kill()
            #expect(daemon.directory.exists("todayd.sock"))
            try daemon.start()
            #expect(try daemon.items().isEmpty)
            // A daemon that stops in order removes its socket.
            #expect(try daemon.stop() == 0)
            #expect(!daemon.directory.exists("todayd.sock"))
        }

        @Test func aFileThatIsNoSocketStays() throws {
            let daemon = try PrivateDaemon(started: false)
            try daemon.directory.write("precious", to: "todayd.sock")
            let result = try daemon.startInVain()
            #expect(result.status == 1)
            #expect(result.errors.contains("a file that is not a socket is there"), "\(result.errors)")
            #expect(try daemon.directory.read("todayd.sock") == "precious")
        }

        @Test func aPathTooLongIsAClearError() throws {
            let directory = TemporaryDirectory()
            let name = String(repeating: "n", count: 120)
            let result = try run("todayd", ["--user", "--socket", directory(name), "--state", directory("state")])
            #expect(result.status == 1)
            #expect(result.errors.contains("107 bytes"), "\(result.errors)")
            let client = try run("todayctl", ["--socket", directory(name), "list"])
            #expect(client.status == 3)
            #expect(client.errors.contains("107 bytes"), "\(client.errors)")
        }

        @Test func onlyItsUserMayConnectToAUsersDaemon() throws {
            let daemon = try PrivateDaemon()
            var status = stat()
            #expect(stat(daemon.socket, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
        }

        @Test func aPassedSocketIsServedAndNoConnectionIsLost() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", "echo a"), started: false)
            let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            defer { close(listener) }
            #expect(daemon.socket.withCString { clinux_bind_unix(listener, $0, daemon.socket.utf8.count) } == 0)
            #expect(listen(listener, 100) == 0)
            daemon.passedSocket = listener

            // The daemon answers a call that came before its start.
            let early = try RawConnection(to: daemon.socket)
            try early.sendMessage(#"{"method":"org.todayd.Today.List"}"#)
            try daemon.start()
            #expect(try early.message()?["parameters"]?["widgets"]?.arrayValue?.count == 1)
            try daemon.follow("a") { $0.state == .ready }

            // The daemon keeps a passed socket, and the next daemon serves clients that connect meanwhile.
            #expect(try daemon.stop() == 0)
            let waiting = try RawConnection(to: daemon.socket)
            try waiting.sendMessage(#"{"method":"org.todayd.Today.List"}"#)
            try daemon.start()
            #expect(try waiting.message()?["parameters"]?["widgets"]?.arrayValue?.first?["state"] == "ready")
        }

        /// For example of a unit with another ListenStream=.
        @Test func clientsAndWidgetsGetThePathOfAPassedSocket() throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.script("a", "\(BuiltPrograms.directory)/todayctl list --ids; echo $TODAY_SOCKET"),
                started: false)
            let path = daemon.directory("elsewhere.sock")
            let listener = ScriptedService.listen(at: path)
            defer { close(listener) }
            daemon.passedSocket = listener
            try daemon.start()
            let status = try VarlinkConnection(path: path).call("org.todayd.Today.Status")
            #expect(try DaemonStatus(JSONField(root: .object(status)).required("daemon")).socket == path)
            let update = try run("todayctl", ["--socket", path, "update", "a"])
            #expect(update.status == 0, "\(update.errors)")
            let show = try run("todayctl", ["--socket", path, "show", "a"])
            #expect(show.output.contains("org.test.a\n"), "\(show.output)")
            #expect(show.output.contains("elsewhere.sock"), "\(show.output)")
        }

        @Test func aPassedDescriptorThatDoesNotListenIsAClearError() throws {
            let daemon = try PrivateDaemon(started: false)
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            defer { close(descriptor) }
            daemon.passedSocket = descriptor
            do {
                try daemon.start()
                Issue.record("it started")
            } catch let failure as BuiltProgram.Failure {
                #expect(failure.description.contains("it is not a listening socket"), "\(failure)")
            }
        }
    }
}
