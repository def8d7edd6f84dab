// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing

/// Signals are raised in the loop's own thread: the others of a test process have nothing blocked.
@Suite struct SignalSourceTests {
    init() { TestLoop.start() }

    @Test @LoopActor func aSignalIsAnEvent() async throws {
        let arrivals = Arrivals<Void>("SIGUSR1")
        let source = try SignalSource(SIGUSR1) { arrivals.send() }
        raise(SIGUSR1)
        try await arrivals.next()
        raise(SIGUSR1)
        try await arrivals.next()
        source.cancel()
    }

    @Test @LoopActor func aSignalIsBlockedForItsSource() async throws {
        var signals = sigset_t()
        sigaddset(&signals, SIGURG)
        #expect(pthread_sigmask(SIG_UNBLOCK, &signals, nil) == 0)
        let arrivals = Arrivals<Void>("SIGURG")
        let source = try SignalSource(SIGURG) { arrivals.send() }
        raise(SIGURG)
        try await arrivals.next()
        source.cancel()
    }

    /// SIGTERM's action would be to end the process.
    @Test @LoopActor func aSignalAfterCancelStaysBlocked() async throws {
        let source = try SignalSource(SIGUSR2) {}
        source.cancel()
        raise(SIGUSR2)
        let arrivals = Arrivals<Void>("SIGUSR2")
        let successor = try SignalSource(SIGUSR2) { arrivals.send() }
        try await arrivals.next()
        successor.cancel()
    }

    @Test @LoopActor func aSignalHasOneSource() throws {
        let source = try SignalSource(SIGWINCH) {}
        #expect(throws: ReactorError("watch signal \(SIGWINCH)", code: EBUSY)) { try SignalSource(SIGWINCH) {} }
        source.cancel()
    }

    @Test @LoopActor func whatIsNoSignalIsRefused() {
        #expect(throws: ReactorError.self) { try SignalSource(-1) {} }
    }
}
