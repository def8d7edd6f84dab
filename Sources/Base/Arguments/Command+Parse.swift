// SPDX-License-Identifier: MIT
import Spelling

extension Command {
    /// Sorts the arguments (without the program's own name) as getopt_long(3) would: options anywhere, `--` ends them,
    /// `--name=value` or `--name value`, `-nVALUE` or `-n VALUE`, flags bundled as `-ab`.
    package func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
        var parser = Parser(lineage: [self], remaining: arguments[...])
        try parser.parseAll()
        return parser.parsed
    }
}

/// Reads arguments from left to right, going down the tree of commands as their names appear.
private struct Parser {
    var lineage: [Command]
    var remaining: ArraySlice<String>
    var parsed = ParsedArguments()
    var optionsEnded = false
    var words: [String] = []

    private var command: Command { lineage[lineage.count - 1] }

    mutating func parseAll() throws(UsageError) {
        while let argument = remaining.popFirst() {
            if optionsEnded || !argument.hasPrefix("-") || argument == "-" || isNegativeNumber(argument) {
                try takeWord(argument)
            } else if argument == "--" {
                optionsEnded = true
            } else if argument.hasPrefix("--") {
                try takeLongOption(argument)
            } else {
                try takeShortOptions(argument)
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

    private mutating func takeLongOption(_ argument: String) throws(UsageError) {
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
            let names = lineage.reversed().flatMap(\.options).filter { !$0.isHidden }.map(\.long) + ["help"]
            throw error("unknown option --\(name)" + suggestion(for: name, among: names, prefix: "--"))
        }
        if !option.takesValue && value != nil {
            throw error("option --\(name) takes no value")
        }
        try take(option, spelled: "--\(name)", value: value)
    }

    private mutating func takeShortOptions(_ argument: String) throws(UsageError) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = option(where: { $0.short == letter }) else {
                throw error("unknown option -\(letter)")
            }
            if option.takesValue {
                let attached = letters.isEmpty ? nil : String(letters)
                return try take(option, spelled: "-\(letter)", value: attached)
            }
            try take(option, spelled: "-\(letter)", value: nil)
            if parsed.isHelpRequested { return }
        }
    }

    private mutating func take(_ option: Option, spelled: String, value: String?) throws(UsageError) {
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
        let meant = Self.meaning(of: value, option.synonyms, option.choices)
        try check(meant, isOneOf: option.choices, for: "option \(spelled)")
        parsed.options.append((option.long, meant))
    }

    /// A choice, or another word for one; those that have others are not told apart by capitals.
    private static func meaning(of word: String, _ synonyms: [String: String], _ choices: [String]) -> String {
        if synonyms.isEmpty || choices.contains(word) { return word }
        let lower = word.lowercased()
        return synonyms[word] ?? synonyms[lower] ?? (choices.contains(lower) ? lower : word)
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

    private mutating func takeWord(_ word: String) throws(UsageError) {
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
        for positional in command.positionals {
            guard !words.isEmpty else {
                if positional.isOptional { break }
                throw error("missing \(positional.name)")
            }
            let taken = positional.isRepeating ? words : words.prefix(1)
            words = words.dropFirst(taken.count)
            for word in taken {
                let meant = Self.meaning(of: word, positional.synonyms, positional.choices)
                try check(meant, isOneOf: positional.choices, for: positional.name)
                parsed.positionals.append((positional.name, meant))
            }
        }
        if let extra = words.first {
            throw error("unexpected argument '\(extra)'")
        }
    }

    // MARK: Complaints

    private func checkExclusiveOptions() throws(UsageError) {
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

    /// A beginning is as good a hint as a slip: `--js` for `--json`.
    private func suggestion(for name: String, among names: [String], prefix: String = "") -> String {
        let meant = nearestName(to: name, among: names) ?? names.first { name.count > 1 && $0.hasPrefix(name) }
        return meant.map { "; did you mean \(prefix)\($0)?" } ?? ""
    }

    private func error(_ reason: String) -> UsageError {
        UsageError(commands: lineage.map(\.name), reason: reason)
    }
}
