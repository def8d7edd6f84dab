// SPDX-License-Identifier: MIT

/// Markdown in the text of a line, of which the text stays.
enum MenuMarkdown {
    private static let marks = ["**", "~~", "*", "`"]

    /// Drops the marks around bold, italic, struck and code text. A mark that nothing closes stays, as in `2 * 3`.
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
            // A mark that follows another is in the same place.
        }
        return parts.joined()
    }
}
