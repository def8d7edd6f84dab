// SPDX-License-Identifier: MIT

import Spelling

/// A program, or one of its subcommands: the parser, the help text and the completion scripts read this value.
///
/// Examples, choices and exclusive options are made when they are read: a command that runs seldom needs them, and the first list of each
/// type takes 7,000 instructions of a start (docs/decisions/0016).
package struct Command: Sendable {
    package let name: String
    /// For lists of commands: half a line, without a full stop.
    package let summary: String
    /// Paragraphs separated by empty lines. The help text wraps them.
    package let description: String
    package let options: [Option]
    package let positionals: [Positional]
    package let subcommands: [Command]
    /// For a help text of many commands: their names, grouped by purpose. The text leaves out commands that are in no group.
    package let groups: [Group]
    /// Whether the command runs without a subcommand.
    package let subcommandIsOptional: Bool
    /// Groups of long option names of which at most one may be given.
    package var exclusiveOptions: [[String]] { listExclusiveOptions() }
    private let listExclusiveOptions: @Sendable () -> [[String]]
    private let listExamples: @Sendable () -> [Example]
    package let isHidden: Bool
    /// For words that people type in place of a subcommand, and options such as `--on` in place of another one: what to type
    /// instead, as the end of an error message.
    package let advice: [String: String]

    package init(
        _ name: String, summary: String, description: String = "", options: [Option] = [],
        positionals: [Positional] = [], subcommands: [Command] = [], groups: [Group] = [],
        subcommandIsOptional: Bool = false,
        exclusiveOptions: @autoclosure @escaping @Sendable () -> [[String]] = [],
        examples: @autoclosure @escaping @Sendable () -> [Example] = [], isHidden: Bool = false,
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
        listExclusiveOptions = exclusiveOptions
        listExamples = examples
        self.isHidden = isHidden
        self.advice = advice
    }

    package var examples: [Example] { listExamples() }

    /// A group of subcommands that serve the same purpose.
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

/// Other words for choices, a pair for each. A list and not a dictionary: the first dictionary of a process costs its start
/// a tenth, because the runtime looks through all conformances of the program for its key's Hashable.
package typealias Synonyms = [(word: String, choice: String)]

/// An option: `--json`, `-j`, `--socket PATH`. Its command and all subcommands below accept it.
package struct Option: Sendable {
    /// Without the dashes.
    package let long: String
    package let short: Character?
    /// The word for the value in the help text. Nil makes the option a flag.
    package let valueName: String?
    package let help: String
    private let listChoices: @Sendable () -> [String]
    private let listSynonyms: @Sendable () -> Synonyms
    package let completion: ValueCompletion

    package init(
        _ long: String, short: Character? = nil, value valueName: String? = nil,
        choices: @autoclosure @escaping @Sendable () -> [String] = [],
        synonyms: @autoclosure @escaping @Sendable () -> Synonyms = [], completion: ValueCompletion = .none,
        help: String
    ) {
        precondition(valueName != nil || choices().isEmpty, "choices are for options with a value")
        self.long = long
        self.short = short
        self.valueName = valueName
        self.help = help
        listChoices = choices
        listSynonyms = synonyms
        self.completion = completion
    }

    package var choices: [String] { listChoices() }
    /// Other words for the choices. Neither the help text nor shells offer them.
    package var synonyms: Synonyms { listSynonyms() }

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
    package let synonyms: Synonyms
    package let completion: ValueCompletion

    package init(
        _ name: String, isOptional: Bool = false, isRepeating: Bool = false, choices: [String] = [],
        synonyms: Synonyms = [], completion: ValueCompletion = .none, help: String
    ) {
        precondition(synonyms.allSatisfy { choices.contains($0.choice) }, "a synonym stands for a choice")
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
    package static func booleans(_ yes: String, _ no: String) -> Synonyms {
        BooleanWords.yes.filter { $0 != yes }.map { ($0, yes) } + BooleanWords.no.filter { $0 != no }.map { ($0, no) }
    }
}

/// Where a shell finds candidates for a value that has no choices.
package enum ValueCompletion: Sendable, Equatable {
    case none
    case files
    /// One of these words, or a file.
    case filesOr([String])
    /// A kind of candidates that only the program knows.
    case asked(String)
}
