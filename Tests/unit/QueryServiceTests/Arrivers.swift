// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Reactor
import Testing

@testable import QueryService

/// A connection with credentials that the test chooses: users and processes that the machine does not have.
struct Arriver {
    var uid: uid_t = 7_000
    var pid: pid_t = getpid()
    /// What the client has sent before it is accepted.
    var says = ""
}

extension Fixture {
    /// Accepts all of them within one turn of the loop, as the listener does with a crowd. Returns the clients in
    /// order, including refused ones.
    nonisolated func admit(_ arrivers: [Arriver]) async throws -> [Client] {
        var clients: [Client] = []
        var ours: [(Int32, PeerCredentials)] = []
        for arriver in arrivers {
            var ends: [Int32] = [-1, -1]
            try #require(clinux_socket_pair(&ends) == 0)
            try #require(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
            let client = try Client(of: self, adopting: ends[1])
            if !arriver.says.isEmpty { try client.sendRaw(arriver.says) }
            clients.append(client)
            ours.append((ends[0], PeerCredentials(pid: arriver.pid, uid: arriver.uid, gid: 1)))
        }
        let pairs = ours
        await with { fixture in for (descriptor, peer) in pairs { fixture.service.accept(descriptor, peer) } }
        return clients
    }

    nonisolated func admit(_ arriver: Arriver = Arriver()) async throws -> Client {
        let clients = try await admit([arriver])
        return try #require(clients.first)
    }

    /// Has clients send text, in this order, within one turn of the loop.
    nonisolated func say(_ words: [(client: Client, text: String)]) async throws {
        let bytes = words.map { (descriptor: $0.client.connection.descriptor, bytes: Array($0.text.utf8)) }
        await with { _ in
            for (descriptor, bytes) in bytes { #expect(send(descriptor, bytes, bytes.count, 0) == bytes.count) }
        }
    }

    /// Waits for ready descriptors and their handlers: a round of the loop, and its turns.
    nonisolated func passRound() async throws {
        let before = await with { _ in EventLoop.round }
        let host = try await admit(Arriver(uid: 0, says: #"{"method":"org.varlink.service.GetInfo"}"# + "\0"))
        _ = try host.receive()
        host.connection.close()
        let after = await with { _ in EventLoop.round }
        #expect(after > before)
    }
}
