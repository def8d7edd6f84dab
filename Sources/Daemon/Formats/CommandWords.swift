// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// Splits a command into words as a shell would, without its expansions: quotes and backslashes keep spaces, and `$HOME`,
/// `*` and `|` are characters.
enum CommandWords {
    enum Result: Equatable {
        case words([String])
        /// Why it is not a command, as a phrase to follow its name.
        case refused(String)
    }

    static func split(_ text: String) -> Result {
        var splitter = Splitter(rest: Array(text.utf8)[...])
        while splitter.step() {}
        guard splitter.isClosed else { return .refused("has a quote or a backslash that does not end") }
        let words = splitter.words
        guard let program = words.first, !program.isEmpty else { return .refused("names no program") }
        guard words.count <= View.Command.mostArguments else {
            return .refused("has more than \(View.Command.mostArguments) words")
        }
        let rule = TextRule(mostBytes: ContentLimits.textBytes, allowsLines: true)
        // A command is executed unchanged, or not at all.
        for word in words {
            if let complaint = rule.complaint(about: word) { return .refused(complaint) }
        }
        return .words(words)
    }

    private struct Splitter {
        var rest: ArraySlice<UInt8>
        var words: [String] = []
        var isClosed = true
        private var word: [UInt8]?

        init(rest: ArraySlice<UInt8>) { self.rest = rest }

        /// Reads what the next byte begins; false at the end, and if there are too many words.
        mutating func step() -> Bool {
            guard isClosed, words.count <= View.Command.mostArguments, let byte = rest.popFirst() else {
                endWord()
                return false
            }
            switch byte {
            case _ where byte.isSpace: endWord()
            case UInt8(ascii: "'"): single()
            case UInt8(ascii: "\""): double()
            case UInt8(ascii: "\\"):
                guard let next = rest.popFirst() else {
                    isClosed = false
                    break
                }
                // A backslash before a line end continues the line.
                if next != UInt8(ascii: "\n") { append([next]) }
            default: append([byte])
            }
            return true
        }

        private mutating func append(_ bytes: some Sequence<UInt8>) {
            var longer = word ?? []
            word = nil
            longer.append(contentsOf: bytes)
            word = longer
        }

        private mutating func endWord() {
            if let word { words.append(String(decoding: word, as: UTF8.self)) }
            word = nil
        }

        private mutating func single() {
            guard let end = rest.firstIndex(of: UInt8(ascii: "'")) else {
                isClosed = false
                return
            }
            append(rest[..<end])
            rest = rest[(end + 1)...]
        }

        /// Within double quotes, a backslash escapes only these characters.
        private mutating func double() {
            append([])
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "\"") { return }
                guard byte == UInt8(ascii: "\\"), let next = rest.first else {
                    append([byte])
                    continue
                }
                let isEscape = "\"\\$`\n".utf8.contains(next)
                if !isEscape { append([byte]) }
                if next != UInt8(ascii: "\n") { append([next]) }
                rest = rest.dropFirst()
            }
            isClosed = false
        }
    }
}
