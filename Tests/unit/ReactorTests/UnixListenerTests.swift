// SPDX-License-Identifier: MIT
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

    /// A socket has the groups that its process had when it was made.
    @Test(.enabled(if: geteuid() == 0, "needs root")) func aPeerMayBeInManyGroups() throws {
        let before = try groups()
        let many = (0..<40).map { gid_t(50_000 + $0) }
        #expect(setgroups(many.count, many) == 0)
        defer { setgroups(before.count, before) }
        let pair = try Pipe(sockets: ())
        var peer = try PeerCredentials(of: pair.reading)
        try peer.readGroups(of: pair.reading)
        #expect(Set(peer.groups) == Set(many))
    }

    /// Another process may have its number by now, and would be taken for it.
    @Test(.enabled(if: Self.knowsPeersByDescriptor, "needs Linux 6.5")) @LoopActor
    func aPeerThatIsReapedHasNoNumber() async throws {
        let arrivals = Arrivals<(Int32, PeerCredentials)>("connection")
        let path = directory("socket")
        let listener = try UnixListener(path: path, mode: 0o600) { arrivals.send(($0, $1)) }
        let connects = "import os, socket; s = socket.socket(socket.AF_UNIX); s.connect('\(path)'); os._exit(0)"
        let pids = try (0..<2).map { _ in try shell("exec /usr/bin/env python3 -c \"\(connects)\"") }
        var status: Int32 = 0
        #expect(waitpid(pids[0], &status, 0) == pids[0])
        try awaitEnd(of: pids[1])
        let peers = try await arrivals.next(2).map { descriptor, peer in
            close(descriptor)
            return peer
        }
        #expect(Set(peers.map(\.pid)) == [-1, pids[1]])
        #expect(peers.map(\.uid) == [geteuid(), geteuid()])
        waitpid(pids[1], &status, 0)
        listener.close()
    }

    private static let knowsPeersByDescriptor: Bool = {
        guard let pair = try? Pipe(sockets: ()) else { return false }
        // SO_PEERPIDFD
        var (descriptor, size) = (Int32(-1), socklen_t(MemoryLayout<Int32>.size))
        defer { close(descriptor) }
        return getsockopt(pair.reading, SOL_SOCKET, 77, &descriptor, &size) == 0
    }()

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
        let client = try connect(path)
        do {
            let limit = try FullDescriptorTable()
            defer { limit.end() }
            #expect(try await errors.next().description == "cannot accept a connection: Too many open files")
            let start = EventLoop.now(.monotonic)
            // Few, because Dispatch ends the process if it looks for blocked threads meanwhile, once a second, and can open no file.
            try await turns(10)
            // A machine with other things to do may take several pauses for these rounds.
            let pauses = Int((EventLoop.now(.monotonic) - start) / 100_000)
            #expect(errors.taken().count < 3 + pauses, "a listener that spins tries in every round")
        }
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
