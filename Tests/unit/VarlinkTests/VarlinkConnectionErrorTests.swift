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

    /// The service leaves without having read the call, so that the connection is reset.
    @Test func aServiceThatReadsNothingAndLeavesIsTold() throws {
        let listener = ScriptedService.listen(at: path)
        defer { close(listener) }
        let connection = try VarlinkConnection(path: path, timeout: .seconds(20))
        try connection.send(VarlinkCall("a.b.C"))
        close(accept(listener, nil, nil))
        #expect(throws: VarlinkConnectionError.closedByService(path: path)) {
            try connection.receive(within: .seconds(20))
        }
        #expect(connection.descriptor == -1)
        #expect(throws: VarlinkConnectionError.closed(path: path)) { try connection.receive(within: .seconds(20)) }
    }

    /// A pipe takes no send(2), as an address that is not a socket.
    @Test func anotherErrorIsToldWithItsOperation() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[1]) }
        let connection = try VarlinkConnection(adopting: ends[0], name: "pipe")
        #expect(words { try connection.call("a.b.C") } == "cannot write to pipe: Socket operation on non-socket")
        #expect(connection.descriptor == -1, "it is closed")
        let other = try VarlinkConnection(adopting: dup(ends[1]), name: "pipe")
        #expect(words { try other.receiveAvailable() } == "cannot read from pipe: Socket operation on non-socket")
        let none = words { try VarlinkConnection(adopting: -1, name: "none") }
        #expect(none == "cannot configure none: Bad file descriptor")
    }

    private func words<Result>(of body: () throws -> Result) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// poll(2) and recv(2) end early where a signal comes whose handler does not restart them.
    @Test func aSignalDoesNotEndACall() throws {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in }
        var before = sigaction()
        try #require(sigaction(SIGUSR1, &action, &before) == 0)
        defer { sigaction(SIGUSR1, &before, nil) }
        var (signals, mask) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        sigaddset(&signals, SIGUSR1)
        pthread_sigmask(SIG_UNBLOCK, &signals, &mask)
        defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
        let waiting = UInt(bitPattern: Int(pthread_self()))
        let service = ScriptedService(at: path) { peer in
            _ = peer.receive()
            for _ in 0..<5 {
                usleep(10_000)
                pthread_kill(pthread_t(waiting), SIGUSR1)
            }
            peer.send(VarlinkReply(["x": 1]))
        }
        defer { withExtendedLifetime(service) {} }
        let reply = try VarlinkConnection(path: path, timeout: .seconds(20)).call("a.b.C")
        #expect(reply == ["x": 1])
    }

    @Test func aTimeOutIsSaidInWholeUnits() {
        for (duration, words) in [
            (.seconds(2), "no answer from p within 2 s"), (.milliseconds(1_500), "no answer from p within 1500 ms"),
            (.zero, "p accepts no connection: its queue is full"),
        ] as [(Duration, String)] {
            #expect("\(VarlinkConnectionError.timedOut(path: "p", after: duration))" == words)
        }
    }

    /// Part of a second counts, and a call waits no shorter than asked.
    @Test func fractionsOfASecondCount() {
        let start = ContinuousClock.now
        #expect(callError(timeout: .milliseconds(1_040)) { peer in while peer.receive() != nil {} } != nil)
        #expect((.milliseconds(1_040)...(.milliseconds(1_900))).contains(ContinuousClock.now - start))
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

    /// A late reply would count as the one to the next call.
    @Test func afterAViolationTheConnectionIsClosed() throws {
        let service = ScriptedService(at: path) { peer in
            _ = peer.receive()
            peer.send(Array("[]\0{\"parameters\":{}}\0".utf8))
            _ = peer.receive()
        }
        defer { withExtendedLifetime(service) {} }
        let connection = try VarlinkConnection(path: path, timeout: .seconds(20))
        #expect(throws: VarlinkConnectionError.self) { try connection.call("a.b.C") }
        #expect(connection.descriptor == -1)
        #expect(throws: VarlinkConnectionError.closed(path: path)) { try connection.call("a.b.C") }
    }
}
