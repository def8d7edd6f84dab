// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import WebPage

/// Listening sockets on the loopback.
package enum LoopbackListener {
    private static let backlog: Int32 = 128

    package static func open(_ address: ListenAddress) throws(ReactorError) -> Int32 {
        let domain = address.family == .v4 ? AF_INET : AF_INET6
        let action = "listen on port \(address.port)"
        let descriptor = socket(
            domain, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw ReactorError(action, code: errno) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, to: address) == 0, listen(descriptor, backlog) == 0 else {
            let code = errno
            close(descriptor)
            throw ReactorError(action, code: code)
        }
        return descriptor
    }

    // Unsafe: the call takes an address as another type, with its size.
    private static func bind(_ descriptor: Int32, to address: ListenAddress) -> Int32 {
        switch address.family {
        case .v4:
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_port = address.port.bigEndian
            place.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            return withUnsafeBytes(of: &place) { bytes in
                Glibc.bind(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
            }
        case .v6:
            var place = sockaddr_in6()
            place.sin6_family = sa_family_t(AF_INET6)
            place.sin6_port = address.port.bigEndian
            place.sin6_addr = in6addr_loopback
            return withUnsafeBytes(of: &place) { bytes in
                Glibc.bind(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
            }
        }
    }

    /// `127.0.0.1:8733`, for users; nil for a socket of another kind.
    package static func address(of descriptor: Int32) -> String? { SocketAddress(.own, of: descriptor)?.text }

    /// Whether only processes of this machine reach it.
    package static func isOnLoopback(_ descriptor: Int32) -> Bool {
        SocketAddress(.own, of: descriptor)?.isLoopback ?? false
    }
}
