// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct UnixListenerTests {
    let directory = TemporaryDirectory()

    init() { TestLoop.start() }

    @Test @LoopActor func aConnectionComesWithItsPeer() async throws {
        let arrivals = Arrivals<(Int32, PeerCredentials)>("connection")
        let path = directory("socket")
        let listener = try UnixListener(path: path, mode: 0o600) { arrivals.send(($0, $1)) }
        let client = try connect(path)
        let (descriptor, peer) = try await arrivals.next()
        defer { close(descriptor) }
        #expect(peer.pid == getpid())
        #expect(peer.uid == geteuid())
        #expect(peer.gid == getegid())
        #expect(try Set(groups()) == Set(peer.groups))
        #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        withExtendedLifetime(client) {}
        listener.close()
    }

    @Test @LoopActor func aBurstIsAccepted() async throws {
        let arrivals = Arrivals<Int32>("connection")
        let path = directory("socket")
        let listener = try UnixListener(path: path, mode: 0o600) { descriptor, _ in arrivals.send(descriptor) }
        let clients = try (0..<100).map { _ in try connect(path) }
        for descriptor in try await arrivals.next(100) { close(descriptor) }
        withExtendedLifetime(clients) {}
        listener.close()
    }

    @Test @LoopActor func nothingIsAcceptedAfterClose() async throws {
        let arrivals = Arrivals<Int32>("connection")
        let path = directory("socket")
        let box = Box<UnixListener>()
        box.value = try UnixListener(path: path, mode: 0o600) { descriptor, _ in
            box.value?.close()
            arrivals.send(descriptor)
        }
        let clients = try (0..<3).map { _ in try connect(path) }
        close(try await arrivals.next())
        try await turns(3)
        #expect(arrivals.taken() == [])
        withExtendedLifetime(clients) {}
        box.value = nil
    }

    /// A full descriptor table keeps a listener readable: it must neither spin nor lose the connection.
    @Test @LoopActor func outOfDescriptorsItPausesAndThenGoesOn() async throws {
        let arrivals = Arrivals<Int32>("connection")
        let errors = Arrivals<ReactorError>("error")
        let path = directory("socket")
        let listener = try UnixListener(path: path, mode: 0o600) { descriptor, _ in arrivals.send(descriptor) }
        listener.onExhaustion = { errors.send($0) }
        let attempts = Box<Int>()
        let isFull = Box<Bool>()
        isFull.value = true
        listener.next = { descriptor in
            attempts.value = (attempts.value ?? 0) + 1
            return isFull.value == true ? -EMFILE : clinux_accept(descriptor)
        }
        let client = try connect(path)
        #expect(try await errors.next().description == "cannot accept a connection: Too many open files")
        let start = EventLoop.now(.monotonic)
        try await turns(50)
        // A machine with other things to do may take several pauses for the fifty rounds.
        let pauses = Int((EventLoop.now(.monotonic) - start) / 100_000)
        #expect(attempts.value ?? 0 < 10 + pauses, "a listener that spins tries in every round")
        isFull.value = false
        close(try await arrivals.next())
        withExtendedLifetime(client) {}
        listener.close()
    }

    @Test @LoopActor func aPassedSocketIsAdopted() async throws {
        let path = directory("socket")
        let descriptor = try bound(path)
        #expect(listen(descriptor, 10) == 0)
        let arrivals = Arrivals<Int32>("connection")
        let listener = try UnixListener(adopting: descriptor) { descriptor, _ in arrivals.send(descriptor) }
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        let client = try connect(path)
        close(try await arrivals.next())
        #expect(!listener.close())
        #expect(directory.exists("socket"), "the file belongs to whoever bound it")
        withExtendedLifetime(client) {}
    }

    @Test @LoopActor func whatDoesNotListenIsNotAdopted() throws {
        let descriptor = try bound(directory("socket"))
        defer { close(descriptor) }
        #expect(throws: ReactorError.self) { try UnixListener(adopting: descriptor) { _, _ in } }
        let file = open(try directory.write("", to: "file"), O_RDONLY)
        defer { close(file) }
        #expect(throws: ReactorError("accept connections on descriptor \(file)", code: ENOTSOCK)) {
            try UnixListener(adopting: file) { _, _ in }
        }
    }
}
