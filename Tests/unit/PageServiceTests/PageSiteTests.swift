// SPDX-License-Identifier: MIT
import Glibc
import JSON
import LoopLink
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

    var value: Int { count.withLock { $0 } }

    /// The number of calls before this one.
    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}

@Suite struct PageSiteTests {
    private let directory = TemporaryDirectory()

    init() { TestLoop.start() }

    /// The streams stay open, one beside the other, until the process ends.
    private func service() -> ScriptedService {
        ScriptedService(at: directory("today.sock"), connections: 200) { peer in
            guard let call = peer.receive() else { return }
            if call.more { _ = fcntl(peer.descriptor, F_DUPFD_CLOEXEC, 0) }
            peer.send(VarlinkReply(["items": [], "removed": [], "widgets": []], continues: call.more))
        }
    }

    /// As many views at once as others than the owner may have: three quarters of 64.
    @Test func asManyViewsAreStreamedAsThereArePlaces() async throws {
        let service = service()
        let place = try await PagePlace(directory("today.sock"), token: nil)
        var tabs: [Int32] = []
        defer { for tab in tabs { close(tab) } }
        for number in 0..<48 {
            let (tab, answer) = try place.open("GET /api/stream?widget=org.a.w\(number)", until: "\"whole\"")
            tabs.append(tab)
            #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(number)")
        }
        #expect(try place.answer(to: "GET /api/stream?widget=org.a.other").hasPrefix("HTTP/1.1 503 "))
        #expect(try place.answer(to: "GET /api/stream?widget=org.a.w3", until: "\"whole\"").hasPrefix("HTTP/1.1 200 "))
        withExtendedLifetime(service) {}
    }

    /// Calls that todayd does not answer take the places of others than the owner, and no more.
    @Test func asManyCallsWaitAsThereArePlaces() async throws {
        let calls = Counter()
        let service = ScriptedService(at: directory("today.sock"), connections: 200) { peer in
            guard peer.receive() != nil else { return }
            _ = calls.next()
            _ = fcntl(peer.descriptor, F_DUPFD_CLOEXEC, 0)
        }
        let place = try await PagePlace(directory("today.sock"), token: nil)
        var waiting: [Int32] = []
        for _ in 0..<48 { waiting.append(try place.open("GET /api/list", until: "").descriptor) }
        try await eventually("all calls") { calls.value == 48 }
        let answer = try place.answer(to: "GET /api/list")
        #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("too many requests"))
        for descriptor in waiting { close(descriptor) }
        withExtendedLifetime(service) {}
    }

    /// todayd's last reply, and no event after `cancel`.
    @Test func aConnectionThatIsCancelledByItsLastReplyIsSilent() async throws {
        let service = service()
        let events = Arrivals<String>("event")
        try await ConnectionProbe(directory("today.sock"), events).cancelAtTheFirstReply()
        #expect(try await events.next() == "reply")
        // What a connection tells after its reply comes before what another one has to wait for.
        try await ConnectionProbe(directory("today.sock"), events).cancelAtTheFirstReply()
        #expect(try await events.next() == "reply")
        withExtendedLifetime(service) {}
    }

    /// Each call gives its place back, and each view that no tab looks at.
    @Test(arguments: ["/api/list", "/api/stream?widget=org.a.w"]) func moreThanThePlacesInARowAreAnswered(
        path: String
    ) async throws {
        let service = service()
        let place = try await PagePlace(directory("today.sock"), token: nil)
        for number in 0..<80 {
            let isStream = path.contains("widget=")
            let answer = try place.answer(
                to: isStream ? "GET \(path)\(number)" : "GET \(path)", until: isStream ? "\"whole\"" : nil)
            guard answer.hasPrefix("HTTP/1.1 200 ") else {
                Issue.record("\(number): \(answer)")
                return
            }
            // A tab that has gone is noticed by a pulse or two.
            if isStream { usleep(20_000) }
        }
        withExtendedLifetime((service, place)) {}
    }

    /// todayd has no subscriber for a view that no tab looks at.
    @Test func theLastTabOfAViewTakesItsConnectionAlong() async throws {
        let ends = Counter()
        let service = ScriptedService(at: directory("today.sock")) { peer in
            guard peer.receive() != nil else { return }
            peer.send(VarlinkReply(["items": [], "removed": []], continues: true))
            _ = peer.receive()
            _ = ends.next()
        }
        let place = try await PagePlace(directory("today.sock"), token: nil)
        _ = try place.answer(to: "GET /api/stream", until: "\"whole\"")
        try await eventually("the end of the connection") { ends.value == 1 }
        withExtendedLifetime((service, place)) {}
    }

    @Test @LoopActor func aChangeMayWaitForARun() {
        #expect(TodayConnection.patience(for: "GET") == 10 && TodayConnection.patience(for: "HEAD") == 10)
        #expect(TodayConnection.patience(for: "POST") == 50)
    }
}

/// A connection that cancels itself.
@LoopActor
private final class ConnectionProbe {
    private let path: String
    private let events: Arrivals<String>
    private var connection: TodayConnection?

    init(_ path: String, _ events: Arrivals<String>) {
        self.path = path
        self.events = events
    }

    func cancelAtTheFirstReply() throws {
        connection = try TodayConnection(to: path, "List", [:]) { [self] event in
            switch event {
            case .reply:
                events.send("reply")
                connection?.cancel()
            case .end: events.send("end")
            case .failed: events.send("failed")
            }
        }
    }
}
