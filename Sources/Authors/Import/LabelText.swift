// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The texts that hosts put around what a program prints: ` {}`, `CPU %output%`.
enum LabelText {
    /// A text without letters or digits that is short enough for `Icon=`; otherwise nil. Pango's tags do not count.
    static func symbol(_ text: String) -> String? {
        guard text.utf8.count <= 1_024 else { return nil }
        let plain = withoutTags(text).split { $0.isWhitespace }.joined(separator: " ")
        guard !plain.isEmpty, plain.utf8.count <= ContentLimits.iconBytes, plain.count <= 4,
            PlainText.complaint(about: plain, allowingLines: false) == nil,
            !plain.contains(where: { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "\\" }),
            plain.contains(where: { !$0.isASCII })
        else { return nil }
        return plain
    }

    static func withoutTags(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            result += rest[..<start]
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// The text without Polybar's `%{F#f00}`.
    static func withoutPolybarTags(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.range(of: "%{"), let end = rest[start.upperBound...].firstIndex(of: "}") {
            result += rest[..<start.lowerBound]
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// A colour as hosts write it, as `#rrggbb`: from `#rgb`, `#rrggbb`, or either with an opacity, which is dropped.
    static func color(_ text: String, opacityFirst: Bool = false) -> String? {
        let digits = text.dropFirst()
        guard text.hasPrefix("#"), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        switch digits.count {
        case 3: return "#" + digits.map { "\($0)\($0)" }.joined()
        case 6: return text
        case 8: return "#" + (opacityFirst ? digits.dropFirst(2) : digits.prefix(6))
        default: return nil
        }
    }

    /// Cuts a format into its placeholders and the text between them.
    ///
    /// - Returns: the names within the braces, without what follows a colon, and the rest as one text.
    static func placeholders(in format: String) -> (names: [String], rest: String) {
        var names: [String] = []
        let rest = replacing(in: withoutTags(format)) { name in
            names.append(name)
            return ""
        }
        return (names, rest)
    }

    /// The text with each placeholder replaced. A placeholder is in braces; its name ends at a colon.
    static func replacing(in format: String, with text: (_ name: String) -> String) -> String {
        var result = ""
        var rest = format[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            result += rest[..<start]
            result += text(String(rest[start..<end].dropFirst().prefix { $0 != ":" }))
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}
