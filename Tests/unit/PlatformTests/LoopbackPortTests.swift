// SPDX-License-Identifier: MIT
import Glibc
import Platform
import TestSupport
import Testing

@Suite struct LoopbackPortTests {
    @Test func knowsWhetherAProcessListens() throws {
        var socket: ListeningSocket? = try ListeningSocket()
        let port = try #require(socket?.port)
        #expect(LoopbackPort.isListening(port))
        #expect(LoopbackPort.owner(of: port) == getuid())
        socket = nil
        #expect(!LoopbackPort.isListening(port))
        #expect(LoopbackPort.owner(of: port) == nil)
    }

    @Test func withoutADescriptorNothingIsKnown() throws {
        let socket = try ListeningSocket()
        let table = try FullDescriptorTable()
        let (isListening, owner) = (LoopbackPort.isListening(socket.port), LoopbackPort.owner(of: socket.port))
        table.end()
        #expect(!isListening && owner == nil)
    }

    /// The end of a connection is no socket that answers.
    @Test func aPortOfAClientHasNoOwner() throws {
        let server = try ListeningSocket()
        let (client, port) = try server.connect()
        #expect(LoopbackPort.owner(of: port) == nil)
        close(client)
    }
}
