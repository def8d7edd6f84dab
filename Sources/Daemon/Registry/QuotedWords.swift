// SPDX-License-Identifier: MIT
import Spelling

/// Splits a value into words by the rules of systemd.syntax(7), "Quoting", with the specifiers of systemd.unit(5).
enum QuotedWords {
    struct Word: Hashable {
        var text: String
        /// The text with a space in place of each part that was quoted, escaped or a specifier. The rest may be shell syntax.
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

    /// How many characters are in front of a word; nil if there is no such word.
    static func offset(ofWord index: Int, in text: String, _ specifiers: Specifiers) -> Int? {
        var scanner = WordScanner(rest: Substring(text).unicodeScalars, specifiers: specifiers)
        for _ in 0..<index {
            guard (try? scanner.next()) != nil else { return nil }
        }
        scanner.skipBlanks()
        return scanner.rest.isEmpty ? nil : text.unicodeScalars.count - scanner.rest.count
    }
}

/// Reads one word after another.
private struct WordScanner {
    var rest: Substring.UnicodeScalarView
    let specifiers: Specifiers

    mutating func next() throws(WrongValue) -> QuotedWords.Word? {
        skipBlanks()
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

    mutating func skipBlanks() { rest = rest.drop { $0 == " " || $0 == "\t" } }

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
                throw WrongValue("\\\(letter) with a number that is not a character")
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

    /// The bytes of escapes may be invalid text, which is refused.
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

/// The values of the specifiers of systemd.unit(5) that ExecStart= and Environment= know. The user is the one who runs todayd.
package struct Specifiers: Hashable, Sendable {
    private var home: String?
    private var user: String?
    private var runtime: String?
    private var state: String?

    /// Every specifier but `%%` is refused.
    package init() {}

    /// - Parameters:
    ///   - user: the name of the user who runs todayd.
    ///   - home: that user's home directory, if `HOME` is not set.
    package init(isSystem: Bool, environment: [String: String], user: String?, home: String?) {
        // The XDG Base Directory Specification says to ignore relative paths in these variables.
        func directory(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        self.user = user
        self.home = directory("HOME") ?? home
        runtime = isSystem ? "/run" : directory("XDG_RUNTIME_DIR")
        state = isSystem ? "/var/lib" : directory("XDG_STATE_HOME") ?? self.home.map { "\($0)/.local/state" }
    }

    /// - Parameter letter: the letter after the percent sign; nil at the end of the value.
    func value(of letter: Unicode.Scalar?) throws(WrongValue) -> String {
        let (value, source): (String?, String)
        switch letter {
        case "%": return "%"
        case "h": (value, source) = (home, "HOME")
        case "u": (value, source) = (user, "the user's name")
        case "t": (value, source) = (runtime, "XDG_RUNTIME_DIR")
        case "S": (value, source) = (state, "XDG_STATE_HOME")
        default:
            let specifier = letter.map { "%\($0)" } ?? "%"
            throw WrongValue("\(specifier) is not known here; %h, %u, %t and %S are, and a percent sign is written %%")
        }
        if let value { return value }
        throw WrongValue("%\(letter.map(String.init) ?? "") has no value here: todayd does not know \(source)")
    }
}
