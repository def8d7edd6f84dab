// SPDX-License-Identifier: MIT

import Glibc
import Link

/// One line of standard input that a terminal does not show.
package enum SecretInput {
    /// Returns the line without its line feed.
    ///
    /// - Parameters:
    ///   - limit: the most bytes of the line.
    ///   - output: prompts on standard error if standard input is a terminal.
    package static func readLine(prompt: String, within limit: Int, _ output: CommandOutput) throws -> String {
        let bytes = isatty(STDIN_FILENO) == 1 ? try readWithoutEcho(prompt, limit, output) : try line(limit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ClientError("standard input is not UTF-8", .usage)
        }
        return text
    }

    private static func readWithoutEcho(_ prompt: String, _ limit: Int, _ output: CommandOutput) throws -> [UInt8] {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return try line(limit) }
        var silent = before
        // A signal that ends or stops the process would leave the terminal silent, so Ctrl-C sends none: it ends the line.
        silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
        let interrupt = before.c_cc.0  // VINTR
        silent.c_cc.11 = interrupt  // VEOL
        output.prompt(prompt)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            // The terminal did not show the user's line feed.
            output.prompt("\n")
        }
        return try line(limit, interrupt: interrupt)
    }

    /// Reads byte by byte, so that the bytes after the line stay for the next reader of a pipe.
    private static func line(_ limit: Int, interrupt: UInt8? = nil) throws -> [UInt8] {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                throw ClientError("standard input: \(String(cString: strerror(errno)))", .usage)
            }
            if count == 0 && line.isEmpty { throw ClientError("standard input is empty; nothing is set", .usage) }
            if count == 0 || byte == UInt8(ascii: "\n") { return line }
            if byte == interrupt { throw ClientError("interrupted; nothing is set") }
            line.append(byte)
            if line.count > limit {
                throw ClientError("the line is longer than \(limit) bytes; nothing is set", .usage)
            }
        }
    }
}
