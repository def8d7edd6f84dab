// SPDX-License-Identifier: MIT
import Systemd
import TodayModel

/// Writes lines to the journal or a terminal. Lines may quote widgets and clients, so characters that control a
/// terminal are replaced.
struct Log: Sendable {
    private let output: @Sendable (LogLevel, String) -> Void

    /// - Parameter output: receives the messages instead of standard error, for tests.
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

    /// Replaces characters that `PlainText` refuses. Refusing the line is not possible, because it must be logged.
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
