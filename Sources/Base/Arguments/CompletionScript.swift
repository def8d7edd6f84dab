// SPDX-License-Identifier: MIT
import Spelling

/// The completion scripts of a program. A script asks the program what a word may become, so that all shells offer the same
/// as `Command` says.
package struct CompletionScript {
    /// The shells that have a script.
    package enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish
    }

    /// The first argument of a program without subcommands that is asked by its script; with them, `complete` is one.
    static let question = "---complete"

    private let root: Command

    package init(for root: Command) { self.root = root }

    package func text(for shell: Shell) -> String {
        let template =
            switch shell {
            case .bash: PackageResources.completion_bash
            case .zsh: PackageResources.completion_zsh
            case .fish: PackageResources.completion_fish
            }
        let hasCommands = !root.subcommands.isEmpty
        let function = root.name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        let values = [
            ("@NAME@", root.name), ("@FUNCTION@", String(function)),
            ("@ORIGIN@", "\(root.name) \(hasCommands ? "completion" : "--completion") \(shell.rawValue)"),
            ("@ASK@", "\(root.name) \(hasCommands ? "complete --" : Self.question)"),
        ]
        return values.reduce(String(decoding: template, as: UTF8.self)) { $0.replacing($1.0, by: $1.1) }
    }
}

/// What a word of a command line may become.
package struct Completions: Equatable {
    package struct Candidate: Equatable {
        package var text: String
        package var summary = ""
    }

    /// Those that begin with the word.
    package internal(set) var candidates: [Candidate] = []
    package internal(set) var hasFiles = false
    /// What only the program itself knows: kinds of candidates (`ValueCompletion.asked`).
    package internal(set) var kinds: [String] = []
    /// The words before it, without options and the names of commands.
    package internal(set) var words: [String] = []
    /// What a candidate for the value of `--name=` begins with.
    private var option = ""
    /// What the word of bash does not have, as `NAME=`.
    private var name = ""
    private var current: String

    /// - Parameters:
    ///   - current: the beginning of the word.
    ///   - before: the arguments before it, without the program's name. bash has an equals sign as a word of its own.
    package init(of current: String, after before: [String], in root: Command) {
        self.current = current
        var lineage = [root]
        var pending: Option?
        func named(_ spelling: String) -> Option? {
            lineage.reversed().flatMap(\.options).first { option in
                spelling == "--\(option.long)" || option.short.map { spelling == "-\($0)" } ?? false
            }
        }
        for word in before where word != "=" {
            if pending != nil {
                pending = nil
            } else if word.hasPrefix("-") {
                pending = named(word).flatMap { $0.takesValue ? $0 : nil }
            } else if words.isEmpty, let next = lineage.last?.subcommands.first(where: { $0.name == word }) {
                lineage.append(next)
            } else {
                words.append(word)
            }
        }
        if let pending {
            offer(pending.choices, pending.completion)
            return
        }
        if before.last == "=", let last = words.popLast() {
            name = "\(last)="
            self.current = name + current
        }
        if current.hasPrefix("--"), let equals = current.firstIndex(of: "=") {
            guard let found = named(String(current[..<equals])) else { return }
            option = String(current[...equals])
            offer(found.choices, found.completion)
        } else if current.hasPrefix("-") {
            for option in lineage.reversed().flatMap(\.options) + [.help] { add("--\(option.long)", option.help) }
        } else if let command = lineage.last {
            if words.isEmpty { for next in command.subcommands where !next.isHidden { add(next.name, next.summary) } }
            for positional in Self.positionals(of: command, at: words.count) {
                offer(positional.choices, positional.completion)
            }
        }
    }

    /// A line for each, as the scripts read them: a candidate and what it means, with a tab between.
    package var lines: [String] {
        candidates.map { $0.summary.isEmpty ? $0.text : "\($0.text)\t\($0.summary)" } + (hasFiles ? ["\tfiles"] : [])
    }

    /// Adds a candidate if it fits the word.
    package mutating func add(_ text: String, _ summary: String = "") {
        let text = option + text
        if text.hasPrefix(current), !text.utf8.contains(where: { $0 < 0x20 }) {
            candidates.append(Candidate(text: String(text.dropFirst(name.count)), summary: summary))
        }
    }

    /// The word; of an option's value, only that.
    package var value: String { String(current.dropFirst(option.count)) }

    private mutating func offer(_ choices: [String], _ completion: ValueCompletion) {
        for choice in choices { add(choice) }
        switch completion {
        case .none: break
        case .files: hasFiles = true
        case .filesOr(let words):
            for word in words { add(word) }
            hasFiles = true
        case .asked(let kind): kinds.append(kind)
        }
    }

    /// The positionals that the word at a place may belong to. After a repeating one, it is any of those that follow, too, because it
    /// is open where that one ends.
    private static func positionals(of command: Command, at place: Int) -> ArraySlice<Positional> {
        let all = command.positionals
        let repeating = all.firstIndex(where: \.isRepeating) ?? all.endIndex
        if place > repeating { return all[repeating...] }
        return all[min(place, all.endIndex)..<min(place + 1, all.endIndex)]
    }
}
