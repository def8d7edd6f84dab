// SPDX-License-Identifier: MIT

import Spelling

extension Command {
    /// Parses arguments by the rules of getopt_long(3): options stand anywhere, `--` ends them, `--name=value` or
    /// `--name value`, `-nVALUE` or `-n VALUE`, flags bundled as `-ab`.
    ///
    /// - Parameter arguments: without the program's name.
    package func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
        if subcommands.isEmpty, arguments.first == CompletionScript.question {
            var parsed = ParsedArguments()
            parsed.typed = Array(arguments.dropFirst())
            return parsed
        }
        var parser = CommandParser(lineage: [self], remaining: arguments[...])
        try parser.parseAll()
        return parser.parsed
    }
}

/// The result of parsing: the subcommand, its options and its positionals.
package struct ParsedArguments: Sendable, Equatable {
    /// The names of the subcommands, outermost first. Empty where no subcommand was given.
    package internal(set) var path: [String] = []
    /// Whether `--help` was given. The parser then reads no further and reports nothing as missing.
    package internal(set) var isHelpRequested = false
    /// The word to complete and those before it, if a completion script asks.
    var typed: [String]?
    var options: [(long: String, value: String?)] = []
    var positionals: [(name: String, value: String)] = []

    package init() {}

    package func has(_ long: String) -> Bool {
        options.contains { $0.long == long }
    }

    /// The value of an option: the last one where it was given more than once.
    package func value(_ long: String) -> String? {
        options.last { $0.long == long }?.value
    }

    package func values(_ long: String) -> [String] {
        options.compactMap { $0.long == long ? $0.value : nil }
    }

    package func positional(_ name: String) -> String? {
        positionals.first { $0.name == name }?.value
    }

    package func positionals(_ name: String) -> [String] {
        positionals.compactMap { $0.name == name ? $0.value : nil }
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.path == right.path && left.isHelpRequested == right.isHelpRequested
            && left.options.elementsEqual(right.options) { $0.long == $1.long && $0.value == $1.value }
            && left.positionals.elementsEqual(right.positionals) { $0.name == $1.name && $0.value == $1.value }
    }
}

/// What is wrong with the arguments, and which help to read.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    /// The program and the subcommands in front of the mistake.
    package let commands: [String]
    package let reason: String

    package init(commands: [String], reason: String) {
        self.commands = commands
        self.reason = reason
    }

    package var description: String {
        let typed = commands.joined(separator: " ")
        return "\(commands.first ?? ""): \(reason)\nTry '\(typed) --help'."
    }
}

/// Reads arguments from left to right and goes down the tree of commands at each subcommand.
private struct CommandParser {
    var lineage: [Command]
    var remaining: ArraySlice<String>
    var parsed = ParsedArguments()
    var optionsEnded = false
    var words: [String] = []

    private var command: Command { lineage[lineage.count - 1] }

    mutating func parseAll() throws(UsageError) {
        while let argument = remaining.popFirst() {
            if optionsEnded || !argument.hasPrefix("-") || argument == "-" || isNegativeNumber(argument) {
                try readWord(argument)
            } else if argument == "--" {
                optionsEnded = true
            } else if argument.hasPrefix("--") {
                try readLongOption(argument)
            } else {
                try readShortOptions(argument)
            }
            if parsed.isHelpRequested { return }
        }
        if !command.subcommands.isEmpty && !command.subcommandIsOptional {
            throw error("missing command")
        }
        try assignWords()
        try checkExclusiveOptions()
    }

    // MARK: Options

    private mutating func readLongOption(_ argument: String) throws(UsageError) {
        let body = argument.dropFirst(2)
        let name: String
        var value: String?
        if let equals = body.firstIndex(of: "=") {
            name = String(body[..<equals])
            value = String(body[body.index(after: equals)...])
        } else {
            name = String(body)
        }
        guard let option = option(where: { $0.long == name }) else {
            let names = lineage.reversed().flatMap(\.options).map(\.long) + ["help"]
            let advice = command.advice["--\(name)"].map { "; \($0)" }
            throw error("unknown option --\(name)" + (advice ?? suggestion(for: name, among: names, prefix: "--")))
        }
        if !option.takesValue && value != nil {
            throw error("option --\(name) takes no value")
        }
        try record(option, spelled: "--\(name)", value: value)
    }

    private mutating func readShortOptions(_ argument: String) throws(UsageError) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = option(where: { $0.short == letter }) else {
                throw error("unknown option -\(letter)")
            }
            if option.takesValue {
                let attached = letters.isEmpty ? nil : String(letters)
                return try record(option, spelled: "-\(letter)", value: attached)
            }
            try record(option, spelled: "-\(letter)", value: nil)
            if parsed.isHelpRequested { return }
        }
    }

    private mutating func record(_ option: Option, spelled: String, value: String?) throws(UsageError) {
        if option.long == Option.help.long {
            parsed.isHelpRequested = true
            return
        }
        guard let valueName = option.valueName else {
            parsed.options.append((option.long, nil))
            return
        }
        guard let value = value ?? remaining.popFirst() else {
            throw error("option \(spelled) needs a value: \(spelled) \(valueName)")
        }
        let choice = Self.choice(for: value, option.synonyms, option.choices)
        try check(choice, isOneOf: option.choices, for: "option \(spelled)")
        parsed.options.append((option.long, choice))
    }

    /// The choice that a word stands for. Choices with synonyms ignore letter case.
    private static func choice(for word: String, _ synonyms: Synonyms, _ choices: [String]) -> String {
        if synonyms.isEmpty || choices.contains(word) { return word }
        let lower = word.lowercased()
        func choice(of word: String) -> String? { synonyms.first { $0.word == word }?.choice }
        return choice(of: word) ?? choice(of: lower) ?? (choices.contains(lower) ? lower : word)
    }

    private func option(where matches: (Option) -> Bool) -> Option? {
        for command in lineage.reversed() {
            if let option = command.options.first(where: matches) { return option }
        }
        return matches(Option.help) ? Option.help : nil
    }

    private func isNegativeNumber(_ argument: String) -> Bool {
        guard let letter = argument.dropFirst().first, letter.isASCII, letter.isNumber || letter == "." else {
            return false
        }
        return option { $0.short == letter } == nil
    }

    // MARK: Words

    private mutating func readWord(_ word: String) throws(UsageError) {
        guard !command.subcommands.isEmpty, words.isEmpty, !optionsEnded || command.positionals.isEmpty else {
            words.append(word)
            return
        }
        guard let next = command.subcommands.first(where: { $0.name == word }) else {
            if let advice = command.advice[word] { throw error("unknown command '\(word)'; \(advice)") }
            let names = command.subcommands.filter { !$0.isHidden }.map(\.name)
            throw error("unknown command '\(word)'" + suggestion(for: word, among: names))
        }
        lineage.append(next)
        parsed.path.append(word)
    }

    private mutating func assignWords() throws(UsageError) {
        var words = words[...]
        for (place, positional) in command.positionals.enumerated() {
            guard !words.isEmpty else {
                if positional.isOptional { break }
                throw error("missing \(positional.name)")
            }
            let next = place + 1 < command.positionals.count ? command.positionals[place + 1] : nil
            let taken = positional.isRepeating ? words.prefix(Self.count(of: words, before: next)) : words.prefix(1)
            words = words.dropFirst(taken.count)
            for word in taken {
                let choice = Self.choice(for: word, positional.synonyms, positional.choices)
                try check(choice, isOneOf: positional.choices, for: positional.name)
                parsed.positionals.append((positional.name, choice))
            }
        }
        if let extra = words.first {
            throw error("unexpected argument '\(extra)'")
        }
    }

    /// How many words a repeating positional takes: at least one, and none of those that the next one needs.
    private static func count(of words: ArraySlice<String>, before next: Positional?) -> Int {
        guard let next else { return words.count }
        let end = words.indices.dropFirst().first {
            next.choices.contains(choice(for: words[$0], next.synonyms, next.choices))
        }
        // Without one of its choices, the last word is the one to complain about.
        return (end ?? (words.count > 1 ? words.endIndex - 1 : words.endIndex)) - words.startIndex
    }

    // MARK: Checks and errors

    private func checkExclusiveOptions() throws(UsageError) {
        if parsed.options.count < 2 { return }
        for group in lineage.flatMap(\.exclusiveOptions) {
            let given = group.filter { parsed.has($0) }
            if given.count > 1 {
                throw error("--\(given[0]) and --\(given[1]) exclude each other")
            }
        }
    }

    private func check(_ value: String, isOneOf choices: [String], for subject: String) throws(UsageError) {
        if choices.isEmpty || choices.contains(value) { return }
        throw error(
            "\(subject): '\(value)' is not one of \(choices.joined(separator: ", "))"
                + suggestion(for: value, among: choices))
    }

    /// Suggests a name for a misspelt one, or for its beginning: `--json` for `--js`.
    private func suggestion(for name: String, among names: [String], prefix: String = "") -> String {
        let likely = nearestName(to: name, among: names) ?? names.first { name.count > 1 && $0.hasPrefix(name) }
        return likely.map { "; did you mean \(prefix)\($0)?" } ?? ""
    }

    private func error(_ reason: String) -> UsageError {
        UsageError(commands: lineage.map(\.name), reason: reason)
    }
}
