// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The command of a line, which a host executes as the user who clicks.
enum MenuCommand {
    /// A command that could not be kept as it is would be another command, so it is left out.
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

    /// Argos hands a line to bash. A name alone needs no shell.
    private static func shell(_ line: String, _ arguments: [String]) -> [String] {
        if line.utf8.allSatisfy(isPlain) { return [line] + arguments }
        return ["bash", "-c", ([line] + arguments.map(ShellWords.quoted)).joined(separator: " ")]
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "/"),
            UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "@"):
            true
        default: false
        }
    }
}
