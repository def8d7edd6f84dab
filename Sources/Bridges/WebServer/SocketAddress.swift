// SPDX-License-Identifier: MIT
import Glibc
import WebPage

/// The address of one end of a TCP connection.
struct SocketAddress {
    /// 4 or 16 bytes, in the network's order.
    let address: [UInt8]
    let port: UInt16

    enum End { case own, other }

    /// Nil unless the socket is one of TCP.
    init?(_ end: End, of descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: MemoryLayout<sockaddr_in6>.size)
        var size = socklen_t(bytes.count)
        // Unsafe: the calls take the address as another type, with its size.
        let result = bytes.withUnsafeMutableBytes { bytes in
            let place = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return end == .own ? getsockname(descriptor, place, &size) : getpeername(descriptor, place, &size)
        }
        guard result == 0, size >= 8 else { return nil }
        port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        switch Int32(bytes.withUnsafeBytes { $0.loadUnaligned(as: sa_family_t.self) }) {
        case AF_INET: address = Array(bytes[4..<8])
        case AF_INET6 where size == 28: address = Array(bytes[8..<24])
        default: return nil
        }
    }

    var isLoopback: Bool {
        address.count == 4 ? address[0] == 127 : address.dropLast().allSatisfy { $0 == 0 } && address.last == 1
    }

    /// `127.0.0.1:8733`
    var text: String {
        let host = address.count == 4 ? address.map(String.init).joined(separator: ".") : isLoopback ? "[::1]" : "[::]"
        return "\(host):\(port)"
    }

    /// The user whose process is at the other end of a connection; nil where it is not known.
    static func peerUser(of descriptor: Int32) -> uid_t? {
        guard let own = SocketAddress(.own, of: descriptor), let other = SocketAddress(.other, of: descriptor) else {
            return nil
        }
        guard let table = table(own.address.count == 4 ? "/proc/net/tcp" : "/proc/net/tcp6") else { return nil }
        return PeerOwner.user(
            in: table, client: PeerOwner.entry(other.address, port: other.port),
            server: PeerOwner.entry(own.address, port: own.port))
    }

    private static func table(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
