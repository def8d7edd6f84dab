// SPDX-License-Identifier: MIT

/// A program, or one of its subcommands: the parser, the help text and the completion scripts read this value.
package struct Command: Sendable {
    package let name: String
    /// For lists of commands: half a line, without a full stop.
    package let summary: String
    /// Paragraphs separated by empty lines. The help text wraps them.
    package let description: String
    package let options: [Option]
    package let positionals: [Positional]
    package let subcommands: [Command]
    /// For a help text of many commands: their names, by what they are for. What no group has is not in that text.
    package let groups: [Group]
    /// Whether the command runs without a subcommand.
    package let subcommandIsOptional: Bool
    /// Groups of long option names of which at most one may be given.
    package let exclusiveOptions: [[String]]
    package let examples: [Example]
    package let isHidden: Bool
    /// For words that people type in place of a subcommand: what to type instead, as the end of an error message.
    package let advice: [String: String]

    package init(
        _ name: String, summary: String, description: String = "", options: [Option] = [],
        positionals: [Positional] = [], subcommands: [Command] = [], groups: [Group] = [],
        subcommandIsOptional: Bool = false,
        exclusiveOptions: [[String]] = [], examples: [Example] = [], isHidden: Bool = false,
        advice: [String: String] = [:]
    ) {
        self.name = name
        self.summary = summary
        self.description = description
        self.options = options
        self.positionals = positionals
        self.subcommands = subcommands
        self.groups = groups
        self.subcommandIsOptional = subcommandIsOptional
        self.exclusiveOptions = exclusiveOptions
        self.examples = examples
        self.isHidden = isHidden
        self.advice = advice
    }

    /// Some of the subcommands, with what they have in common.
    package struct Group: Sendable {
        package let title: String
        package let names: [String]

        package init(_ title: String, _ names: [String]) {
            self.title = title
            self.names = names
        }
    }

    /// A command line and what it does.
    package struct Example: Sendable {
        package let line: String
        package let meaning: String

        package init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }

    /// The commands from this one down to the one at `path`. Stops before the first unknown name.
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

/// An option: `--json`, `-j`, `--socket PATH`. Its command and all subcommands below accept it.
package struct Option: Sendable {
    /// Without the dashes.
    package let long: String
    package let short: Character?
    /// The word for the value in the help text. Nil makes the option a flag.
    package let valueName: String?
    package let help: String
    package let choices: [String]
    /// Other words for the choices. Neither the help text nor shells offer them.
    package let synonyms: [String: String]
    package let completion: ValueCompletion

    package init(
        _ long: String, short: Character? = nil, value valueName: String? = nil, choices: [String] = [],
        synonyms: [String: String] = [:], completion: ValueCompletion = .none, help: String
    ) {
        precondition(choices.isEmpty || valueName != nil, "choices are for options with a value")
        self.long = long
        self.short = short
        self.valueName = valueName
        self.help = help
        self.choices = choices
        self.synonyms = synonyms
        self.completion = completion
    }

    /// The one option that every command has.
    static let help = Option("help", short: "h", help: "Show this help")

    var takesValue: Bool { valueName != nil }
}

/// An argument that the parser recognizes by its place.
package struct Positional: Sendable {
    package let name: String
    package let help: String
    package let isOptional: Bool
    /// Whether it takes several words: all that follow, or those in front of the first choice of the next positional.
    package let isRepeating: Bool
    package let choices: [String]
    /// Other words for the choices. Neither the help text nor shells offer them.
    package let synonyms: [String: String]
    package let completion: ValueCompletion

    package init(
        _ name: String, isOptional: Bool = false, isRepeating: Bool = false, choices: [String] = [],
        synonyms: [String: String] = [:], completion: ValueCompletion = .none, help: String
    ) {
        precondition(synonyms.values.allSatisfy(choices.contains), "a synonym stands for a choice")
        self.name = name
        self.help = help
        self.isOptional = isOptional
        self.isRepeating = isRepeating
        self.choices = choices
        self.synonyms = synonyms
        self.completion = completion
    }

    /// For the usage line: `ID`, `[ID]`, `ID...`, `[ID...]`.
    var usage: String {
        let word = isRepeating ? "\(name)..." : name
        return isOptional ? "[\(word)]" : word
    }
}

extension Positional {
    /// Synonyms for two choices: the words that systemd reads as booleans (systemd.syntax(7)), in any letter case.
    package static func booleans(_ yes: String, _ no: String) -> [String: String] {
        var words: [String: String] = [:]
        for word in ["yes", "y", "true", "t", "on", "1"] where word != yes { words[word] = yes }
        for word in ["no", "n", "false", "f", "off", "0"] where word != no { words[word] = no }
        return words
    }
}

/// Where a shell finds candidates for a value that has no choices.
package enum ValueCompletion: Sendable, Equatable {
    case none
    case files
    /// A word of these, or a file.
    case filesOr([String])
    /// The output lines of a command that gets the arguments `--`, the word to complete, and the words before it. Those
    /// exclude options and the names of commands. The command must change nothing, and print nothing when it fails.
    case answers(of: String)
}
