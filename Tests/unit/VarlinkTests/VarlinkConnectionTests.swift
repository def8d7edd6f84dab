// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import Varlink

@Suite struct VarlinkConnectionTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory("socket") }

    /// Runs a test against a service; the service is there until the connection has gone.
    private func connected(
        timeout: Duration? = .seconds(20), replyLimit: Int = MessageFramer.standardLimit,
        to serve: @escaping @Sendable (inout ScriptedService.Peer) -> Void,
        _ test: (VarlinkConnection) throws -> Void
    ) throws {
        let service = ScriptedService(at: path, serve)
        try withExtendedLifetime(service) {
            let connection = try VarlinkConnection(path: path, timeout: timeout, replyLimit: replyLimit)
            defer { connection.close() }
            try test(connection)
        }
    }

    @Test func theListenerIsTheProcessThatMadeTheSocketListen() throws {
        let service = ScriptedService(at: path) { _ = $0.receive() }
        try withExtendedLifetime(service) {
            let connection = try VarlinkConnection(path: path, timeout: .seconds(20))
            #expect(connection.listener == SocketListener(process: getpid(), user: getuid()))
            connection.close()
            #expect(connection.listener == nil)
        }
    }

    @Test func aCallIsAnsweredAndAnotherAfterIt() throws {
        try connected { peer in
            while let call = peer.receive() {
                peer.send(VarlinkReply(["method": .string(call.method), "got": .object(call.parameters)]))
            }
        } _: { connection throws in
            #expect(try connection.call("a.b.C", ["x": 1]) == ["method": "a.b.C", "got": ["x": 1]])
            #expect(try connection.call("a.b.D") == ["method": "a.b.D", "got": [:]])
        }
    }

    @Test func anErrorOfTheServiceIsThrownAndTheConnectionStays() throws {
        try connected { peer in
            while let call = peer.receive() {
                peer.send(call.method == "a.b.Bad" ? VarlinkReply(.methodNotFound(call.method)) : VarlinkReply())
            }
        } _: { connection throws in
            #expect(throws: VarlinkError.methodNotFound("a.b.Bad")) { try connection.call("a.b.Bad") }
            #expect(try connection.call("a.b.Good") == [:])
        }
    }

    @Test func hugeMessagesPassBothWays() throws {
        let text = String(repeating: "0123456789äbcdef", count: 400_000)
        try connected { peer in
            while let call = peer.receive() { peer.send(VarlinkReply(call.parameters)) }
        } _: { connection throws in
            #expect(try connection.call("a.b.Echo", ["text": .string(text)]) == ["text": .string(text)])
        }
    }

    @Test func aReplyThatComesByteByByteIsOneReply() throws {
        try connected { peer in
            _ = peer.receive()
            for byte in VarlinkReply(["n": 1]).encoded() { peer.send([byte]) }
        } _: { connection throws in
            #expect(try connection.call("a.b.C") == ["n": 1])
        }
    }

    @Test func pipelinedCallsAreAnsweredInOrder() throws {
        try connected { peer in
            while let call = peer.receive() { peer.send(VarlinkReply(call.parameters)) }
        } _: { connection throws in
            for number in 0..<50 { try connection.send(VarlinkCall("a.b.C", ["n": JSON(number)])) }
            for number in 0..<50 {
                #expect(try connection.receive(within: .seconds(20)) == VarlinkReply(["n": JSON(number)]))
            }
        }
    }

    @Test func aOnewayCallHasNoReply() throws {
        try connected { peer in
            while let call = peer.receive() {
                if !call.oneway { peer.send(VarlinkReply(["seen": .string(call.method)])) }
            }
        } _: { connection throws in
            try connection.send(VarlinkCall("a.b.Quiet", oneway: true))
            #expect(try connection.call("a.b.Loud") == ["seen": "a.b.Loud"])
        }
    }

    @Test func whatIsAlreadyHereCanBeTakenWithoutWaiting() throws {
        try connected { peer in
            _ = peer.receive()
            peer.send(VarlinkReply(["n": 1], continues: true).encoded() + VarlinkReply(["n": 2]).encoded())
            _ = peer.receive()
        } _: { connection throws in
            #expect(try connection.receiveAvailable() == nil)
            try connection.send(VarlinkCall("a.b.C", more: true))
            var entry = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
            #expect(poll(&entry, 1, 20_000) == 1)
            #expect(try connection.receiveAvailable()?.parameters == ["n": 1])
            #expect(try connection.receiveAvailable()?.parameters == ["n": 2])
            #expect(try connection.receiveAvailable() == nil)
        }
    }

    @Test func signalsInterruptNoCall() throws {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in }
        sigaction(SIGUSR2, &action, nil)
        // Threads of the concurrency runtime block signals.
        var (signals, before) = (sigset_t(), sigset_t())
        sigaddset(&signals, SIGUSR2)
        pthread_sigmask(SIG_UNBLOCK, &signals, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let caller = pthread_self()
        try connected { peer in
            while let call = peer.receive() {
                // The caller does nothing but wait until it is answered.
                for _ in 0..<100 {
                    pthread_kill(caller, SIGUSR2)
                    sched_yield()
                }
                peer.send(VarlinkReply(call.parameters))
            }
        } _: { connection throws in
            for number in 0..<10 {
                #expect(try connection.call("a.b.C", ["n": JSON(number)]) == ["n": JSON(number)])
            }
        }
    }
}
