// SPDX-License-Identifier: MIT
import Glibc
import Platform
import TestSupport
import Testing

@Suite struct ConnectionOwnerTests {
    private static let loopback: [UInt8] = [127, 0, 0, 1]

    @Test func isTheUserOfAnOpenConnection() throws {
        let server = try ListeningSocket()
        func owner(_ port: UInt16) -> ConnectionOwner {
            ConnectionOwner(client: (Self.loopback, port), server: (Self.loopback, server.port))
        }
        let (client, port) = try server.connect()
        // A kernel without the module cannot be asked.
        guard owner(port) != .unknown else { return }
        #expect(owner(port) == .user(getuid()))
        #expect(owner(1) == .nobody)
        // The listening socket is not an open connection.
        let listening = ConnectionOwner(client: (Self.loopback, server.port), server: (Self.loopback, 9))
        #expect(listening == .closed || listening == .nobody)
        close(client)
        #expect(owner(port) == .closed)
    }

    @Test func anAddressHasItsSize() {
        #expect(ConnectionOwner(client: ([1, 2], 1), server: ([1, 2], 2)) == .unknown)
        #expect(ConnectionOwner(client: (Self.loopback, 1), server: ([], 2)) == .unknown)
        let long = [UInt8](repeating: 0, count: 16)
        #expect(ConnectionOwner(client: (Self.loopback, 1), server: (long, 2)) == .unknown)
        #expect(ConnectionOwner(client: (long, 1), server: (Self.loopback, 2)) == .unknown)
    }
}

extension ListeningSocket {
    /// A connection to it, and the port of the other end.
    func connect() throws -> (descriptor: Int32, port: UInt16) {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        place.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Unsafe: the calls take the address as another type, with its size.
        let isConnected = withUnsafeMutableBytes(of: &place) { bytes in
            let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return Glibc.connect(client, address, size) == 0 && getsockname(client, address, &size) == 0
        }
        try #require(isConnected)
        return (client, UInt16(bigEndian: place.sin_port))
    }
}
