// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Reactor
import WebPage

/// Listening sockets.
package enum WebListener {
    /// Silent connections of other users wait there until they are refused.
    private static let backlog: Int32 = 4_096

    package static func open(_ place: ListenAddress) throws(ReactorError) -> Int32 {
        let domain = place.address.isFourth ? AF_INET : AF_INET6
        let action = "listen on \(place.address.host):\(place.port)"
        let descriptor = socket(
            domain, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw ReactorError(action, code: errno) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        // [::] means every IPv6 address, and 0.0.0.0 every IPv4 address.
        if domain == AF_INET6 {
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, socklen_t(MemoryLayout<Int32>.size))
        }
        guard bind(descriptor, to: place) == 0, listen(descriptor, backlog) == 0 else {
            let code = errno
            close(descriptor)
            throw ReactorError(action, code: code)
        }
        return descriptor
    }

    // Unsafe: the call takes an address as another type, with its size, and the bytes fill the field into which they are
    // copied.
    private static func bind(_ descriptor: Int32, to place: ListenAddress) -> Int32 {
        func bind(_ bytes: UnsafeRawBufferPointer) -> Int32 {
            Glibc.bind(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
        if place.address.isFourth {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = place.port.bigEndian
            withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: place.address.bytes) }
            return withUnsafeBytes(of: &address, bind)
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = place.port.bigEndian
        withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: place.address.bytes) }
        return withUnsafeBytes(of: &address, bind)
    }

    /// `127.0.0.1:8733`, for users; nil for a socket of another kind.
    package static func address(of descriptor: Int32) -> String? { SocketAddress(.own, of: descriptor)?.text }

    /// Whether only processes of this machine can reach it.
    package static func isOnLoopback(_ descriptor: Int32) -> Bool {
        SocketAddress(.own, of: descriptor)?.address.isLoopback ?? false
    }
}
