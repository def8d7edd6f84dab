// SPDX-License-Identifier: MIT

/// The language in which texts are wanted, and how well a localized key fits it: the rules of the Desktop Entry
/// Specification, "Localized values for keys".
package struct MessageLocale: Hashable, Sendable {
    /// The tags that fit, the best first: de_CH@formal, de_CH, de@formal, de.
    let tags: [String]

    /// `lang_COUNTRY.ENCODING@MODIFIER`, as in LC_MESSAGES. The C locale fits no tag.
    package init(_ name: String) {
        let (body, modifier) = Self.cut(name, at: "@")
        let (region, _) = Self.cut(body, at: ".")
        let (language, country) = Self.cut(region, at: "_")
        guard !language.isEmpty, language != "C", language != "POSIX" else {
            tags = []
            return
        }
        var tags: [String] = []
        if let country {
            if let modifier { tags.append("\(language)_\(country)@\(modifier)") }
            tags.append("\(language)_\(country)")
        }
        if let modifier { tags.append("\(language)@\(modifier)") }
        self.tags = tags + [language]
    }

    /// From LC_ALL, LC_MESSAGES and LANG: the first that is set and not empty, see locale(7).
    package init(environment: [String: String]) {
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        self.init(name ?? "C")
    }

    /// 0 is the best; nil does not fit. A value without a tag fits less than every tag that does.
    func rank(of tag: String?) -> Int? {
        guard let tag else { return tags.count }
        return tags.firstIndex(of: tag)
    }

    private static func cut(_ text: String, at separator: Character) -> (String, String?) {
        guard let index = text.firstIndex(of: separator) else { return (text, nil) }
        return (String(text[..<index]), String(text[text.index(after: index)...]))
    }
}
