// SPDX-License-Identifier: MIT

import Spelling

/// A word of ExecStart= that is shell syntax. The daemon starts no shell, so the program would get the word as an argument and
/// fail for an unclear reason. A word in quotes is not shell syntax.
enum ShellConstruct: Equatable {
    /// `|`, `;`, `2>&1`: the word.
    case control(String)
    /// `&` at the end.
    case background
    /// `$NAME`: the name of the variable.
    case variable(String)
    /// `$(…)` or backquotes.
    case substitution
    /// `~/x` after the program: the whole word.
    case tilde(String)
    /// `NAME=value` before the program.
    case assignment(String)

    private static let operators: Set<String> = ["|", "||", "|&", "&&", "&", ";", ";;"]

    /// Nil for a word that is not shell syntax.
    init?(_ word: QuotedWords.Word, isProgram: Bool, isLast: Bool) {
        let bare = word.bare
        if isLast, bare.hasSuffix("&"), !bare.hasSuffix("&&") {
            self = .background
        } else if Self.operators.contains(bare) || bare.contains("|") || bare.hasSuffix(";") || Self.isRedirection(bare)
        {
            self = .control(word.text)
        } else if bare.includes("$(") || bare.contains("`") {
            self = .substitution
        } else if let name = Self.variable(in: bare) {
            self = .variable(name)
        } else if !isProgram, bare == "~" || bare.hasPrefix("~/") {
            self = .tilde(word.text)
        } else if isProgram, Self.isAssignment(bare) {
            self = .assignment(word.text)
        } else {
            return nil
        }
    }

    /// Why the word is refused, and what to write instead.
    ///
    /// - Parameters:
    ///   - value: the whole value of ExecStart=.
    ///   - words: the words of the value.
    func cure(in value: String, words: [QuotedWords.Word]) -> String {
        switch self {
        case .control(let text):
            "\(text) is for a shell, and none runs here; write \(Self.shell(value, words))"
                + (Self.quoted(text).map { ", or \($0) if the program is to get it" } ?? "")
        case .background:
            "& is for a shell, and none runs here; leave it out: todayd goes on while the program runs"
        case .substitution:
            "$(…) and `…` are for a shell, and none runs here; write \(Self.shell(value, words))"
        case .variable(let name):
            if let specifier = Self.specifiers[name] {
                "$\(name) is for a shell, and none runs here; write \(specifier)"
            } else {
                "$\(name) is for a shell, and none runs here; write \(Self.shell(value, words))"
            }
        case .tilde(let text):
            "\(text) is for a shell, and none runs here; write \(Self.home(text.dropFirst()))"
        case .assignment(let text):
            "\(text) is for a shell, and none runs here; write \(Self.environment(text)) on a line of its own"
        }
    }

    private static let specifiers = [
        "HOME": "%h", "USER": "%u", "LOGNAME": "%u", "XDG_RUNTIME_DIR": "%t", "XDG_STATE_HOME": "%S",
    ]

    /// The value with a shell as the program. A value with `./` is left out, because a shell resolves it in another directory;
    /// so is a long value.
    private static func shell(_ value: String, _ words: [QuotedWords.Word]) -> String {
        let isElsewhere = words.contains { $0.text.hasPrefix("./") || $0.text.hasPrefix("../") }
        if isElsewhere || value.utf8.count > 120 { return "/bin/sh -c '…'" }
        if !value.contains("'"), !value.contains("\\") { return "/bin/sh -c '\(value)'" }
        let escaped = value.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        return "/bin/sh -c \"\(escaped)\""
    }

    /// A path in the home directory.
    private static func home(_ path: Substring) -> String {
        let path = escaped(path)
        return path.hasPrefix("\"") ? "\"%h\(path.dropFirst())" : "%h\(path)"
    }

    /// An Environment= line for the assignment.
    private static func environment(_ assignment: String) -> String { "Environment=\(escaped(assignment))" }

    /// A word in quotes, which the program gets unchanged; nil if it has control characters.
    private static func quoted(_ word: String) -> String? {
        if word.unicodeScalars.contains(where: { $0.value < 0x20 }) { return nil }
        if word.contains("'") || word.contains("\\") { return escaped(word) }
        return "'\(withPercentSigns(word))'"
    }

    /// A word in quotes, if it needs them.
    private static func escaped(_ word: some StringProtocol) -> String {
        let text = withPercentSigns(word)
        guard text.contains(where: { " \t\"'\\".contains($0) }) else { return text }
        return "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
    }

    private static func withPercentSigns(_ word: some StringProtocol) -> String {
        word.map { $0 == "%" ? "%%" : "\($0)" }.joined()
    }

    private static func isRedirection(_ bare: String) -> Bool {
        let rest = bare.drop { $0.isASCII && $0.isNumber }
        return rest.hasPrefix(">") || rest.hasPrefix("<") || bare.hasPrefix("&>")
    }

    /// `$NAME` or `${NAME}`.
    private static func variable(in bare: String) -> String? {
        for part in bare.split(separator: "$", omittingEmptySubsequences: false).dropFirst() {
            let name = (part.first == "{" ? part.dropFirst() : part).prefix {
                $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")
            }
            if let first = name.first, !first.isNumber { return String(name) }
        }
        return nil
    }

    private static func isAssignment(_ bare: String) -> Bool {
        guard let equals = bare.firstIndex(of: "="), let first = bare.first, first.isLetter || first == "_" else {
            return false
        }
        return bare[..<equals].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
}
