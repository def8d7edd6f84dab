// SPDX-License-Identifier: MIT

/// A value of `bash=` that is a line for a shell. xbar, BitBar and SwiftBar execute the value as one program, in a terminal too,
/// and only Argos hands it to a shell.
enum ShellLine {
    private static let syntax = [";", "&&", "||", "$(", "`", " | ", " > ", " >> ", " < ", " 2>"]
    /// A longer line would not fit into a note.
    private static let mostQuoted = 48

    /// What to write instead of a line; nil for what may be the path of a program.
    static func cure(_ program: String, _ arguments: [String]) -> String? {
        guard isLine(program) else { return nil }
        let line = program.utf8.count <= mostQuoted ? quoted(program) : nil
        let isAlone = arguments.isEmpty
        let text = line ?? "'…'"
        let instead =
            isAlone ? "bash=/bin/bash param1=-c param2=\(text)" : "bash=/bin/bash, and -c and the line as parameters"
        return "bash=\(text) is executed as one program, and no shell reads it; write \(instead)"
    }

    /// A path may have spaces, and a name has none.
    private static func isLine(_ program: String) -> Bool {
        let bytes = Array(program.utf8)[...]
        if syntax.contains(where: { bytes.position(of: $0) != nil }) { return true }
        let words = program.split(separator: " ")
        guard words.count > 1, let first = words.first else { return false }
        return !first.utf8.contains(UInt8(ascii: "/")) || words.dropFirst().contains { $0.hasPrefix("-") }
    }

    /// Nil for a text that has both quotes: parameters have no escapes.
    private static func quoted(_ text: String) -> String? {
        if !text.contains("'") { return "'\(text)'" }
        return text.contains("\"") ? nil : "\"\(text)\""
    }
}
