// SPDX-License-Identifier: MIT
import Glibc
import Spelling

/// What the runtime of Swift prints when a program crashes: the reason, and below it a trace with registers and images.
enum SwiftCrash {
    private static let mark = "Fatal error: "

    /// The last line that is `Fatal error: …` or `File.swift:44: Fatal error: …`. A register of the trace can show the same
    /// text.
    static func reason(in text: String) -> String? {
        guard text.includes(mark) else { return nil }
        let line = text.split(whereSeparator: \.isNewline).last { line in
            line.hasPrefix(mark) || line.range(of: ": \(mark)").map { isPlace(line[..<$0.lowerBound]) } == true
        }
        return line.map(String.init)
    }

    /// `Module/File.swift:44`.
    private static func isPlace(_ text: Substring) -> Bool {
        let parts = text.split(separator: ":")
        return parts.count == 2 && parts[0].hasSuffix(".swift") && parts[1].allSatisfy(\.isNumber)
    }

    /// Whether the text ends with a trace, whose last line says nothing.
    static func hasTrace(_ text: String) -> Bool {
        text.includes("*** Program crashed: ") || text.includes("Current stack trace:")
    }

    /// Why such a signal ends a program of Swift that has printed no reason, as release builds do.
    static func meaning(of signal: Int32) -> String? {
        signal == SIGILL || signal == SIGTRAP
            ? "which stops a program of Swift at a mistake, such as an overflow or an index out of range" : nil
    }
}
