// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// A port of 127.0.0.1.
package enum LoopbackPort {
    /// Whether a process listens there. It connects, and closes the connection at once.
    package static func isListening(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        // Unsafe: the call takes the address as another type, with its size.
        return withUnsafeBytes(of: &address) { bytes in
            connect(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count)) == 0
        }
    }

    /// The user whose socket answers there: proc_net_tcp(5). Nil if that cannot be read.
    package static func owner(of port: UInt16) -> uid_t? {
        let digits = String(port, radix: 16, uppercase: true)
        let place = String(repeating: "0", count: 4 - digits.count) + digits
        // The more exact address wins, as in the kernel.
        let addresses: [String] = ["0100007F", "00000000", String(repeating: "0", count: 32)]
        var listening: [[Substring]] = []
        for path in ["/proc/net/tcp", "/proc/net/tcp6"] {
            for line in (SocketTable.text(of: path) ?? "").split(separator: "\n") {
                let words: [Substring] = line.split(separator: " ")
                if words.count > 7, words[3] == "0A" { listening.append(words) }
            }
        }
        for address in addresses {
            let entry = address + ":" + place
            if let words = listening.first(where: { $0[1] == entry }) { return uid_t(words[7]) }
        }
        return nil
    }
}

/// The kernel's lists of TCP sockets: proc_net_tcp(5).
package enum SocketTable {
    package static func text(of path: String) -> String? {
        Descriptor.contents(of: path).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The owner of the process at the other end of a TCP connection on this machine.
package enum ConnectionOwner: Equatable, Sendable {
    case user(uid_t)
    /// The connection is there, and is no longer open.
    case closed
    /// The kernel has no such connection, or lacks the module that looks it up: it gives the same answer for both.
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
