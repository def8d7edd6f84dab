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

    /// The end of a connection is no socket that answers.
    @Test func aPortOfAClientHasNoOwner() throws {
        let server = try ListeningSocket()
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(client) }
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = server.port.bigEndian
        place.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Unsafe: the calls take the address as another type, with its size.
        let isConnected = withUnsafeMutableBytes(of: &place) { bytes in
            let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return connect(client, address, size) == 0 && getsockname(client, address, &size) == 0
        }
        #expect(isConnected && LoopbackPort.owner(of: UInt16(bigEndian: place.sin_port)) == nil)
    }
}
