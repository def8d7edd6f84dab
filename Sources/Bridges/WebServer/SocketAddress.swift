// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Reactor
import WebPage

/// The address of one end of a TCP connection.
struct SocketAddress {
    let address: IPAddress
    /// 4 or 16 bytes, as the kernel lists them.
    private let listed: [UInt8]
    let port: UInt16

    enum End { case own, other }

    /// Nil for a socket that is not a TCP socket.
    init?(_ end: End, of descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: MemoryLayout<sockaddr_in6>.size)
        var size = socklen_t(bytes.count)
        // Unsafe: the calls take the address as another type, with its size.
        let result = bytes.withUnsafeMutableBytes { bytes in
            let place = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return end == .own ? getsockname(descriptor, place, &size) : getpeername(descriptor, place, &size)
        }
        guard result == 0 else { return nil }
        self.init(Array(bytes.prefix(Int(size))))
    }

    /// - Parameter bytes: those of a sockaddr_in or sockaddr_in6.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 8 else { return nil }
        port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        switch Int32(bytes.withUnsafeBytes { $0.loadUnaligned(as: sa_family_t.self) }) {
        case AF_INET: listed = Array(bytes[4..<8])
        case AF_INET6 where bytes.count == 28: listed = Array(bytes[8..<24])
        default: return nil
        }
        guard let address = IPAddress(bytes: listed) else { return nil }
        self.address = address
    }

    /// `127.0.0.1:8733`
    var text: String { "\(address.host):\(port)" }

    /// The user of the process at the other end of a connection on this machine; nil if unknown.
    @LoopActor static func user(of other: SocketAddress, at own: SocketAddress) -> uid_t? {
        // A client of an IPv6 socket may have an IPv4 address.
        let pairs =
            [(other.address.bytes, own.address.bytes)]
            + (other.listed == other.address.bytes ? [] : [(other.listed, own.listed)])
        for (from, to) in pairs {
            switch ConnectionOwner(client: (from, other.port), server: (to, own.port)) {
            case .user(let user):
                isAnswered = true
                return user
            case .closed: isAnswered = true
            case .nobody, .unknown: break
            }
        }
        return isAnswered ? nil : listedUser(pairs, other.port, own.port)
    }

    /// Whether the kernel has answered before. Then its list contains no more, and reading the whole list for each connection
    /// would let a client with many connections hold up the others.
    @LoopActor private static var isAnswered = false

    private static func listedUser(_ pairs: [([UInt8], [UInt8])], _ client: UInt16, _ server: UInt16) -> uid_t? {
        for path in ["/proc/self/net/tcp", "/proc/self/net/tcp6"] {
            guard let table = SocketTable.text(of: path) else { continue }
            for (from, to) in pairs {
                let user = PeerOwner.user(
                    in: table, client: PeerOwner.entry(from, port: client), server: PeerOwner.entry(to, port: server))
                if let user { return user }
            }
        }
        return nil
    }
}
