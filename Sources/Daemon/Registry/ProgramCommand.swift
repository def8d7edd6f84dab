// SPDX-License-Identifier: MIT
import Files

/// `ExecStart=` as argv. A program that is named without a directory stays as it is: where it lies is for `ProgramSearch`.
enum ProgramCommand {
    /// `directory` is what `./` means; asked for only if needed.
    static func read(
        _ value: String, _ specifiers: Specifiers, directory: () -> String
    ) throws(WrongValue) -> [String] {
        let words = try QuotedWords.words(of: value, specifiers)
        guard let first = words.first else { return [] }
        for (index, word) in words.enumerated() {
            guard let construct = ShellConstruct(word, isProgram: index == 0, isLast: index == words.count - 1) else {
                continue
            }
            throw WrongValue(construct.cure(in: value, words: words))
        }
        return [try program(first.text, specifiers, directory)] + words.dropFirst().map(\.text)
    }

    private static func program(
        _ word: String, _ specifiers: Specifiers, _ directory: () -> String
    ) throws(WrongValue) -> String {
        if word.hasPrefix("/") { return word }
        if word.hasPrefix("~/") { return try specifiers.value(of: "h") + word.dropFirst() }
        if word.hasPrefix("./"), word.utf8.count > 2 { return directory() + word.dropFirst() }
        if word.hasPrefix("~") {
            throw WrongValue(
                "\"\(word)\": only ~/, the home directory of todayd's user, is known; write the whole path")
        }
        if let prefix = word.first, "-@:+!|".contains(prefix), word.contains("/") {
            throw WrongValue("\"\(word)\" begins with \(prefix), which means something in services only; leave it out")
        }
        if ["", ".", "..", "./"].contains(word) {
            throw WrongValue("\"\(word)\" names no program; write ./program for one beside the manifest")
        }
        guard word.contains("/") else { return word }
        throw WrongValue(
            "\"\(word)\" is a relative path; write ./\(word) for \(directory())/\(word), or the whole path")
    }
}
