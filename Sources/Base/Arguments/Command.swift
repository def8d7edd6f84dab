// SPDX-License-Identifier: MIT

/// Describes a program, or one of its subcommands, for the parser, the help text and the shells alike.
package struct Command: Sendable {
    package let name: String
    /// Half a line, without a full stop, for lists of commands.
    package let summary: String
    /// Paragraphs separated by an empty line; wrapped when shown.
    package let description: String
    package let options: [Option]
    package let positionals: [Positional]
    package let subcommands: [Command]
    /// Whether the command means something without any of its subcommands.
    package let subcommandIsOptional: Bool
    /// Groups of long option names of which at most one may be given.
    package let exclusiveOptions: [[String]]
    package let examples: [Example]
    package let isHidden: Bool
    /// Words that people try in place of subcommands, and what to type instead: the end of a sentence.
    package let advice: [String: String]

    package init(
        _ name: String, summary: String, description: String = "", options: [Option] = [],
        positionals: [Positional] = [], subcommands: [Command] = [], subcommandIsOptional: Bool = false,
        exclusiveOptions: [[String]] = [], examples: [Example] = [], isHidden: Bool = false,
        advice: [String: String] = [:]
    ) {
        self.name = name
        self.summary = summary
        self.description = description
        self.options = options
        self.positionals = positionals
        self.subcommands = subcommands
        self.subcommandIsOptional = subcommandIsOptional
        self.exclusiveOptions = exclusiveOptions
        self.examples = examples
        self.isHidden = isHidden
        self.advice = advice
    }

    /// A line to type and what it does.
    package struct Example: Sendable {
        package let line: String
        package let meaning: String

        package init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }

    /// The commands from this one down to the one that `path` names; shorter when a name is unknown.
    func lineage(of path: [String]) -> [Command] {
        var lineage = [self]
        var current = self
        for name in path {
            guard let next = current.subcommands.first(where: { $0.name == name }) else { break }
            lineage.append(next)
            current = next
        }
        return lineage
    }
}
