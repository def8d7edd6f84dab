// SPDX-License-Identifier: MIT
import Arguments
import Glibc

/// What the author or the administrator should know: todayd keeps the end of it for `todayctl status`.
enum StandardError {
    static func say(_ text: String) { _ = StandardStreams.writeAll(Array("\(text)\n".utf8), to: STDERR_FILENO) }
}
