// SPDX-License-Identifier: MIT
import Glibc

/// Writing all bytes to a descriptor, in as many calls as that needs. A full non-blocking descriptor is waited for.
///
/// Each function returns false after an error, which errno has.
package enum Descriptor {
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        repeating(bytes, descriptor) { write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Writes to a socket. A closed connection is the error EPIPE: without MSG_NOSIGNAL the kernel would send SIGPIPE, which
    /// ends the process (send(2)).
    package static func sendAll(_ bytes: [UInt8], to socket: Int32) -> Bool {
        repeating(bytes, socket) { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Waits until one of poll(2)'s events happens.
    package static func wait(for events: Int32, on descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        _ = poll(&entry, 1, -1)
    }

    private static func repeating(
        _ bytes: [UInt8], _ descriptor: Int32, _ writeSome: (UnsafeRawBufferPointer) -> Int
    ) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // Unsafe: the pointer is used within the closure.
            let count = rest.withUnsafeBytes(writeSome)
            if count < 0, errno == EAGAIN {
                wait(for: POLLOUT, on: descriptor)
            } else if count < 0, errno != EINTR {
                return false
            }
            rest = rest.dropFirst(max(count, 0))
        }
        return true
    }
}
