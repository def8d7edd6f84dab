// SPDX-License-Identifier: MIT
import Glibc

/// Standard input, output and error of a program, which its caller may have closed.
package enum StandardStreams {
    /// Opens `/dev/null` in place of those that are closed. Otherwise the next file or socket that is opened would get one
    /// of these numbers, and what is printed would be written into it: a daemon would take a printed text for a call. To be
    /// called before anything is opened.
    package static func fill() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(stream, F_GETFD) < 0 && errno == EBADF {
            // open(2) takes the lowest number that is free, and those below this one are open by now.
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Writes all of it, however slow the reader is: also into a pipe that a program has made for not waiting itself.
    ///
    /// - Returns: false where errno says why not.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // The pointer is used within the closure.
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
