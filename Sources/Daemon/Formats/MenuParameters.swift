// SPDX-License-Identifier: MIT
import Spelling

private let equals = UInt8(ascii: "=")
private let doubleQuote = UInt8(ascii: "\"")
private let singleQuote = UInt8(ascii: "'")
private let backslash = UInt8(ascii: "\\")

/// The parameters of a line, after the first `|`: `color=red href="https://example.org"`.
enum MenuParameters {
    struct Pair: Equatable {
        /// In lower case, because some hosts ignore the case.
        let key: String
        let value: String
    }

    /// The pairs in their order. Words that are not pairs go to `note`.
    static func pairs(
        in text: Substring, of dialect: MenuFormat.Dialect, noting note: (String) -> Void
    ) -> [Pair] {
        var reader = Reader(rest: Array(text.utf8)[...], dialect: dialect)
        var pairs: [Pair] = []
        var isProseNoted = false
        while let word = reader.next() {
            switch word {
            case .pair(let pair): pairs.append(pair)
            case .open(let pair):
                note("the quote of \(pair.key)= does not close")
                pairs.append(pair)
            case .other(let text):
                // Ordinary text with a `|` has many such words.
                if !isProseNoted { note("\"\(text)\" is not a parameter such as color=red") }
                isProseNoted = true
            }
        }
        return pairs
    }

    private enum Word {
        case pair(Pair)
        /// With a quote that does not close.
        case open(Pair)
        case other(String)
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>
        let dialect: MenuFormat.Dialect

        mutating func next() -> Word? {
            rest = rest.drop(while: Self.isGap)
            if rest.isEmpty { return nil }
            return dialect == .argos ? shellWord() : plainWord()
        }

        // MARK: xbar, BitBar and SwiftBar

        /// Spaces and pipes separate pairs, and a quoted value ends at the next quote.
        private mutating func plainWord() -> Word {
            let key = rest.prefix { !Self.isGap($0) && $0 != equals }
            rest = rest.dropFirst(key.count)
            let sign = rest.drop(while: \.isBlank)
            guard sign.first == equals, !key.isEmpty else {
                if key.isEmpty { rest = rest.dropFirst() }
                return .other(key.isEmpty ? "=" : Self.text(key))
            }
            rest = sign.dropFirst()
            skipSpaceBeforeValue()
            guard let quote = rest.first, quote == doubleQuote || quote == singleQuote else {
                let value = rest.prefix { !Self.isGap($0) }
                rest = rest.dropFirst(value.count)
                return .pair(Self.pair(key, value))
            }
            rest = rest.dropFirst()
            return dialect == .swiftbar ? escapedValue(of: key, quote) : quotedValue(of: key, quote)
        }

        /// Some programs print `color = red`. But in `color= href=x`, the value is empty.
        private mutating func skipSpaceBeforeValue() {
            guard let first = rest.first, first.isBlank else { return }
            let value = rest.drop(while: \.isBlank)
            let isQuoted = value.first == doubleQuote || value.first == singleQuote
            if isQuoted || !value.prefix(while: { !Self.isGap($0) }).contains(equals) { rest = value }
        }

        private mutating func quotedValue(of key: ArraySlice<UInt8>, _ quote: UInt8) -> Word {
            guard let end = rest.firstIndex(of: quote) else {
                defer { rest = [] }
                return .open(Self.pair(key, rest))
            }
            defer { rest = rest[end...].dropFirst() }
            return .pair(Self.pair(key, rest[..<end]))
        }

        /// Only SwiftBar has an escape for the quote itself.
        private mutating func escapedValue(of key: ArraySlice<UInt8>, _ quote: UInt8) -> Word {
            var value: [UInt8] = []
            while let byte = rest.popFirst() {
                if byte == quote { return .pair(Self.pair(key, value[...])) }
                if byte == backslash, rest.first == quote {
                    rest = rest.dropFirst()
                    value.append(quote)
                } else {
                    value.append(byte)
                }
            }
            return .open(Self.pair(key, value[...]))
        }

        // MARK: Argos

        /// A word by the rules of shells, from which `key=` is split.
        private mutating func shellWord() -> Word {
            var word: [UInt8] = []
            var quote: UInt8?
            loop: while true {
                // Most bytes, such as those of an image, mean nothing to a shell.
                let plain = rest.prefix { !Self.isShellSyntax($0) }
                word += plain
                rest = rest.dropFirst(plain.count)
                guard let byte = rest.popFirst() else { break }
                switch (byte, quote) {
                case (_, byte): quote = nil
                case (singleQuote, nil), (doubleQuote, nil): quote = byte
                case (backslash, nil): if let next = rest.popFirst() { word.append(next) }
                case (backslash, doubleQuote):
                    if let next = rest.first, next == doubleQuote || next == backslash || next == UInt8(ascii: "$") {
                        rest = rest.dropFirst()
                        word.append(next)
                    } else {
                        word.append(byte)
                    }
                case (_, nil) where byte.isBlank: break loop
                default: word.append(byte)
                }
            }
            guard let place = word.firstIndex(of: equals), place > 0 else { return .other(Self.text(word[...])) }
            let pair = Self.pair(word[..<place], word[place...].dropFirst())
            return quote == nil ? .pair(pair) : .open(pair)
        }

        // MARK: Bytes

        private static func isShellSyntax(_ byte: UInt8) -> Bool {
            byte.isBlank || byte == singleQuote || byte == doubleQuote || byte == backslash
        }

        private static func isGap(_ byte: UInt8) -> Bool { byte.isBlank || byte == UInt8(ascii: "|") }

        private static func text(_ bytes: ArraySlice<UInt8>) -> String {
            String(decoding: bytes.prefix(64), as: UTF8.self)
        }

        /// No key is longer than 64 bytes; a longer one would make long notes.
        private static func pair(_ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Pair {
            Pair(key: text(key).lowercased(), value: String(decoding: value, as: UTF8.self))
        }
    }
}
