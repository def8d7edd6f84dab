// SPDX-License-Identifier: MIT
import Glibc

/// Standard input, output and error of a program, which its caller may have closed.
package enum StandardStreams {
    /// Opens `/dev/null` in place of those that are closed. Otherwise the next file that is opened, such as a cache, would
    /// get one of these numbers, and what is printed would be written into it.
    package static func fill() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(stream, F_GETFD) < 0 && errno == EBADF {
            // open(2) takes the lowest number that is free, and those below this one are open by now.
            _ = open("/dev/null", O_RDWR)
        }
    }
}
