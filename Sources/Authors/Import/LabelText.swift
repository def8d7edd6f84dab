// SPDX-License-Identifier: MIT
import TodayModel

/// The texts that hosts put around what a program prints: ` {}`, `CPU %output%`.
enum LabelText {
    /// A text without letters or digits that is short enough for `Icon=`; nil for any other. Tags of Pango do not count.
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

    /// Cuts a format into its placeholders and the text between them.
    ///
    /// - Returns: the names within the braces, without what follows a colon, and the rest as one text.
    static func placeholders(in format: String) -> (names: [String], rest: String) {
        var names: [String] = []
        var result = ""
        var rest = withoutTags(format)[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            result += rest[..<start]
            names.append(String(rest[start..<end].dropFirst().prefix { $0 != ":" }))
            rest = rest[rest.index(after: end)...]
        }
        return (names, result + rest)
    }
}
