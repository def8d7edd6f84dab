// SPDX-License-Identifier: MIT
import Glibc

/// A listening TCP socket of IPv4, on a port that the kernel chooses; closed with this object.
package final class ListeningSocket {
    package let descriptor: Int32
    package let port: UInt16

    /// - Parameter address: in the machine's order; the loopback's unless given.
    package init(address: UInt32 = 0x7f00_0001) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = address.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Unsafe: the calls take the address as another type, with its size.
        let isListening = withUnsafeMutableBytes(of: &place) { [descriptor] bytes in
            let place = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return bind(descriptor, place, size) == 0 && listen(descriptor, 1_024) == 0
                && getsockname(descriptor, place, &size) == 0
        }
        port = UInt16(bigEndian: place.sin_port)
        guard isListening else { throw Failure(code: errno) }
    }

    package struct Failure: Error {
        package let code: Int32
    }

    deinit { close(descriptor) }
}
