// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The command of a line, which a host executes as the user who clicks.
enum MenuCommand {
    /// A command that could not be kept unchanged would be another command, so it is left out.
    static func command(
        of attributes: MenuAttributes, in dialect: MenuFormat.Dialect, noting note: (String) -> Void
    ) -> View.Command? {
        guard let program = attributes.shell else { return nil }
        if dialect != .argos, let cure = ShellLine.cure(program, attributes.arguments) { note(cure) }
        let words = dialect == .argos ? shell(program, attributes.arguments) : [program] + attributes.arguments
        guard words.count <= View.Command.mostArguments else {
            note("the command has more than \(View.Command.mostArguments) words")
            return nil
        }
        let rule = TextRule(mostBytes: ContentLimits.textBytes, allowsLines: true)
        for word in words {
            if let complaint = rule.complaint(about: word) {
                note("a word of the command \(complaint)")
                return nil
            }
        }
        return View.Command(words, isInTerminal: attributes.isInTerminal)
    }

    /// Argos passes a line to bash. A name alone needs no shell.
    private static func shell(_ line: String, _ arguments: [String]) -> [String] {
        if line.utf8.allSatisfy(isPlain) { return [line] + arguments }
        return ["bash", "-c", ([line] + arguments.map(ShellWords.quoted)).joined(separator: " ")]
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "_./-+@".utf8.contains(byte)
    }
}

/// A value of `bash=` that is a line for a shell. xbar, BitBar and SwiftBar execute the value as one program, in a terminal too,
/// and only Argos hands it to a shell.
enum ShellLine {
    private static let syntax = [";", "&&", "||", "$(", "`", " | ", " > ", " >> ", " < ", " 2>"]
    /// A longer line would not fit into a note.
    private static let mostQuoted = 48

    /// What to write instead of a line; nil if it may be the path of a program.
    static func cure(_ program: String, _ arguments: [String]) -> String? {
        guard isLine(program) else { return nil }
        let line = program.utf8.count <= mostQuoted ? quoted(program) : nil
        let isAlone = arguments.isEmpty
        let text = line ?? "'…'"
        let instead =
            isAlone ? "bash=/bin/bash param1=-c param2=\(text)" : "bash=/bin/bash, and -c and the line as parameters"
        return "bash=\(text) is executed as one program, and no shell reads it; write \(instead)"
    }

    /// Paths may contain spaces, names do not.
    private static func isLine(_ program: String) -> Bool {
        let bytes = Array(program.utf8)[...]
        if syntax.contains(where: { bytes.position(of: $0) != nil }) { return true }
        let words = program.split(separator: " ")
        guard words.count > 1, let first = words.first else { return false }
        return !first.utf8.contains(UInt8(ascii: "/")) || words.dropFirst().contains { $0.hasPrefix("-") }
    }

    /// Nil for a text with both kinds of quotes: parameters have no escapes.
    private static func quoted(_ text: String) -> String? {
        if !text.contains("'") { return "'\(text)'" }
        return text.contains("\"") ? nil : "\"\(text)\""
    }
}
