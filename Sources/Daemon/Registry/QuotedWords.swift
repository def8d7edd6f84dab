// SPDX-License-Identifier: MIT
import Spelling

/// Splits a value into words as systemd.syntax(7) says under "Quoting": blanks separate, quotes keep together, and
/// backslashes escape as in C. Specifiers are those of systemd.unit(5).
enum QuotedWords {
    struct Word: Hashable {
        var text: String
        /// The text with a space in place of all that was quoted or escaped, or stems from a specifier: what is left may be
        /// meant for a shell.
        var bare: String
    }

    static func split(_ text: String, _ specifiers: Specifiers) throws(WrongValue) -> [String] {
        try words(of: text, specifiers).map(\.text)
    }

    static func words(of text: String, _ specifiers: Specifiers) throws(WrongValue) -> [Word] {
        let special: [UInt8] = Array("\\\"'%".utf8)
        guard text.utf8.contains(where: special.contains) else {
            return Values.words(text).map { Word(text: $0, bare: $0) }
        }
        var scanner = WordScanner(rest: Substring(text).unicodeScalars, specifiers: specifiers)
        var words: [Word] = []
        while let word = try scanner.next() { words.append(word) }
        return words
    }
}

/// The position in a value that is being split.
private struct WordScanner {
    var rest: Substring.UnicodeScalarView
    let specifiers: Specifiers

    mutating func next() throws(WrongValue) -> QuotedWords.Word? {
        rest = rest.drop { $0 == " " || $0 == "\t" }
        guard !rest.isEmpty else { return nil }
        var word: [UInt8] = []
        var bare = ""
        var quote: Unicode.Scalar?
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\":
                try escape(into: &word)
                bare += " "
            case "%":
                word += try specifiers.value(of: rest.popFirst()).utf8
                bare += " "
            case quote:
                quote = nil
            case "\"" where quote == nil, "'" where quote == nil:
                quote = scalar
                bare += " "
            case " " where quote == nil, "\t" where quote == nil:
                return QuotedWords.Word(text: try text(word), bare: bare)
            default:
                word.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
                if quote == nil { bare.unicodeScalars.append(scalar) }
            }
        }
        if let quote { throw WrongValue("the quote \(quote) is not closed") }
        return QuotedWords.Word(text: try text(word), bare: bare)
    }

    private mutating func escape(into word: inout [UInt8]) throws(WrongValue) {
        guard let letter = rest.popFirst() else { throw WrongValue("a backslash at the end of the value") }
        switch letter {
        case "a": word.append(0x07)
        case "b": word.append(0x08)
        case "f": word.append(0x0c)
        case "n": word.append(0x0a)
        case "r": word.append(0x0d)
        case "t": word.append(0x09)
        case "v": word.append(0x0b)
        case "s": word.append(0x20)
        case "\\", "\"", "'", ";", "$": word.append(UInt8(truncatingIfNeeded: letter.value))
        case "x": word.append(UInt8(truncatingIfNeeded: try number(2, radix: 16, after: letter)))
        case "0"..."3":
            let rest = try number(2, radix: 8, after: letter)
            word.append(UInt8(truncatingIfNeeded: (letter.value - 0x30) << 6 | rest))
        case "u", "U":
            let value = try number(letter == "u" ? 4 : 8, radix: 16, after: letter)
            guard value != 0, let scalar = Unicode.Scalar(value) else {
                throw WrongValue("\\\(letter) with a number that is no character")
            }
            word.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
        default: throw WrongValue("unknown escape \\\(letter)")
        }
        if word.last == 0 { throw WrongValue("\\\(letter) gives a NUL byte") }
    }

    private mutating func number(
        _ count: Int, radix: Int, after letter: Unicode.Scalar
    ) throws(WrongValue) -> UInt32 {
        let digits = String(String.UnicodeScalarView(rest.prefix(count)))
        guard digits.utf8.count == count, digits.first != "+", digits.first != "-",
            let value = UInt32(digits, radix: radix)
        else {
            throw WrongValue("\\\(letter) needs \(count) \(radix == 8 ? "more octal" : "hexadecimal") digits")
        }
        rest = rest.dropFirst(count)
        return value
    }

    /// Bytes from escapes need not be text; what becomes an argument here does.
    private func text(_ bytes: [UInt8]) throws(WrongValue) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw WrongValue("the escapes give something that is not UTF-8")
        }
        guard !text.hasTooManyMarks else {
            throw WrongValue("the escapes give more than \(CombiningMarks.most) combining marks on one letter")
        }
        return text
    }
}
