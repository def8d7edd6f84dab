// SPDX-License-Identifier: MIT
import Spelling

/// A line of the output, split at the first `|`, and how deep it is in the menu.
struct MenuLine {
    enum Shape { case divider, blank, text }

    /// The number of the line in the output, counted from 1.
    let number: Int
    let shape: Shape
    /// Two dashes before the text for each level of the menu.
    let level: Int
    /// Without those dashes.
    let text: Substring
    /// The text with those dashes, which mean nothing in the bar.
    let wholeText: Substring
    /// Nil if the line has none.
    let parameters: Substring?

    init(_ line: String, number: Int, of dialect: MenuFormat.Dialect) {
        self.number = number
        let bar = line.utf8.firstIndex(of: UInt8(ascii: "|"))
        wholeText = line[..<(bar ?? line.endIndex)]
        let rest = bar.map { line[line.utf8.index(after: $0)...] }
        parameters = rest.flatMap { rest in rest.utf8.allSatisfy(\.isBlank) ? nil : rest }

        let trimmed = wholeText.utf8.trimming(\.isBlank)
        let isIndented = wholeText.utf8.first.map(\.isBlank) ?? false
        let dashes = trimmed.prefix { $0 == Self.dash }.count
        let isDashes = dashes == trimmed.count
        var shape = Shape.text
        var level = isIndented ? 0 : dashes / 2
        var place = isIndented ? wholeText.startIndex : wholeText.utf8.index(wholeText.startIndex, offsetBy: level * 2)
        if isDashes, dialect == .argos ? dashes > 0 : dashes == 3 {
            (shape, level) = (.divider, 0)
        } else if isDashes, !isIndented, dashes > 3, !dashes.isMultiple(of: 2) {
            (shape, level) = (.divider, (dashes - 3) / 2)
        } else if isDashes, dashes == 0 || dashes.isMultiple(of: 2) && !isIndented {
            place = wholeText.endIndex
            if parameters == nil { shape = .blank }
        }
        self.shape = shape
        self.level = level
        text = wholeText[place...]
    }

    private static let dash = UInt8(ascii: "-")
}

/// Markdown in the text of a line. Only the text of it is kept.
enum MenuMarkdown {
    private static let marks = ["**", "~~", "*", "`"]

    /// Drops the marks around bold, italic, struck-through and code text. An unclosed mark stays, as in `2 * 3`.
    static func withoutMarks(_ text: String) -> String {
        var parts: [Substring] = []
        var open: [String: Int] = [:]
        var rest = text[...]
        var before: Character = " "
        while let first = rest.first {
            guard let mark = marks.first(where: rest.hasPrefix) else {
                let plain = rest.prefix { $0 != "*" && $0 != "~" && $0 != "`" }
                let part = plain.isEmpty ? rest.prefix(1) : plain
                parts.append(part)
                before = part.last ?? first
                rest = rest.dropFirst(part.count)
                continue
            }
            rest = rest.dropFirst(mark.count)
            if !before.isWhitespace, let place = open.removeValue(forKey: mark) {
                parts[place] = ""
            } else {
                if rest.first.map({ !$0.isWhitespace }) == true { open[mark] = parts.count }
                parts.append(Substring(mark))
            }
            // A mark right after another one begins at the same place.
        }
        return parts.joined()
    }
}
