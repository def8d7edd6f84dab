// SPDX-License-Identifier: MIT

import Spelling

/// One line of text that cannot disturb a terminal, with its width. All text that is shown passes through this type, so no
/// text from a widget or a daemon moves the cursor or changes the colour, the order or the place of other text.
package struct Printable: Hashable, Sendable {
    package let text: String
    /// In cells.
    package let width: Int

    /// Removes or replaces what a terminal interprets. Line breaks and tabs become spaces.
    package init(_ untrusted: String, _ charset: Charset) {
        if untrusted.consists(of: 0x20...0x7E) {
            text = untrusted
            width = text.utf8.count
        } else {
            text = Self.cleaned(untrusted, charset)
            width = DisplayWidth.of(text)
        }
    }

    /// A piece of text that is already printable.
    private init(piece: Substring) {
        text = String(piece)
        width = DisplayWidth.of(text)
    }

    /// The lines of a text, with tabs expanded to stops of eight cells.
    package static func lines(of untrusted: String, _ charset: Charset) -> [Printable] {
        var lines = untrusted.split(at: "\n")
        for index in lines.indices.dropLast() where lines[index].utf8.last == 0x0D {
            lines[index].unicodeScalars.removeLast()
        }
        return lines.map { Printable(expandingTabs(in: $0), charset) }
    }

    package var isEmpty: Bool { text.isEmpty }

    var isBlank: Bool { text.utf8.allSatisfy { $0 == 0x20 } }

    var withoutTrailingSpaces: String { String(text[...].trimmingSpaces) }

    /// The longest beginning that fits.
    func prefix(_ width: Int) -> Printable {
        if self.width <= width { return self }
        var end = text.startIndex
        var used = 0
        for index in text.indices {
            used += DisplayWidth.of(text[index])
            if used > width { break }
            end = text.index(after: index)
        }
        return Printable(piece: text[..<end])
    }

    /// Broken where a line is full, even inside words, so that columns stay aligned.
    func pieces(_ width: Int) -> [Printable] {
        var pieces = [prefix(max(width, 2))]
        var rest = text[pieces[0].text.endIndex...]
        while !rest.isEmpty {
            let piece = Printable(piece: rest).prefix(max(width, 2))
            pieces.append(piece)
            rest = rest.dropFirst(piece.text.count)
        }
        return pieces
    }

    /// Broken into lines that fit: between words, beside wide characters (CJK text has no spaces), and inside a word that
    /// is longer than a line.
    func wrapped(_ width: Int) -> [Printable] {
        if self.width <= width { return [self] }
        let isASCII = text.consists(of: 0...0x7F)
        var lines: [Printable] = []
        var rest = text[...]
        while !rest.isEmpty {
            let end = isASCII ? lineBreak(inASCII: rest.utf8, width: width) : lineBreak(in: rest, width: width)
            lines.append(Printable(piece: rest[..<end].trimmingSpaces))
            rest = rest[end...].drop { $0 == " " }
        }
        return lines
    }

    /// The end of the first line of `rest`, which has at least one character.
    private func lineBreak(in rest: Substring, width: Int) -> String.Index {
        var used = 0
        var opportunity: String.Index?
        for index in rest.indices {
            let character = rest[index]
            let cells = DisplayWidth.of(character)
            if character == " " || (cells == 2 && index > rest.startIndex) { opportunity = index }
            used += cells
            if used > width && character != " " {
                if let opportunity, opportunity > rest.startIndex { return opportunity }
                return index > rest.startIndex ? index : rest.index(after: index)
            }
            if cells == 2 { opportunity = rest.index(after: index) }
        }
        return rest.endIndex
    }

    /// The same for text in which each byte is a character of one cell; this is many times faster.
    private func lineBreak(inASCII rest: Substring.UTF8View, width: Int) -> String.Index {
        guard let full = rest.index(rest.startIndex, offsetBy: max(width, 0), limitedBy: rest.endIndex),
            let over = rest[full...].firstIndex(where: { $0 != 0x20 })
        else { return rest.endIndex }
        if let space = rest[..<over].lastIndex(of: 0x20), space > rest.startIndex { return space }
        return over > rest.startIndex ? over : rest.index(after: over)
    }
}

extension Printable {
    /// No writing system puts more combining marks on one letter, and they would cover the lines above and below.
    private static let maximumMarks = 8

    private static func cleaned(_ untrusted: String, _ charset: Charset) -> String {
        var result = String.UnicodeScalarView()
        var marks = maximumMarks  // a mark at the beginning would join the character in front of this text
        var isAfterPicture = false
        for scalar in untrusted.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x85, 0x2028, 0x2029:
                result.append(" ")
            case 0x00..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF:
                result.append(charset == .ascii ? "?" : "\u{FFFD}")
            case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB:
                continue  // invisible, or reorders the line: people must see the text as it is sent
            default:
                if charset == .ascii {
                    // The space after a dropped picture is dropped with it.
                    if scalar == " ", isAfterPicture, result.last.map({ $0 == " " }) ?? true { continue }
                    let spelling = Charset.transliteration(of: scalar).unicodeScalars
                    if DisplayWidth.of(scalar) > 0 { isAfterPicture = spelling.isEmpty }
                    result.append(contentsOf: spelling)
                    continue
                }
                marks = DisplayWidth.of(scalar) == 0 ? marks + 1 : 0
                if marks > maximumMarks { continue }
                result.append(scalar)
                continue
            }
            marks = maximumMarks
        }
        return String(result)
    }

    private static func expandingTabs(in line: Substring) -> String {
        guard line.includes("\t") else { return String(line) }
        var expanded = ""
        for piece in line.split(separator: "\t", omittingEmptySubsequences: false) {
            if !expanded.isEmpty || piece.startIndex > line.startIndex {
                expanded += String(repeating: " ", count: 8 - DisplayWidth.of(expanded) % 8)
            }
            expanded += piece
        }
        return expanded
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        guard let last = utf8.lastIndex(where: { $0 != 0x20 }) else { return self[..<startIndex] }
        return self[..<utf8.index(after: last)]
    }
}

/// The number of terminal cells that text takes. Unlike wcwidth(3) it needs no locale, and it measures whole grapheme
/// clusters: a family of four joined by ZWJ is one emoji, two cells wide.
enum DisplayWidth {
    static func of(_ text: some StringProtocol) -> Int {
        if Substring(text).consists(of: 0...0x7F) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        let width = of(first)
        // The usual case of one scalar, or a wide base, which modifiers, joiners and vowels do not widen.
        if scalars.count == 1 || width == 2 { return width }
        // VS16 turns a text symbol into an emoji, keycaps included. A flag is two regional indicators.
        if scalars.contains("\u{FE0F}"), first.properties.isEmoji { return 2 }
        if isRegionalIndicator(first) { return 2 }
        return scalars.reduce(0) { $0 + of($1) }
    }

    static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return 1 }
        if contains(WidthTable.wide, value) { return 2 }
        return contains(WidthTable.zero, value) ? 0 : 1
    }

    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    /// Finds the last range that begins at or before the value, by binary search.
    private static func contains(_ ranges: [UInt32], _ value: UInt32) -> Bool {
        var low = 0
        var high = ranges.count / 2
        while low < high {
            let middle = (low + high) / 2
            if ranges[2 * middle] <= value { low = middle + 1 } else { high = middle }
        }
        return low > 0 && value <= ranges[2 * low - 1]
    }
}

extension Unicode.Scalar {
    /// A control character of ISO 6429.
    var isControl: Bool { value < 0x20 || (0x7f..<0xa0).contains(value) }

    /// Whether a terminal interprets the character instead of drawing it: control characters, and those that reorder a line.
    var isDisplayControl: Bool { isControl || (0x202a...0x202e).contains(value) || (0x2066...0x2069).contains(value) }

    /// The separator of lines or of paragraphs, which some readers take for a line feed.
    var isSeparator: Bool { value == 0x2028 || value == 0x2029 }
}
