// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// Whose process is at the other end of a TCP connection on this machine.
package enum ConnectionOwner: Equatable, Sendable {
    case user(uid_t)
    /// The connection is there, and is no longer open.
    case closed
    /// The kernel has no such connection, or lacks the module that knows: it says the same for both.
    case nobody
    /// The kernel cannot be asked.
    case unknown

    /// Asks for one socket, however many there are.
    ///
    /// - Parameters:
    ///   - client: the address of the socket, as it has it: 4 or 16 bytes, and its port.
    ///   - server: the address to which it is connected.
    package init(client: (address: [UInt8], port: UInt16), server: (address: [UInt8], port: UInt16)) {
        let size = client.address.count
        guard size == server.address.count, size == 4 || size == 16 else {
            self = .unknown
            return
        }
        var user: uid_t = 0
        let result = clinux_tcp_owner(
            size == 4 ? AF_INET : AF_INET6, client.address, client.port, server.address, server.port, &user)
        switch result {
        case 1: self = .user(user)
        case 2: self = .closed
        case 0: self = .nobody
        default: self = .unknown
        }
    }
}
