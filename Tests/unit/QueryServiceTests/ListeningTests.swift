// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import JSON
import Reactor
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// Where clients find the service, and what happens when it cannot get a descriptor.
@Suite struct ListeningTests {
    init() { TestLoop.start() }

    @Test func aSocketWhoseFileWasRemovedIsBoundAnew() async throws {
        let fixture = try await Fixture()
        let path = fixture.path
        let before = try fixture.connect()
        _ = try before.today("Show")
        #expect(try await fixture.with { try $0.service.listenAgain(at: path, mode: 0o600) } == false)
        #expect(unlink(path) == 0)
        #expect(throws: VarlinkConnectionError.self) { try fixture.connect() }
        #expect(try await fixture.with { try $0.service.listenAgain(at: path, mode: 0o640) })
        #expect(try fixture.connect().today("Show").texts == ["42 %"])
        #expect(try before.today("Show").texts == ["42 %"])
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(await fixture.with { $0.service.listeners.map(\.path) } == [path])
        // The second stop ends like the first one.
        let stopped = Arrivals<Void>("stop")
        await fixture.service.stop { stopped.send() }
        #expect(lstat(path, &status) != 0)
        #expect(throws: VarlinkConnectionError.self) { try fixture.connect() }
    }

    /// Binding again does not repair any other problem with a path.
    @Test func aSocketThatCannotBeExaminedIsNotMissing() async throws {
        let fixture = try await Fixture()
        let path = fixture.path + "/beneath"
        #expect(try await fixture.with { try $0.service.listenAgain(at: path, mode: 0o600) } == false)
        #expect(await fixture.with { $0.service.listeners.count } == 1)
    }

    @Test func aSocketThatWasPassedIsServedAndLeftAlone() async throws {
        let directory = TemporaryDirectory()
        let path = directory("passed")
        let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try #require(listening >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listening, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0 && listen(listening, 5) == 0)
        let fixture = try await Fixture()
        try await fixture.with { try $0.service.listen(adopting: listening) }
        let own = fixture.path
        for place in [path, own] {
            let connection = try VarlinkConnection(path: place, timeout: .seconds(10))
            #expect(try connection.call("org.todayd.Today.Show").texts == ["42 %"])
        }
        // The service may bind its own socket again without the passed one.
        #expect(unlink(own) == 0)
        #expect(try await fixture.with { try $0.service.listenAgain(at: own, mode: 0o600) })
        let connection = try VarlinkConnection(path: path, timeout: .seconds(10))
        #expect(try connection.call("org.todayd.Today.Show").texts == ["42 %"])
        await fixture.service.stop {}
        #expect(access(path, F_OK) == 0)
    }

    @Test func missingDescriptorsAreReported() async throws {
        let fixture = try await Fixture()
        await fixture.with {
            $0.service.listeners.first?.onExhaustion(ReactorError("accept a connection", code: EMFILE))
        }
        let report = try await fixture.troubles.next()
        #expect(report == .exhausted("\(ReactorError("accept a connection", code: EMFILE))"))
        #expect(report.description.contains("accept a connection"))
    }

    /// A descriptor that epoll(7) refuses, with one of the last numbers: tests that run at the same time open the first
    /// thousands.
    private static func useless(fromTheEnd place: Int32) throws -> Int32 {
        var limit = rlimit()
        try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        let number = Int32(clamping: limit.rlim_cur) - place
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        try #require(fcntl(null, F_DUPFD_CLOEXEC, number) == number)
        return number
    }

    @Test func aConnectionThatCannotBeWatchedIsClosed() async throws {
        let fixture = try await Fixture()
        let descriptor = try Self.useless(fromTheEnd: 1)
        await fixture.with { $0.service.accept(descriptor, PeerCredentials(pid: 1, uid: 7, gid: 7)) }
        guard case .exhausted = try await fixture.troubles.next() else {
            Issue.record("reported something else")
            return
        }
        #expect(fcntl(descriptor, F_GETFD) == -1)
        #expect(await fixture.service.connectionCount == 0)
        #expect(try fixture.connect().today("Show").texts == ["42 %"])
    }

    @Test func aContextThatCannotBeServedIsReported() async throws {
        let reasons: [(Int32, String)] = [
            (-1, "no extension context for org.example.disk: Bad file descriptor"), (2, "watch"),
        ]
        for (place, reason) in reasons {
            let fixture = try await Fixture()
            let number = place < 0 ? -1 : try Self.useless(fromTheEnd: place)
            let isServed = await fixture.with {
                $0.service.serve(OwnedDescriptor(adopting: number), contextOf: .disk) != nil
            }
            #expect(!isServed)
            #expect(try await fixture.troubles.next().description.contains(reason))
            #expect(fcntl(number, F_GETFD) == -1)
            #expect(await fixture.service.connectionCount == 0)
        }
    }

    /// The kernel tells the service which process calls.
    @Test func theBackendKnowsWhoCalls() async throws {
        let fixture = try await Fixture()
        _ = try fixture.connect().today("Enable", ["id": "org.example.disk"])
        let peer = try #require(await fixture.backend.askers.first)
        var groups = [gid_t](repeating: 0, count: 1_024)
        let count = getgroups(Int32(groups.count), &groups)
        #expect(peer.pid == getpid() && peer.uid == getuid() && peer.gid == getgid())
        #expect(Set(peer.groups) == Set(groups.prefix(max(0, Int(count)))))
    }
}
