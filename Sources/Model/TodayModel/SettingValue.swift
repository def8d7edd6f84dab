// SPDX-License-Identifier: MIT
import Platform
import Spelling

/// A value that the user has set.
package struct SettingValue: Hashable, Sendable {
    private let spelled: SpelledText
    /// Whether it was set as a secret. It stays one when the manifest changes its type.
    package let isSecret: Bool

    package init(_ text: String, isSecret: Bool = false) {
        spelled = SpelledText(text)
        self.isSecret = isSecret
    }

    /// The value as the widget's program gets it: `true` or `false`, a number as it was typed, one line for each element of a
    /// list.
    package var text: String { spelled.text }
}

extension Setting {
    /// The value that a text means, as a person types it: `yes` is `true`, and a list is its words, where quotes keep words
    /// together, or its lines, if there are several.
    package func value(from text: String) throws(SettingMistake) -> SettingValue {
        // The length comes first, because it bounds the work that follows.
        if let reason = Self.textRule.complaint(about: text) { throw SettingMistake(reason) }
        switch type {
        case .string: return SettingValue(text)
        case .secret: return SettingValue(text, isSecret: true)
        case .number: return SettingValue(try number(in: text.trimmed))
        case .boolean:
            guard let isTrue = text.trimmed.boolean else { throw SettingMistake("is neither yes nor no") }
            return SettingValue(isTrue ? "true" : "false")
        case .choice:
            guard options.contains(where: { $0.isSpelled(as: text) }) else {
                throw SettingMistake("is not one of \(options.map(Self.quoted).joined(separator: ", "))")
            }
            return SettingValue(text)
        case .list:
            let words = try Self.words(of: text)
            if words.count > Self.mostWords { throw SettingMistake("has more than \(Self.mostWords) words") }
            return SettingValue(words.joined(separator: "\n"))
        }
    }

    /// Why a value that was set does not fit the declaration, which may have changed since; nil if it fits.
    package func complaint(about value: SettingValue) -> String? {
        if value.isSecret, type != .secret { return "was set as a secret, and is no longer one" }
        do throws(SettingMistake) {
            // The stored form of a list has a line for each word, even if there is only one.
            let text = type == .list && !value.text.isEmpty ? value.text + "\n" : value.text
            return try self.value(from: text).text.isSpelled(as: value.text) ? nil : "is not a \(type.rawValue)"
        } catch {
            return error.reason
        }
    }

    /// - Parameter value: the user's value.
    /// - Returns: the value that the widget gets; nil if there is none.
    package func text(choosing value: SettingValue?) -> String? {
        if let value, complaint(about: value) == nil { return value.text }
        return defaultText
    }

    private static let textRule = TextRule(mostBytes: valueBytes, allowsLines: true)

    private func number(in text: String) throws(SettingMistake) -> String {
        guard let number = Self.number(text) else {
            throw SettingMistake("is not a number such as 10, -3 or 0.5")
        }
        if let minimum, number < minimum { throw SettingMistake("is less than \(Self.text(of: minimum))") }
        if let maximum, number > maximum { throw SettingMistake("is more than \(Self.text(of: maximum))") }
        return text
    }

    /// A decimal number without an exponent, so that shells can read it, too.
    package static func number(_ text: String) -> Double? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = digits.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.allSatisfy(\.areDigits), parts.count <= 2, text.utf8.count <= 64 else { return nil }
        return Double(text)
    }
}

// MARK: - Lists

extension Setting {
    /// The lines of a text that contains a line feed; otherwise its words, where quotes keep words together. A quote within a
    /// word is a letter, as in d'Oro.
    package static func words(of text: String) throws(SettingMistake) -> [String] {
        if text.utf8.contains(UInt8(ascii: "\n")) {
            return text.split(whereSeparator: \.isNewline).map(\.trimmed).filter { !$0.isEmpty }
        }
        var words: [String] = []
        var rest = text[...]
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            guard let first = rest.first else { return words }
            if first == "\"" || first == "'" {
                rest.removeFirst()
                guard let end = rest.firstIndex(of: first) else {
                    throw SettingMistake("has a quote that is not closed")
                }
                words.append(rest[..<end].trimmed)
                rest = rest[rest.index(after: end)...]
            } else {
                let word = rest.prefix { $0 != " " && $0 != "\t" }
                words.append(String(word))
                rest = rest[word.endIndex...]
            }
            if words.last == "" { words.removeLast() }
        }
    }

    /// A list on one line, from which `words(of:)` reads the same list.
    package static func line(ofList text: String) -> String {
        text.split(separator: "\n").map { word in
            let needsQuotes = word.contains { $0 == " " || $0 == "\t" } || word.first == "\"" || word.first == "'"
            guard needsQuotes else { return String(word) }
            return word.contains("\"") ? "'\(word)'" : "\"\(word)\""
        }.joined(separator: " ")
    }
}

// MARK: - All settings of a widget

extension Manifest {
    /// The setting of this name.
    package func setting(named name: String) throws(SettingMistake) -> Setting {
        if let setting = settings.first(where: { $0.name.isSpelled(as: name) }) { return setting }
        let likely = settings.filter { $0.name.lowercased() == name.lowercased() }
        if likely.count == 1 { return likely[0] }
        if let key = Face.Key(typed: name) { return key.setting(default: faceText(key)) }
        let names = settings.map(\.name)
        let hint =
            if let meant = likelyName(for: name, among: names + Face.Key.allCases.map(\.rawValue)) {
                "did you mean \(meant)?"
            } else if names.isEmpty {
                id.isPlugin ? "it declares none" : "its manifest declares none"
            } else {
                "it has \(names.joined(separator: ", "))"
            }
        throw SettingMistake("\(id) has no setting \(Setting.quoted(name)); \(hint)")
    }

    /// Values by name, as a person types them.
    package func values(
        from texts: [(name: String, text: String)]
    ) throws(SettingMistake) -> [String: SettingValue] {
        var values: [String: SettingValue] = [:]
        for (typed, text) in texts {
            let name = try setting(named: typed).name
            values[name] = try value(of: name, from: text)
        }
        return values
    }

    /// The value of a setting as a person types it. The reason of a mistake never quotes a secret.
    package func value(of name: String, from text: String) throws(SettingMistake) -> SettingValue {
        let setting = try setting(named: name)
        do throws(SettingMistake) {
            if let key = Face.Key(rawValue: setting.name) { return try key.value(from: text) }
            return try setting.value(from: text)
        } catch {
            let what = setting.type == .secret ? "the secret" : Setting.quoted(text)
            throw SettingMistake("\(name): \(what) \(error.reason)")
        }
    }

    /// The manifest's value of a key of the widget's face.
    package func faceText(_ key: Face.Key) -> String? {
        switch key {
        case .name: displayName
        case .icon: icon
        default: face[key]
        }
    }

    /// The settings that every widget has.
    package var faceSettings: [Setting] { Face.Key.allCases.map { $0.setting(default: faceText($0)) } }

    /// The values that the widget's program gets, by the name of the setting.
    package func settingTexts(choosing values: [String: SettingValue]) -> [String: String] {
        var texts: [String: String] = [:]
        for setting in settings { texts[setting.name] = setting.text(choosing: values[setting.name]) }
        return texts
    }

    /// A hash of the user's values that fit; nil if there are none. It is the same after a restart.
    package func settingsHash(of values: [String: SettingValue]) -> UInt64? {
        Self.hash(
            settings.compactMap { setting in
                values[setting.name].flatMap { setting.complaint(about: $0) == nil ? (setting.name, $0.text) : nil }
            })
    }

    /// A hash of the values that the widget gets while the user sets none; nil if it gets none.
    package var settingDefaultsHash: UInt64? {
        Self.hash(settings.compactMap { setting in setting.defaultText.map { (setting.name, $0) } })
    }

    private static func hash(_ texts: [(name: String, text: String)]) -> UInt64? {
        if texts.isEmpty { return nil }
        var hash = StableHash()
        for (name, text) in texts.sorted(by: { $0.name < $1.name }) {
            for part in [name, text] {
                hash.combine(part.utf8)
                // This byte does not occur in UTF-8, so two texts never look like one.
                hash.combine(0xff)
            }
        }
        return hash.value
    }
}
