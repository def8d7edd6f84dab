// SPDX-License-Identifier: MIT

/// Markup in the text of a line, of which the text stays.
enum MenuMarkup {
    // MARK: Pango

    /// Drops tags and reads entities. What is neither stays, as in `a < b & c`.
    static func withoutTags(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return text }
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "<"):
                if let end = endOfTag(rest) { rest = rest[end...].dropFirst() } else { result.append(byte) }
            case UInt8(ascii: "&"):
                let name = rest.prefix(longestEntity).prefix { $0 != UInt8(ascii: ";") }
                if rest.dropFirst(name.count).first == UInt8(ascii: ";"), let character = character(name) {
                    result += character.utf8
                    rest = rest.dropFirst(name.count + 1)
                } else {
                    result.append(byte)
                }
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static let longestTag = 1_024
    private static let longestEntity = 10

    /// The place of the `>` of a tag whose `<` has been read.
    private static func endOfTag(_ rest: ArraySlice<UInt8>) -> Int? {
        let name = rest.first == UInt8(ascii: "/") ? rest.dropFirst() : rest
        guard let letter = name.first, (0x41...0x5a).contains(letter & 0xdf) else { return nil }
        return name.prefix(longestTag).firstIndex(of: UInt8(ascii: ">"))
    }

    private static func character(_ name: ArraySlice<UInt8>) -> String? {
        let name = String(decoding: name, as: UTF8.self)
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.hasPrefix("#") else { return nil }
            let digits = name.dropFirst()
            let value =
                digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
            return value.flatMap(Unicode.Scalar.init).map(String.init)
        }
    }

    // MARK: Markdown

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
