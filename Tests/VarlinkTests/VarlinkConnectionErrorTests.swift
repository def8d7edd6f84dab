// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import Varlink

@Suite struct VarlinkConnectionErrorTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory("socket") }

    /// What a call to a service comes to when it is not answered properly.
    private func callError(
        timeout: Duration = .seconds(20), replyLimit: Int = MessageFramer.standardLimit,
        _ serve: @escaping @Sendable (inout ScriptedService.Peer) -> Void
    ) -> String? {
        let service = ScriptedService(at: path, serve)
        return withExtendedLifetime(service) {
            do {
                let connection = try VarlinkConnection(path: path, timeout: timeout, replyLimit: replyLimit)
                defer { connection.close() }
                _ = try connection.call("a.b.C")
                return nil
            } catch {
                return "\(error)"
            }
        }
    }

    private func connectError(_ path: String, timeout: Duration? = .seconds(20)) -> VarlinkConnectionError? {
        do throws(VarlinkConnectionError) {
            _ = try VarlinkConnection(path: path, timeout: timeout)
            return nil
        } catch {
            return error
        }
    }

    @Test func aMissingSocketIsToldFromADeadOne() {
        #expect(connectError(path) == .noSocket(path: path))
        close(ScriptedService.listen(at: path))
        #expect(connectError(path) == .noListener(path: path))
        #expect(connectError("\(path)/below") == .noSocket(path: "\(path)/below"))
    }

    @Test(.disabled(if: geteuid() == 0, "root may open everything"))
    func aForbiddenSocketIsTold() {
        let listener = ScriptedService.listen(at: path)
        defer { close(listener) }
        chmod(path, 0)
        #expect(connectError(path) == .notPermitted(path: path))
    }

    @Test func aPathOf107BytesIsTheLongest() {
        let longest = "/" + String(repeating: "x", count: 106)
        #expect(connectError(longest) == .noSocket(path: longest))
        #expect(connectError(longest + "x") == .pathTooLong(path: longest + "x"))
    }

    @Test func aServiceThatAcceptsNobodyIsNotWaitedForLongerThanAsked() {
        let listener = ScriptedService.listen(at: path)
        defer { close(listener) }
        // The queue of listen(2) is one longer than asked for; two fill it.
        let waiting = (0..<2).map { _ in try? VarlinkConnection(path: path, timeout: .seconds(20)) }
        withExtendedLifetime(waiting) {
            #expect(connectError(path, timeout: .milliseconds(30)) == .timedOut(path: path, after: .milliseconds(30)))
        }
    }

    @Test func silenceIsNotWaitedForLongerThanAsked() {
        let error = callError(timeout: .milliseconds(30)) { peer in
            _ = peer.receive()
            peer.send(Array("{\"parameters\":".utf8))
            _ = peer.receive()
        }
        #expect(error == "no answer from \(path) within 30 ms")
    }

    @Test func aServiceThatReadsNothingIsNotWaitedForLongerThanAsked() throws {
        let listener = ScriptedService.listen(at: path)
        defer { close(listener) }
        let connection = try VarlinkConnection(path: path, timeout: .milliseconds(30))
        let text = JSON.string(String(repeating: "x", count: 8_000_000))
        #expect(throws: VarlinkConnectionError.timedOut(path: path, after: .milliseconds(30))) {
            try connection.call("a.b.C", ["text": text])
        }
    }

    @Test func aServiceThatGoesAwayIsTold() {
        #expect(callError { _ = $0.receive() } == "the service at \(path) closed the connection")
    }

    @Test func aServiceThatIsGoneBeforeTheCallDoesNotEndThisProcess() throws {
        let service = ScriptedService(at: path) { _ in }
        try withExtendedLifetime(service) {
            let connection = try VarlinkConnection(path: path, timeout: .seconds(20))
            var entry = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
            #expect(poll(&entry, 1, 20_000) == 1)
            #expect(throws: VarlinkConnectionError.closedByService(path: path)) { try connection.call("a.b.C") }
        }
    }

    @Test(arguments: [
        ("nonsense\0", "not JSON: line 1, column 1: expected a value, found 'nonsense'"),
        ("[]\0", "not a Varlink message: expected an object, found an array"),
        (
            "{\"continues\":true}\0",
            "not a Varlink message: continues: a call without \"more\" has one reply"
        ),
        (String(repeating: " ", count: 1001), "a message longer than 1000 bytes"),
    ])
    func whatIsNotTheProtocolIsTold(_ bytes: String, _ message: String) {
        let error = callError(replyLimit: 1000) { peer in
            _ = peer.receive()
            peer.send(Array(bytes.utf8))
            _ = peer.receive()
        }
        #expect(error == "the service at \(path) sent \(message)")
    }
}
