// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Rendering
import TodayKit

/// Where it prints. Titles may come from anywhere, so nothing goes to a terminal as it is.
struct Screen {
    private let charset: Charset

    init(_ variables: EnvironmentVariables) {
        charset = Terminal(variables, descriptor: STDOUT_FILENO, isTerminal: false).charset
    }

    /// - Returns: whether it could be written.
    func write(_ text: String) -> Bool { Terminal.write(clean(text), to: STDOUT_FILENO) }

    /// JSON, in which control characters are escaped.
    func writeUnchanged(_ text: String) -> Bool { Terminal.write(text, to: STDOUT_FILENO) }

    /// Something for the user that is no output. Where that cannot be written either, it is not said.
    func complain(_ text: String) { _ = Terminal.write(clean(text), to: STDERR_FILENO) }

    private func clean(_ text: String) -> String {
        Printable.lines(of: text, charset).reduce(into: "") { $0 += $1.text + "\n" }
    }
}
