// SPDX-License-Identifier: MIT
import Glibc

/// An address of the Internet Protocol, version 4 or 6.
package struct IPAddress: Hashable, Sendable {
    /// 4 or 16, in the network's order.
    package let bytes: [UInt8]

    /// An IPv4 address in its IPv6 form (::ffff:127.0.0.1) becomes an IPv4 address.
    ///
    /// - Returns: nil unless there are 4 or 16 bytes.
    package init?(bytes: [UInt8]) {
        switch bytes.count {
        case 4: self.bytes = bytes
        case 16: self.bytes = Array(bytes.prefix(12)) == Self.mapped ? Array(bytes.suffix(4)) : bytes
        default: return nil
        }
    }

    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

    /// `127.0.0.1`, `::1`; without brackets, a port or the name of an interface.
    package init?(_ text: String) {
        let isSixth = text.utf8.contains(UInt8(ascii: ":"))
        var bytes = [UInt8](repeating: 0, count: isSixth ? 16 : 4)
        guard inet_pton(isSixth ? AF_INET6 : AF_INET, text, &bytes) == 1 else { return nil }
        self.init(bytes: bytes)
    }

    package static let loopback = IPAddress(fourth: 127, 0, 0, 1)

    private init(fourth bytes: UInt8...) { self.bytes = bytes }

    package var isFourth: Bool { bytes.count == 4 }

    /// Whether only processes of this machine can use it.
    package var isLoopback: Bool {
        isFourth ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// Who holds the address: an IPv4 address itself, and for IPv6 its network, in which one machine has any number of
    /// addresses.
    package var holder: [UInt8] { isFourth ? bytes : Array(bytes.prefix(8)) }

    /// As in a URL: `127.0.0.1`, `[::1]`.
    package var host: String { isFourth ? text : "[\(text)]" }

    package var text: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(isFourth ? AF_INET : AF_INET6, bytes, &buffer, socklen_t(buffer.count)) != nil else {
            return ""
        }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
