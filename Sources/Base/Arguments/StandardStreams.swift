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
}
