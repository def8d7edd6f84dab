// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Platform
import Reactor
import Synchronization
import TestSupport
import Testing
import TodayModel
import Varlink
import WebPage
import WebServer

@testable import PageService

final class Counter: Sendable {
    private let count = Mutex(0)

    /// The number of calls before this one.
    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}

/// A site at a port of the loopback, in front of a todayd that answers all with no widgets.
@LoopActor
private final class Place {
    let server: WebServer
    let port: UInt16

    init(_ socket: String) throws {
        let site = try PageSite(
            socket: socket, token: nil, access: nil, names: [], frames: [], owners: [0, getuid()],
            pulses: Pulses(every: 50_000))
        let listener = try WebListener.open(ListenAddress(.loopback, port: 0))
        port = try #require(WebListener.address(of: listener)?.split(separator: ":").last.flatMap { UInt16($0) })
        server = try WebServer(listener, in: WebPlaces()) { request, exchange in site.handle(request, exchange) }
    }
}

@Suite struct PageSiteTests {
    private let directory = TemporaryDirectory()

    init() { TestLoop.start() }

    /// The beginning of the answer to a request: up to `end`, or to the end of the connection.
    private func get(_ path: String, at port: UInt16, until end: String? = nil) throws -> String {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
        let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        try #require(send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count)
        var text = ""
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while end.map({ !text.contains($0) }) ?? true, case let count = recv(descriptor, &bytes, bytes.count, 0),
            count > 0
        {
            text += String(decoding: bytes[..<count], as: UTF8.self)
        }
        return text
    }

    /// The streams stay open, one beside the other, until the process ends.
    private func service() -> ScriptedService {
        ScriptedService(at: directory("today.sock"), connections: 200) { peer in
            guard let call = peer.receive() else { return }
            if call.more { _ = fcntl(peer.descriptor, F_DUPFD_CLOEXEC, 0) }
            peer.send(VarlinkReply(["items": [], "removed": [], "widgets": []], continues: call.more))
        }
    }

    /// Each call gives its place back, and each view that no tab looks at.
    @Test(arguments: ["/api/list", "/api/stream?widget=org.a.w"]) func moreThanThePlacesInARowAreAnswered(
        path: String
    ) async throws {
        let service = service()
        let place = try await Place(directory("today.sock"))
        for number in 0..<80 {
            let isStream = path.contains("widget=")
            let answer = try get(
                isStream ? path + "\(number)" : path, at: place.port, until: isStream ? "\"whole\"" : nil)
            guard answer.hasPrefix("HTTP/1.1 200 ") else {
                Issue.record("\(number): \(answer)")
                return
            }
            // A tab that has gone is noticed by a pulse or two.
            if isStream { usleep(20_000) }
        }
        withExtendedLifetime((service, place)) {}
    }

    @Test @LoopActor func aChangeMayWaitForARun() {
        #expect(TodayConnection.patience(for: "GET") == 10 && TodayConnection.patience(for: "HEAD") == 10)
        #expect(TodayConnection.patience(for: "POST") == 50)
    }
}
