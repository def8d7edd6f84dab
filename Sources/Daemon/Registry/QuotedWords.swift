// SPDX-License-Identifier: MIT
import Spelling

/// Splits a value into words as systemd.syntax(7) says under "Quoting": blanks separate, quotes keep together, and
/// backslashes escape as in C. `%%` is a percent sign, as in systemd.unit(5) under "Specifiers".
enum QuotedWords {
    static func split(_ text: String) throws(WrongValue) -> [String] {
        let special: [UInt8] = Array("\\\"'%".utf8)
        guard text.utf8.contains(where: special.contains) else { return Values.words(text) }
        var scanner = WordScanner(rest: Substring(text).unicodeScalars)
        var words: [String] = []
        while let word = try scanner.next() { words.append(word) }
        return words
    }
}

/// The position in a value that is being split.
private struct WordScanner {
    var rest: Substring.UnicodeScalarView

    mutating func next() throws(WrongValue) -> String? {
        rest = rest.drop { $0 == " " || $0 == "\t" }
        guard !rest.isEmpty else { return nil }
        var word: [UInt8] = []
        var quote: Unicode.Scalar?
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\":
                try escape(into: &word)
            case "%":
                guard rest.first == "%" else {
                    let specifier = rest.first.map { "%\($0)" } ?? "%"
                    throw WrongValue("the specifier \(specifier) is not known here; a percent sign is written %%")
                }
                rest.removeFirst()
                word.append(UInt8(ascii: "%"))
            case quote:
                quote = nil
            case "\"" where quote == nil, "'" where quote == nil:
                quote = scalar
            case " " where quote == nil, "\t" where quote == nil:
                return try text(word)
            default:
                word.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
            }
        }
        if let quote { throw WrongValue("the quote \(quote) is not closed") }
        return try text(word)
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
