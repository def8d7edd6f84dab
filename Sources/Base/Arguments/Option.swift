// SPDX-License-Identifier: MIT

/// An option of a command: `--json`, `-j`, `--socket PATH`. Accepted by the command and everything below it.
package struct Option: Sendable {
    /// The long name without its dashes.
    package let long: String
    package let short: Character?
    /// What the value is called in the help text; an option without one is a flag.
    package let valueName: String?
    package let help: String
    package let choices: [String]
    /// Other words for choices, which mean the same. Neither help nor shells offer them.
    package let synonyms: [String: String]
    package let completion: ValueCompletion
    package let isHidden: Bool

    package init(
        _ long: String, short: Character? = nil, value valueName: String? = nil, choices: [String] = [],
        synonyms: [String: String] = [:], completion: ValueCompletion = .none, isHidden: Bool = false, help: String
    ) {
        precondition(choices.isEmpty || valueName != nil, "choices are for options with a value")
        self.long = long
        self.short = short
        self.valueName = valueName
        self.help = help
        self.choices = choices
        self.synonyms = synonyms
        self.completion = completion
        self.isHidden = isHidden
    }

    /// The one option that every command has.
    static let help = Option("help", short: "h", help: "Show this help")

    var takesValue: Bool { valueName != nil }
}

/// An argument that is known by its place.
package struct Positional: Sendable {
    package let name: String
    package let help: String
    package let isOptional: Bool
    /// Takes all that follows; only the last positional of a command may.
    package let isRepeating: Bool
    package let choices: [String]
    /// Other words for choices, which mean the same. Neither help nor shells offer them.
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

    /// As written in a usage line: `ID`, `[ID]`, `ID...`, `[ID...]`.
    var usage: String {
        let word = isRepeating ? "\(name)..." : name
        return isOptional ? "[\(word)]" : word
    }
}

extension Positional {
    /// The words that systemd takes for booleans, each as the choice of its meaning. As to systemd, it is all the same
    /// whether they are written in capitals.
    package static func booleans(_ yes: String, _ no: String) -> [String: String] {
        var words: [String: String] = [:]
        for word in ["yes", "y", "true", "t", "on", "1"] where word != yes { words[word] = yes }
        for word in ["no", "n", "false", "f", "off", "0"] where word != no { words[word] = no }
        return words
    }
}

/// Where a shell finds what may be typed as a value; choices complete themselves.
package enum ValueCompletion: Sendable, Equatable {
    case none
    case files
    /// A command whose output lines are the candidates. It must be harmless and quiet when it fails.
    case lines(of: String)
    /// A command that is asked with `--`, the word that is being completed and the words before it, without options and the
    /// names of commands. It prints what may stand there.
    case answers(of: String)
}
