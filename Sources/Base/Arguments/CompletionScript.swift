// SPDX-License-Identifier: MIT
import Spelling

/// The completion scripts of a program, made from the `Command` that its arguments are parsed with.
package struct CompletionScript {
    /// The shells that have a script.
    package enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish
    }

    let root: Command

    package init(for root: Command) {
        self.root = root
    }

    package func text(for shell: Shell) -> String {
        switch shell {
        case .bash: BashCompletion(script: self).text
        case .zsh: ZshCompletion(script: self).text
        case .fish: FishCompletion(script: self).text
        }
    }

    /// For the first line of every script: it says what makes the script, so that people do not edit it.
    var origin: String {
        "\(root.name), made by '\(root.name) \(root.subcommands.isEmpty ? "--completion" : "completion") SHELL'"
    }

    /// The name of the main shell function, in letters, digits and underscores.
    var functionName: String { "_" + identifier(root.name) }

    func identifier(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    /// One command of the tree and the commands above it.
    struct Place {
        let lineage: [Command]

        var command: Command { lineage[lineage.count - 1] }
        var path: String { lineage.map(\.name).joined(separator: " ") }
        var options: [Option] { lineage.reversed().flatMap(\.options) + [.help] }
        var subcommands: [Command] { command.subcommands.filter { !$0.isHidden } }
    }

    /// Where each positional may stand. After a repeating one, all others may come at once, because a shell does not know where
    /// it ends.
    static func positions(_ positionals: [Positional]) -> [(position: Int?, candidates: [Positional])] {
        guard let repeating = positionals.firstIndex(where: \.isRepeating), repeating < positionals.count - 1 else {
            return positionals.enumerated().map { ($1.isRepeating ? nil : $0, [$1]) }
        }
        return positionals[...repeating].enumerated().map { ($0, [$1]) } + [(nil, Array(positionals[repeating...]))]
    }

    /// Every command that is not hidden, the program first.
    var places: [Place] {
        func below(_ place: Place) -> [Place] {
            [place] + place.subcommands.flatMap { below(Place(lineage: place.lineage + [$0])) }
        }
        return below(Place(lineage: [root]))
    }

    /// The text in single quotes, for all three shells. fish would need a backslash doubled; help texts have none.
    func quoted(_ text: String) -> String { ShellWords.quoted(text) }
}

/// An option or a positional, whose value a shell can complete.
protocol CompletableValue {
    var choices: [String] { get }
    var completion: ValueCompletion { get }
}

extension Option: CompletableValue {}
extension Positional: CompletableValue {}

extension CompletableValue {
    var candidates: ValueCandidates {
        if !choices.isEmpty { return .words(choices) }
        return switch completion {
        case .none: .unknown
        case .files: .files([])
        case .filesOr(let words): .files(words)
        case .answers(let command): .answers(of: command)
        }
    }
}

/// Where the candidates for one value come from.
enum ValueCandidates {
    case unknown
    case words([String])
    /// Files, and these words.
    case files([String])
    case answers(of: String)
}
