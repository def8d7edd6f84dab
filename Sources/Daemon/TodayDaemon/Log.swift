// SPDX-License-Identifier: MIT
import Systemd
import TodayModel

/// Lines for the journal, or for a terminal. What widgets and clients sent may be quoted in them, so
/// nothing that a terminal would obey gets through.
struct Log: Sendable {
    private let output: @Sendable (LogLevel, String) -> Void

    /// - Parameter output: takes the messages instead of standard error; for tests.
    init(output: (@Sendable (LogLevel, String) -> Void)? = nil) {
        let standardError = StandardErrorLog(program: "todayd")
        self.output = output ?? { standardError.write($0, $1) }
    }

    func info(_ message: String) { write(.info, message) }
    func warning(_ message: String) { write(.warning, message) }
    func error(_ message: String) { write(.error, message) }

    private func write(_ level: LogLevel, _ message: String) {
        output(level, Self.printable(message))
    }

    /// By the rule that content follows too; here what breaks it is replaced, because a line about it must be written.
    static func printable(_ message: String) -> String {
        if isFine(message) { return message }
        var text = String.UnicodeScalarView()
        for scalar in message.unicodeScalars { text.append(isFine(String(scalar)) ? scalar : "?") }
        return String(text)
    }

    private static func isFine(_ text: String) -> Bool {
        PlainText.complaint(about: text, allowingLines: true) == nil
    }
}
