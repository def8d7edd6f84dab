// SPDX-License-Identifier: MIT
import Glibc

/// Standard input, output and error of this process. The caller may have closed them.
package enum StandardStreams {
    /// Opens `/dev/null` in place of each closed stream. Otherwise the next socket that the process opens would get such a
    /// number, and printed text would be sent to the daemon as a call. Call this before the process opens anything.
    package static func fill() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(stream, F_GETFD) < 0 && errno == EBADF {
            // open(2) returns the lowest free number, and all lower ones are open by now.
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Writes all bytes. Where the descriptor is non-blocking and full, waits until the reader has made room.
    ///
    /// - Returns: false after an error, which errno has.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // Unsafe: the pointer does not leave the closure.
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EAGAIN {
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&entry, 1, -1)
            } else if count < 0, errno != EINTR {
                return false
            }
            rest = rest.dropFirst(max(count, 0))
        }
        return true
    }
}
