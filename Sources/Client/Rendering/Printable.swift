// SPDX-License-Identifier: MIT

/// One line of text that cannot disturb a terminal, with its width. Whatever is shown goes through here, so what a widget
/// (or a daemon of another version) sends can neither move the cursor nor recolour, reorder or overprint anything.
package struct Printable: Hashable, Sendable {
    package let text: String
    /// In cells.
    package let width: Int

    /// Cleans `text`; line breaks and tabs become spaces.
    package init(_ untrusted: String, _ charset: Charset) {
        if untrusted.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
            text = untrusted
            width = text.utf8.count
        } else {
            text = Self.cleaned(untrusted, charset)
            width = DisplayWidth.of(text)
        }
    }

    /// A piece of text that is printable already.
    private init(piece: Substring) {
        text = String(piece)
        width = DisplayWidth.of(text)
    }

    /// The lines of a text, tabs expanded.
    package static func lines(of untrusted: String, _ charset: Charset) -> [Printable] {
        untrusted.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map {
            Printable(expandingTabs(in: $0), charset)
        }
    }

    package var isEmpty: Bool { text.isEmpty }

    var isBlank: Bool { text.utf8.allSatisfy { $0 == 0x20 } }

    var withoutTrailingSpaces: String { String(text[...].trimmingSpaces) }

    /// As much of the beginning as fits.
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

    /// Broken wherever a line is full, so that columns stay below each other.
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

    /// Broken into lines that fit: between words, on either side of wide characters (CJK has no spaces), and inside of words
    /// which are longer than a line.
    func wrapped(_ width: Int) -> [Printable] {
        if self.width <= width { return [self] }
        var lines: [Printable] = []
        var rest = text[...]
        while !rest.isEmpty {
            let line = rest[..<lineBreak(in: rest, width: width)]
            rest = rest[line.endIndex...].drop { $0 == " " }
            lines.append(Printable(piece: line.trimmingSpaces))
        }
        return lines
    }

    /// Where the first line of `rest` ends; always behind its beginning.
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
}

extension Printable {
    /// More marks than this on one letter belong to no writing system, and would cover the lines above and below.
    private static let maximumMarks = 8

    private static func cleaned(_ untrusted: String, _ charset: Charset) -> String {
        var result = String.UnicodeScalarView()
        var marks = maximumMarks  // so that no mark at the beginning joins what happens to stand before
        for scalar in untrusted.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x85, 0x2028, 0x2029:
                result.append(" ")
            case 0x00..<0x20, 0x7F..<0xA0:
                result.append(charset == .ascii ? "?" : "\u{FFFD}")
            case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB:
                continue  // what reorders a line or is invisible; the bytes of a line shall be its looks
            default:
                if charset == .ascii {
                    result.append(contentsOf: Charset.transliteration(of: scalar).unicodeScalars)
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
        guard line.utf8.contains(0x09) else { return String(line) }
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
        guard let last = lastIndex(where: { $0 != " " }) else { return self[..<startIndex] }
        return self[...last]
    }
}
