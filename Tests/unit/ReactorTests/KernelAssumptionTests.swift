// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Reactor
import TestSupport
import Testing

/// What the code relies on and the manuals only hint at. When one of these fails, the kernel has changed, not we.
@Suite struct KernelAssumptionTests {
    init() { TestLoop.start() }

    /// A reader may treat a hang-up as the end only once nothing can be read any more.
    @Test @LoopActor func aHangupComesTogetherWithWhatIsStillToBeRead() async throws {
        let pipe = try Pipe()
        let arrivals = Arrivals<IOEvents>("event")
        pipe.write("last words")
        pipe.closeWriting()
        let source = try IOSource(descriptor: pipe.reading, events: .readable) { events in
            arrivals.send(events)
            _ = pipe.read()
        }
        #expect(try await arrivals.next() == [.readable, .hangup])
        #expect(try await arrivals.next() == .hangup)
        source.cancel()
    }

    @Test @LoopActor func aClosedPeerIsReadableAndHungUp() async throws {
        let pair = try Pipe(sockets: ())
        let arrivals = Arrivals<IOEvents>("event")
        let source = try IOSource(descriptor: pair.reading, events: .readable) { arrivals.send($0) }
        pair.closeWriting()
        #expect(try await arrivals.next() == [.readable, .hangup])
        source.cancel()
    }

    @Test func aPipeWithoutReadersIsAnError() throws {
        let pipe = try Pipe()
        pipe.closeReading()
        var poll = pollfd(fd: pipe.writing, events: Int16(POLLOUT), revents: 0)
        #expect(Glibc.poll(&poll, 1, 0) == 1)
        #expect(poll.revents & Int16(POLLERR) != 0)
    }

    /// So a child that ends before anybody watches it is not a special case.
    @Test func aPidfdOfADeadChildIsReadableUntilItIsReaped() throws {
        let pid = try shell("exit 0")
        try awaitEnd(of: pid)
        let pidfd = pidfd_open(pid, 0)
        #expect(pidfd >= 0)
        defer { close(pidfd) }
        var poll = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
        #expect(Glibc.poll(&poll, 1, 0) == 1)
        #expect(waitpid(pid, nil, 0) == pid)
        #expect(pidfd_send_signal(pidfd, SIGTERM, nil, 0) == -1)
        #expect(errno == ESRCH)
    }

    /// So a socket's file is never there with a wider mode than wanted, not even for a moment.
    @Test func aSocketGivesItsModeToItsFile() throws {
        let directory = TemporaryDirectory()
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        #expect(fchmod(descriptor, 0o600) == 0)
        let path = directory("socket")
        #expect(clinux_bind_unix(descriptor, path, path.utf8.count) == 0)
        #expect(try mode(of: path) == 0o600)
    }
}
