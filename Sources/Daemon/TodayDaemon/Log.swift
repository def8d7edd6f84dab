// SPDX-License-Identifier: MIT
import Systemd

/// Lines for the journal, or for whoever looks at a terminal. What widgets and clients sent may be quoted in them, so
/// nothing that a terminal would obey gets through.
struct Log: Sendable {
    private let output = StandardErrorLog(program: "todayd")

    func info(_ message: String) { write(.info, message) }
    func warning(_ message: String) { write(.warning, message) }
    func error(_ message: String) { write(.error, message) }

    private func write(_ level: LogLevel, _ message: String) {
        output.write(level, Self.printable(message))
    }

    static func printable(_ message: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in message.unicodeScalars {
            let isControl =
                scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
            text.append(isControl && scalar != "\n" ? "?" : scalar)
        }
        return String(text)
    }
}
