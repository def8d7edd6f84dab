// SPDX-License-Identifier: MIT

/// Writes the completion script of a program for a shell, from the same value that its arguments are parsed with.
package struct CompletionScript {
    /// The shells that scripts can be written for.
    package enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish
    }

    let root: Command

    package init(for root: Command) {
        self.root = root
    }

    package func text(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    /// One line on top of every script, so that it is not edited by hand.
    var origin: String { "\(root.name), made by '\(root.name) completion SHELL'" }

    /// The name for shell functions: words of letters, digits and underscores.
    var functionName: String { "_" + identifier(root.name) }

    func identifier(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    /// A command of the tree with everything above it.
    struct Place {
        let lineage: [Command]

        var command: Command { lineage[lineage.count - 1] }
        var path: String { lineage.map(\.name).joined(separator: " ") }
        var options: [Option] { (lineage.reversed().flatMap(\.options) + [.help]).filter { !$0.isHidden } }
        var subcommands: [Command] { command.subcommands.filter { !$0.isHidden } }
    }

    /// Every command that can be completed, the program first.
    var places: [Place] {
        func below(_ place: Place) -> [Place] {
            [place] + place.subcommands.flatMap { below(Place(lineage: place.lineage + [$0])) }
        }
        return below(Place(lineage: [root]))
    }

    /// In single quotes, for any of the three shells (fish needs the backslash doubled, which help texts do not have).
    func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}

/// What completes one value, whether of an option or by its place.
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
        case .files: .files
        case .lines(let command): .lines(of: command)
        case .answers(let command): .answers(of: command)
        }
    }
}

/// Choices and completions as one thing.
enum ValueCandidates {
    case unknown
    case words([String])
    case files
    case lines(of: String)
    case answers(of: String)
}
